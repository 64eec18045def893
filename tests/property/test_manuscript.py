"""Reading what was written is the identity, and what was not to be written stays as it was."""

from __future__ import annotations

import difflib
from typing import Any

import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from anthology import frontmatter, source
from anthology.manuscript import EditError, Manuscript
from anthology.notation import Inline, Value, block, inline, plainly
from anthology.source import Document

# Every character that UTF-8 can hold, and more often those that mean something to YAML.
letters = st.characters(exclude_categories=["Cs"]) | st.sampled_from(" :#'\"-?[]{},&*!|>%@`\\\n\t~")
texts = st.text(letters, max_size=20)
names = st.text("abcdefgh_", min_size=1, max_size=5)
scalars = texts | st.integers(-99, 99) | st.booleans()
values: st.SearchStrategy[Value] = st.recursive(
    scalars,
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(names | texts, below, max_size=3)
        | st.dictionaries(names, below, max_size=3).map(Inline)
    ),
    max_leaves=5,
)


def read(head: str) -> Any:
    """Read front matter as this project does; nothing in it may be lost or complained of."""
    document = Document("", "")
    fields = frontmatter.compose(head, document.report)
    assert document.findings == []
    return fields


@given(texts)
def test_a_text_is_read_back(text: str) -> None:
    assert read(f"a: {inline(text)}\n") == {"a": text}
    assert read(f"a: [b, {inline(text, flow=True)}]\n") == {"a": ["b", text]}


@given(texts)
def test_other_readers_of_yaml_read_it_back_as_a_text(text: str) -> None:
    assert yaml.safe_load(f"a: {inline(text)}\n") == {"a": text}
    assert yaml.safe_load(f"- {{b: {inline(text, flow=True)}}}\n") == [{"b": text}]


@given(st.dictionaries(names, values, max_size=4))
def test_a_mapping_is_read_back(value: dict[str, Value]) -> None:
    head = "".join(f"{line}\n" for line in block(value, 0))
    assert read(head) == plainly(value)


# ---------------------------------------------------------------- whole files

COMMENTS = st.sampled_from(["", "  # a remark"])
ABOVE = st.sampled_from(["", "# above\n", "\n"])


@st.composite
def files(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Draw a file as a person might write it, and what it says."""
    said: dict[str, Any] = {}
    head = ""
    for key in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        kind = draw(st.sampled_from(["scalar", "list", "flow", "folded", "mapping", "empty"]))
        words = draw(st.lists(texts, min_size=1, max_size=3))
        above, remark = draw(ABOVE), draw(COMMENTS)
        said[key] = words
        if kind == "scalar":
            said[key] = words[0]
            written = f"{key}: {inline(words[0])}{remark}\n"
        elif kind == "list":
            written = f"{key}:\n" + "".join(f"- {inline(each)}{remark}\n" for each in words)
        elif kind == "flow":
            written = f"{key}: {inline(words)}{remark}\n"
        elif kind == "folded":
            said[key] = "two lines\nof text"
            written = f"{key}: >-\n  two\n  lines\n\n  of text\n\n"
        elif kind == "mapping":
            said[key] = {"k": words[0], "l": ["m"]}
            written = f"{key}:\n  k: {inline(words[0])}{remark}\n  l: [m]\n"
        else:
            said[key] = ""
            written = f"{key}:\n"
        head += above + written
    body = draw(st.sampled_from(["", "# LIT-1: x", "\n# LIT-1: x\n\n| a |\n", "text\n---\n"]))
    text = f"---\n{head}---\n{body}"
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", ends), said


def again(manuscript: Manuscript) -> Any:
    """Read a file's front matter anew from its bytes."""
    document = source.parse(manuscript.data, Document("LIT-1.md", "LIT-1"))
    assert document.findings == []
    return document.fields


def outside(before: str, after: str) -> int:
    """Count the lines that went."""
    matcher = difflib.SequenceMatcher(
        a=before.splitlines(keepends=True), b=after.splitlines(keepends=True), autojunk=False
    )
    return sum(i2 - i1 for tag, i1, i2, _, _ in matcher.get_opcodes() if tag != "equal")


@given(files())
def test_taking_a_file_changes_nothing(file: tuple[str, dict[str, Any]]) -> None:
    text, said = file
    manuscript = Manuscript("LIT-1.md", text.encode())
    assert manuscript.data == text.encode()
    assert manuscript.plain() == said == again(manuscript)


@given(files(), st.data(), values)
def test_a_value_that_was_set_is_read_back_and_the_others_stay(
    file: tuple[str, dict[str, Any]], data: st.DataObject, value: Value
) -> None:
    text, said = file
    key = data.draw(st.sampled_from(sorted(said)) | names)
    manuscript = Manuscript("LIT-1.md", text.encode())
    try:
        manuscript.set((key,), value)
    except EditError:
        assert isinstance(said.get(key), list | dict)  # what stands in it may have remarks
        assert manuscript.data == text.encode()
        return
    assert manuscript.plain() == {**said, key: plainly(value)} == again(manuscript)
    most = 6 if key in said else 0
    assert outside(text, manuscript.data.decode()) <= most


@given(files(), st.data(), texts)
def test_an_item_that_was_added_can_be_dropped_again(
    file: tuple[str, dict[str, Any]], data: st.DataObject, item: str
) -> None:
    text, said = file
    key = data.draw(st.sampled_from(sorted(said)))
    assume(isinstance(said[key], list))
    manuscript = Manuscript("LIT-1.md", text.encode())
    manuscript.append((key,), item)
    assert manuscript.plain() == {**said, key: [*said[key], item]} == again(manuscript)
    manuscript.drop((key, len(said[key])))
    assert manuscript.data == text.encode()


@given(files(), st.data(), texts)
def test_setting_and_setting_back_is_no_change_in_meaning(
    file: tuple[str, dict[str, Any]], data: st.DataObject, other: str
) -> None:
    text, said = file
    key = data.draw(st.sampled_from(sorted(said)))
    assume(isinstance(said[key], str))
    manuscript = Manuscript("LIT-1.md", text.encode())
    manuscript.set((key,), other)
    manuscript.set((key,), said[key])
    assert manuscript.plain() == said == again(manuscript)
