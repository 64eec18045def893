"""Rows as people and machines read them."""

from __future__ import annotations

import io
import json

import pytest

from anthology.errors import UnknownNameError
from litgraph import formats
from litgraph.formats import Sheet, table

ROWS = [
    {"id": "LIT-001", "what": "a long sentence " * 8, "users": ["LIT-002", "LIT-003"], "n": 1.0},
    {"id": "LIT-002", "what": "", "users": [], "n": 0.12345678},
]


def text(sheet: Sheet, monkeypatch: pytest.MonkeyPatch, width: int = 80) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    out = io.StringIO()
    formats.write("table", sheet, out)
    return out.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_table_fits_the_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    shown = text(Sheet("x/1", ROWS, ("id", "what", "users", "n")), monkeypatch, width)
    assert max(map(len, shown.splitlines())) <= width
    assert "LIT-001" in shown
    assert "0.1235" in shown


def test_an_id_is_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"id": "TERM-004#weight-error", "other": "TERM-004#rank-one", "what": "word " * 40}]
    shown = text(Sheet("x/1", rows, ("id", "other", "what")), monkeypatch)
    assert "TERM-004#weight-error" in shown
    assert "TERM-004#rank-one" in shown


def test_empty_columns_are_left_out_and_nothing_is_said_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [{"id": "LIT-001", "via": None}]
    assert "via" not in text(Sheet("x/1", rows, ("id", "via")), monkeypatch)
    assert text(Sheet("x/1", [], ("id",), empty="no such edge"), monkeypatch) == "no such edge\n"


def test_note_and_group(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"term": "rank collapse", "sense": "tokens", "why": "because " * 20},
        {"term": "rank collapse", "sense": "weights", "why": ""},
        {"term": "residual", "sense": "one", "why": ""},
    ]
    sheet = Sheet("x/1", rows, ("term", "sense", "why"), note="why", group="term")
    lines = text(sheet, monkeypatch).splitlines()
    assert lines.count("rank collapse") == 1
    assert lines.index("residual") > lines.index("weights")
    assert [each for each in lines if each.startswith("    because")]


def test_wide_characters_keep_the_columns_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"a": "梯度", "b": "x"}, {"a": "abcd", "b": "y"}]
    lines = text(Sheet("x/1", rows, ("a", "b")), monkeypatch).splitlines()
    assert table.columns(lines[2].partition("x")[0]) == table.columns(lines[3].partition("y")[0])
    assert table.columns("e\u0301") == 1


def test_colour_only_on_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("CI", raising=False)
    assert table.decorated(Terminal())
    assert not table.decorated(io.StringIO())
    for name in ("NO_COLOR", "CI"):
        monkeypatch.setenv(name, "1")
        assert not table.decorated(Terminal())
        monkeypatch.delenv(name)
    out = Terminal()
    formats.write("table", Sheet("x/1", ROWS, ("id",), group="what"), out)
    assert "\x1b[1m" in out.getvalue()


def test_cells() -> None:
    assert [table.cell(each) for each in (None, False, True, 3, "a\n b", ("x", None, "y"))] == [
        "", "", "yes", "3", "a b", "x, , y",
    ]  # fmt: skip


@pytest.mark.parametrize("rows", [[], ROWS[:1], ROWS])
def test_json_is_one_envelope(rows: list[dict[str, object]]) -> None:
    out = io.StringIO()
    formats.write("json", Sheet("anthology.edges/1", rows, ()), out)
    assert json.loads(out.getvalue()) == {
        "schema": "anthology.edges/1",
        "count": len(rows),
        "rows": rows,
    }


def test_an_unknown_format_names_the_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="did you mean json"):
        formats.write("jsn", Sheet("x/1", [], ()), io.StringIO())
