"""Mending changes what it must, once, and says nothing else than the file said."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from anthology import source
from anthology.source import Document
from litgraph.mending import slips
from litgraph.mending.references import Names

LINES = (
    "title: A: b", "- note: A: b", "<!-- why -->", "  <!-- why -->", "<!-- one", "two -->",
    "s: >-", "t: |", "  text of it", "  a: b: c", "- a", "# remark", "arxiv: 2103.10", "", "k: 'v'",
    "l:", "first_author: No  # so", "q: \"x", "y\"", "m: {a: b}",
)  # fmt: skip
SLIPS = ("A: b", "<!--", "-->", "b: c", "2103", "No ", "two")


def read(data: bytes) -> Any:
    return source.parse(data, Document("LIT-1.md", "LIT-1")).fields


def words(value: object) -> object:
    """Return fields without how their texts are laid out in lines."""
    if isinstance(value, dict):
        return {str(key): words(each) for key, each in value.items()}
    if isinstance(value, list):
        return [words(each) for each in value]
    return value.split() if isinstance(value, str) else value


@given(st.lists(st.sampled_from(LINES), max_size=9), st.sampled_from(["\n", "\r\n"]))
def test_slips_are_mended_once_and_the_file_says_the_same(lines: list[str], end: str) -> None:
    before = end.join(("---", *lines, "---", "# LIT-1: x", "")).encode()
    data, said, left = slips.mend("LIT-1.md", before)
    assert bool(said) == (data != before)
    assert slips.mend("LIT-1.md", data) == (data, [], left)
    fields = read(before)
    if fields is None:
        assert data == before
        return
    assert words(read(data)) == words(fields)
    # Every other line is still there; at most it is in a comment that had no end on its line.
    kept = Counter(bare(each) for each in lines if not any(slip in each for slip in SLIPS))
    assert kept <= Counter(bare(each) for each in data.decode().split(end))


def bare(line: str) -> str:
    return line.strip("# \r")


NAMES = (
    "LIT-5", "LIT-05", "LIT-50", "ANTH-LIT-5", "`LIT-5`", "LIT-5.md", "LIT-5#C1", "LIT-5-5",
    "NOTE-5#C1", "NOTE-5#C12", "https://a.org/LIT-5", "lit-5", "LIT-5,", "(NOTE-5)",
)  # fmt: skip
BETWEEN = (" ", "\n", "\r\n", ", ", " \t", "é ", "'s ", "\u2028")


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(BETWEEN)), max_size=12))
def test_renaming_there_and_back_is_the_identity(pieces: list[tuple[str, str]]) -> None:
    text = "".join(name + between for name, between in pieces)
    there = Names({"LIT-5": "LIT-777", "NOTE-5#C1": "NOTE-5#C9"})
    back = Names({"LIT-777": "LIT-5", "NOTE-5#C9": "NOTE-5#C1"})
    moved, count = there.replace(text)
    assert there.replace(moved) == (moved, 0)
    home, returned = back.replace(moved)
    assert (home, returned) == (text.replace("LIT-05", "LIT-5"), count)
    assert text.count("ANTH-LIT-5") == moved.count("ANTH-LIT-5")
