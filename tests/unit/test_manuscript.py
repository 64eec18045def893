"""Editing a record's file: what changes, what does not, and what is refused."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import pytest

from anthology.manuscript import EditError, Manuscript
from anthology.notation import Inline, inline

if TYPE_CHECKING:
    from collections.abc import Callable

    from anthology.notation import Value

FILE = """\
---
number: 5  # of two
title: 'A: b'
summary: >-
  folded over
  two lines

# above the tags
tags:
- x  # first
# between
- y
flow: {a: 1, b: [p, q]}
claims:
  C1:
    form: universal
relations:
  rejects: ["?slug", LIT-1]
  refines:
  - to: LIT-2
    because: so
empty:
---
# LIT-005: A: b

prose  \twith trailing blanks\t
"""


def taken(text: str = FILE) -> Manuscript:
    return Manuscript("records/LIT-005.md", text.encode())


def changed(act: Callable[[Manuscript], None], text: str = FILE) -> tuple[list[str], list[str]]:
    """Return the lines that went and the lines that came; all others are the same bytes."""
    import difflib

    manuscript = taken(text)
    act(manuscript)
    lines = list(difflib.ndiff(text.splitlines(), manuscript.data.decode().splitlines()))
    return [each[2:] for each in lines if each[0] == "-"], [
        each[2:] for each in lines if each[0] == "+"
    ]


@pytest.mark.parametrize(
    ("keys", "value", "gone", "come"),
    [
        (("number",), 6, ["number: 5  # of two"], ["number: 6  # of two"]),
        (("title",), "C", ["title: 'A: b'"], ["title: C"]),
        (("title",), "C: d", ["title: 'A: b'"], ["title: 'C: d'"]),
        (
            ("summary",),
            "short",
            ["summary: >-", "  folded over", "  two lines"],
            ["summary: short"],
        ),
        (("empty",), "full", ["empty:"], ["empty: full"]),
        (("empty", "a"), "b", [], ["  a: b"]),
        (("new",), "b", [], ["new: b"]),
        (("new",), ["b", "c: d"], [], ["new:", "- b", "- 'c: d'"]),
        (("new",), [], [], ["new: []"]),
        (("new", "below"), {"a": ["b"]}, [], ["new:", "  below:", "    a:", "    - b"]),
        (
            ("flow", "c"),
            "r, s",
            ["flow: {a: 1, b: [p, q]}"],
            ["flow: {a: 1, b: [p, q], c: 'r, s'}"],
        ),
        (("flow", "b"), ["r", "s"], ["flow: {a: 1, b: [p, q]}"], ["flow: {a: 1, b: [r, s]}"]),
        (("flow", "b", 1), "z", ["flow: {a: 1, b: [p, q]}"], ["flow: {a: 1, b: [p, z]}"]),
        (("claims", "C1", "form"), "causal", ["    form: universal"], ["    form: causal"]),
        (("claims", "C1", "locator"), "2.2", [], ["    locator: '2.2'"]),
        (("claims", "C2", "form"), "causal", [], ["  C2:", "    form: causal"]),
        (
            ("claims", "C1", "test"),
            {"run": "a.b", "control": {"no cause": Inline(cause=False)}},
            [],
            ["    test:", "      run: a.b", "      control:", "        no cause: {cause: false}"],
        ),
        (
            ("relations", "rejects", 0),
            {"to": "T-1", "was": "?slug"},
            ['  rejects: ["?slug", LIT-1]'],
            ["  rejects: [{to: T-1, was: '?slug'}, LIT-1]"],
        ),
        (("relations", "refines", 0, "to"), "LIT-3", ["  - to: LIT-2"], ["  - to: LIT-3"]),
        (("relations", "refines", 0, "was"), "?x", [], ["    was: '?x'"]),
        (("tags", 1), "z", ["- y"], ["- z"]),
        (("tags", 1), {"a": "b", "c": "d"}, ["- y"], ["- a: b", "  c: d"]),
    ],
)
def test_set_changes_the_lines_that_it_must(
    keys: tuple[str | int, ...], value: Value, gone: list[str], come: list[str]
) -> None:
    assert changed(lambda each: each.set(keys, value)) == (gone, come)


def test_a_new_key_is_put_where_it_is_asked_for() -> None:
    manuscript = taken()
    manuscript.set(("first",), "a", after="^")
    manuscript.set(("second",), "b", after="number")
    manuscript.set(("last",), "c", after="nothing")
    keys = [line.partition(":")[0] for line in manuscript.lines]
    assert keys[:4] == ["---", "first", "number", "second"]
    assert keys[manuscript.body_line - 2] == "last"


@pytest.mark.parametrize(
    ("keys", "item", "gone", "come"),
    [
        (("tags",), "z", [], ["- z"]),
        (("flow", "b"), "r]", ["flow: {a: 1, b: [p, q]}"], ["flow: {a: 1, b: [p, q, 'r]']}"]),
        (("empty",), "a", [], ["- a"]),
        (("formerly",), "LIT-4", [], ["formerly:", "- LIT-4"]),
        (("title",), "C", ["title: 'A: b'"], ["title:", "- 'A: b'", "- C"]),
        (("relations", "refines"), {"to": "LIT-9"}, [], ["  - to: LIT-9"]),
    ],
)
def test_append(keys: tuple[str, ...], item: Value, gone: list[str], come: list[str]) -> None:
    assert changed(lambda each: each.append(keys, item)) == (gone, come)


def test_append_to_an_empty_list() -> None:
    text = "---\na: []\nb:\n- {}\n---\n"
    assert changed(lambda each: each.append(("a",), "x"), text) == (["a: []"], ["a: [x]"])
    assert changed(lambda each: each.set(("b", 0, "k"), "v"), text) == (["- {}"], ["- {k: v}"])


@pytest.mark.parametrize(
    ("keys", "gone", "come"),
    [
        (("tags", 1), ["- y"], []),
        (("flow", "b", 0), ["flow: {a: 1, b: [p, q]}"], ["flow: {a: 1, b: [q]}"]),
        (("flow", "b", 1), ["flow: {a: 1, b: [p, q]}"], ["flow: {a: 1, b: [p]}"]),
    ],
)
def test_drop(keys: tuple[str | int, ...], gone: list[str], come: list[str]) -> None:
    assert changed(lambda each: each.drop(keys)) == (gone, come)


def test_a_renamed_key_keeps_what_it_holds() -> None:
    assert changed(lambda each: each.rename(("claims", "C1"), "C7")) == (["  C1:"], ["  C7:"])


def test_a_list_of_parts_is_entered_by_their_ids() -> None:
    text = "---\nclaims:\n- id: C1\n  form: causal\n---\n"
    assert taken(text).plain("claims", "C1", "form") == "causal"
    gone, come = changed(lambda each: each.set(("claims", "C2", "form"), "universal"), text)
    assert (gone, come) == ([], ["- id: C2", "  form: universal"])


def test_spellings_of_a_key_are_one() -> None:
    assert taken("---\nfirst-author: A\n---\n").plain("first_author") == "A"


def test_line_ends_a_mark_and_a_missing_end_survive() -> None:
    text = "\ufeff" + FILE.rstrip("\n").replace("\n", "\r\n")
    manuscript = Manuscript("LIT-005.md", text.encode())
    assert manuscript.data == text.encode()
    manuscript.append(("formerly",), "LIT-4", after="number")
    manuscript.set(("title",), "B")
    wanted = text.replace("# of two\r\n", "# of two\r\nformerly:\r\n- LIT-4\r\n")
    assert manuscript.data == wanted.replace("'A: b'", "B").encode()


def test_an_empty_front_matter_takes_a_first_key() -> None:
    assert changed(lambda each: each.set(("a",), "b"), "---\n---\nbody\n") == ([], ["a: b"])


def test_the_body_is_changed_within_a_line() -> None:
    manuscript = taken()
    manuscript.reword(manuscript.body_line, 2, 9, "LIT-006")
    assert "# LIT-006: A: b" in manuscript.lines
    with pytest.raises(EditError, match="no line of the body"):
        manuscript.reword(1, 0, 1, "x")


@pytest.mark.parametrize(
    ("text", "act", "said"),
    [
        (FILE, lambda each: each.set(("tags",), ["a"]), "10:1: a comment stands there"),
        (FILE, lambda each: each.drop(("tags", 0)), "a comment stands there"),
        (FILE, lambda each: each.set(("title", "a"), "b"), "`title` is no mapping"),
        (FILE, lambda each: each.append(("claims",), "b"), "one mapping stands where a list"),
        (FILE, lambda each: each.drop(("title", 0)), "no list leads"),
        (FILE, lambda each: each.rename(("nothing",), "b"), "no key leads"),
        ("---\na: 1\na: 2\n---\n", lambda each: each.set(("a",), "3"), "3:1: the key `a` stands"),
        ("---\na: &x [1]\nb: *x\n---\n", lambda each: each.append(("a",), "2"), "alone"),
    ],
)
def test_what_cannot_be_changed_alone_is_refused(
    text: str, act: Callable[[Manuscript], Any], said: str
) -> None:
    manuscript = taken(text)
    with pytest.raises(EditError, match=said):
        act(manuscript)
    assert manuscript.data == text.encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no front matter", "F105"),
        (b"---\na: [\n---\n", "F107"),
        (b"---\n- a\n---\n", "F107"),
        (b"---\n<<<<<<< a\n=======\n>>>>>>> b\n---\n", "F106"),
        (b"---\na: \xff\n---\n", "F103"),
        (b"---\na: B: c\n---\n", "F109 .*; `anthology fix` does it"),
        (b"---\na: B: c\nb: [\n---\n", "F107"),
        (b"---\na: x\x00y\n---\n", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(EditError, match=rf"^a\.md:\d+:\d+: .*{said}|{said}"):
        Manuscript("a.md", data)


def test_an_html_comment_hides_nothing() -> None:
    text = textwrap.dedent("""\
        ---
        summary: >-
        <!-- why -->
          text
        <!-- a
        b -->
        tags: [x]
        ---
        """)
    assert taken(text).plain() == {"summary": "\ntext", "tags": ["x"]}
    gone, come = changed(lambda each: each.set(("tags",), ["z"]), text)
    assert (gone, come) == (["tags: [x]"], ["tags: [z]"])


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain words", "plain words"),
        ("slope in [2.9, 3.1]", "slope in [2.9, 3.1]"),
        ("a: b", "'a: b'"),
        ("a:", "'a:'"),
        ("a #b", "'a #b'"),
        ("a#b", "a#b"),
        ("#C5", "'#C5'"),
        ("?slug", "'?slug'"),
        ("it's: so", "'it''s: so'"),
        ("it's", "it's"),
        ("2103.10", "'2103.10'"),
        ("12e4567", "'12e4567'"),
        ("2026-12-01", "'2026-12-01'"),
        ("No", "'No'"),
        ("null", "'null'"),
        ("", "''"),
        (" a", "' a'"),
        ("a ", "'a '"),
        ("- a", "'- a'"),
        ("two\nlines", '"two\\nlines"'),
        ("a\u2028b", '"a\\u2028b"'),
        ("γβ < √d", "γβ < √d"),
    ],
)
def test_a_text_is_quoted_where_some_reader_needs_it(text: str, written: str) -> None:
    assert inline(text) == written
    assert inline(text, flow=True) in (written, f"'{written}'")


@pytest.mark.parametrize("text", ["slope in [2.9, 3.1]", "A?", "a:b", "{", "a, b"])
def test_more_is_quoted_inside_brackets(text: str) -> None:
    assert inline(text, flow=True) == f"'{text}'"
