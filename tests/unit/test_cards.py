"""Answers printed one below the other."""

from __future__ import annotations

import io

import pytest

from litgraph.formats import Sheet, cards


def printed(sheet: Sheet) -> str:
    out = io.StringIO()
    cards.write(sheet, out)
    return out.getvalue()


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")


def test_what_is_empty_is_left_out_and_long_text_is_wrapped() -> None:
    rows = [
        {"id": "A", "why": "one two three four five six seven eight", "used_by": ["X", "Y"]},
        {"id": "B", "why": None, "used_by": []},
    ]
    sheet = Sheet("k", rows, ("id", "why", "used_by"), titles={"why": "because"})
    assert printed(sheet) == (
        "A\n  because  one two three four five six\n           seven eight\n  used by  X, Y\n\nB\n"
    )


def test_a_group_stands_above_its_cards_and_a_note_below_their_heads() -> None:
    rows = [
        {"word": "w", "id": "A", "note": "said of A", "n": 1},
        {"word": "w", "id": "B", "note": "", "n": 2},
        {"word": "v", "id": "C", "note": "", "n": 3},
    ]
    sheet = Sheet("k", rows, ("id", "n"), group="word", note="note")
    assert printed(sheet) == (
        "w\n  A\n    said of A\n    n  1\n  B\n    n  2\n\nv\n  C\n    n  3\n"
    )


def test_nothing_is_said_in_the_sheet_s_words() -> None:
    assert printed(Sheet("k", [], ("id",), empty="no such thing")) == "no such thing\n"
