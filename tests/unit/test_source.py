"""From bytes to front matter and body: every hazard loads right, or is a finding."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from anthology import source
from anthology.frontmatter import Text
from anthology.source import Document

if TYPE_CHECKING:
    from pathlib import Path

RECORD = "---\nnumber: 5\ntitle: A\n---\n# LIT-005: A\n"


def parse(text: str | bytes) -> Document:
    data = text.encode() if isinstance(text, str) else text
    return source.parse(data, Document("LIT-005.md", "LIT-005"))


def found(document: Document) -> list[str]:
    return [f"{each.line}:{each.column} {each.code}" for each in document.findings]


def head(keys: str) -> Document:
    return parse(f"---\n{keys}\n---\n")


# ---------------------------------------------------------------- what loads right


@pytest.mark.parametrize(
    "data",
    [
        RECORD.encode(),
        b"\xef\xbb\xbf" + RECORD.encode(),
        RECORD.replace("\n", "\r\n").encode(),
        RECORD.replace("\n", "\r").encode(),
        RECORD.replace("---", "--- \t").encode(),
        RECORD.replace("number: 5", "number: 5\n# a comment").encode(),
    ],
)
def test_one_record_in_many_shapes(data: bytes) -> None:
    document = parse(data)
    assert document.fields == {"number": "5", "title": "A"}
    assert document.body.strip() == "# LIT-005: A"
    assert document.findings == []


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("arxiv: 2103.10", "2103.10"),
        ("arxiv: 0704.0001", "0704.0001"),
        ("first_author: no", "no"),
        ("first_author: No", "No"),
        ("title: 12e4567", "12e4567"),
        ("title: 1_000", "1_000"),
        ("title: 0x1F", "0x1F"),
        ("title: 12:30:45", "12:30:45"),
        ("title: ~", "~"),
        ("title: null", "null"),
        ("title:", ""),
        ("date: 2026-02-30", "2026-02-30"),
        ("title: '\"Why\" it''s so'", '"Why" it\'s so'),
        ("title: >-\n  folded\n  text", "folded text"),
        ("title: |\n  kept\n  lines", "kept\nlines\n"),
        ("title: a -- b — c", "a -- b — c"),
        ("title: C#", "C#"),
        ("title: =", "="),
        ("title: <<", "<<"),
    ],
)
def test_scalars_stay_text(line: str, value: str) -> None:
    document = head(line)
    assert document.findings == []
    assert document.fields is not None
    assert list(document.fields.values()) == [value]


def test_texts_know_their_place_and_whether_they_were_quoted() -> None:
    fields = head("title: A\ntags: [a, 'b']\nclaims:\n  C1: {form: universal}").fields
    assert fields is not None
    key = next(iter(fields))
    assert (key.line, key.column) == (2, 1)  # type: ignore[attr-defined] # keys are Text
    tags = fields["tags"]
    assert isinstance(tags, list)
    assert [(each.line, each.column, each.plain) for each in tags] == [
        (3, 8, True), (3, 11, False),
    ]  # fmt: skip
    assert Text("x", 3, 4, plain=True).plain


def test_places_count_characters_not_bytes() -> None:
    assert found(head("title: 'Über 𝒳', venue: x")) == ["2:16 F107"]


def test_comments_are_comments_wherever_they_stand() -> None:
    document = head("# one\ntags: # two\n# three\n- a # four\n  # five\n- b\n#six\n")
    assert document.fields == {"tags": ["a", "b"]}
    assert document.findings == []


def test_a_text_after_a_comment_in_html_is_kept() -> None:
    document = head("summary: >-\n  kept\n<!-- ok: LIT-9\n  why -->\ntags: [a]")
    assert document.fields == {"summary": "kept", "tags": ["a"]}
    assert found(document) == ["4:1 F108"]


def test_a_colon_is_mended_in_every_line_that_has_one() -> None:
    document = head("title: A: B\nvenue: it's C: D # x\nkeywords:\n- a: b: c")
    assert document.fields is not None
    assert (document.fields["title"], document.fields["venue"]) == ("A: B", "it's C: D # x")
    assert found(document) == ["2:8 F109", "3:8 F109", "5:6 F109"]


def test_too_many_colons_are_given_up() -> None:
    document = head("\n".join(f"k{i}: a: b" for i in range(40)))
    assert document.fields is None
    assert found(document)[-1] == "2:1 F107"


def test_two_values_of_one_key() -> None:
    document = head("tags: [a]\nclaims: {C1: {form: universal}}\ntitle: A\ntags: [b]\n"
                    "claims: {C2: {}}\ntitle: B")  # fmt: skip
    assert document.fields == {
        "tags": ["a", "b"], "claims": {"C1": {"form": "universal"}, "C2": {}}, "title": "B",
    }  # fmt: skip
    assert found(document) == ["5:1 F110", "6:1 F110", "7:1 F110"]
    assert "first on line 2" in document.findings[0].message


# ---------------------------------------------------------------- what is lost or wrong


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("rejects: #C5", ["2:10 F119"]),
        ("rejects:\n- #C5\n- LIT-1", ["3:3 F119"]),
        ("title: The #1 thing", ["2:12 F119"]),
        ("title: The # 1 thing", []),
        ("title: 'The #1 thing'", []),
        ("summary: >-\n  the #1 thing\n  #2", []),
        ("#!directive\ntags: [a] #!x", []),
        ("title: !Kung", ["2:8 F120"]),
        ("title: !!python/object:os.system x", ["2:8 F120"]),
        ("title: Wow! It works", []),
        ("title: &c x", ["2:8 F120"]),
        ("tags: &c [x]\nkeywords: *c", []),
        ("title: R&D and A & B", []),
        ("a: &a [*a]", ["2:4 F111"]),
        ("? [a, b]\n: c", ["2:3 F107"]),
        ("a: *nope", ["2:4 F107"]),
        ('a: "\\UFFFFFFFF"', ["2:7 F107"]),
        ("- a", ["2:1 F107"]),
        ("word", ["2:1 F107"]),
        ("'word", ["2:1 F107"]),
        ("title: 'A", ["2:8 F107"]),
        ("tags: [a, b\nx: y", ["2:7 F107"]),
        ("tags:\n\t- a", ["3:1 F107"]),
        ("a: b\n\tc: d", ["3:1 F107"]),
        ('title: "A" and B', ["2:12 F107"]),
        ("tags: [a] <!-- x -->", ["2:11 F107"]),
        ("%YAML 9.9", ["2:1 F107"]),
        ("a: " + "[" * 101 + "]" * 101, ["2:1 F107"]),
        ("- " * 300 + "x", ["2:1 F107"]),
        ("a:\n" + "".join(f"{' ' * i}-\n" for i in range(1, 150)), ["103:102 F111"]),
    ],
)
def test_what_yaml_would_lose_or_refuse(keys: str, expected: list[str]) -> None:
    assert found(head(keys)) == expected


@pytest.mark.parametrize(
    ("keys", "hint"),
    [
        ("title: *A* of B", "a value that starts with * must be quoted"),
        ("- `code`", "a value that starts with ` must be quoted"),
        ('title: "A" and B', "quote the whole value"),
        ("tags: [a [b], c]", "inside [ ] quote"),
        ("tags: [a] <!-- x -->", "a comment starts with `#`"),
        ("a: b\nc", "write `key: value`"),
        ("a:\n  b: c\n d: e", "look at the indentation"),
    ],
)
def test_a_fault_in_the_yaml_comes_with_advice(keys: str, hint: str) -> None:
    (finding,) = (each for each in head(keys).findings if each.code == "F107")
    assert hint in finding.message


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ["1:1 F105"]),
        (b"---", ["1:1 F105"]),
        (b"# LIT-005\n", ["1:1 F105"]),
        (b"\n" + RECORD.encode(), ["1:1 F105"]),
        (b"---\ntitle: A\n# LIT-005: A\n", ["1:1 F105"]),
        (b"---\ntitle: A\n", ["1:1 F105"]),
        (b"---\ntitle: A\n...\n# LIT-005: A\n", ["1:1 F105"]),
        (RECORD.encode("utf-16"), ["1:1 F103"]),
        (RECORD.encode("utf-16-be"), ["1:1 F103"]),
        (RECORD.encode("utf-16-le"), ["1:1 F103"]),
        (RECORD.encode("utf-32"), ["1:1 F103"]),
        (RECORD.replace("A", "é").encode("latin-1"), ["3:8 F103"]),
        (b"\xef\xbb\xbf---\ntitle: \xff\n---\n", ["2:8 F103"]),
        (RECORD.replace("A", "\0").encode(), ["3:8 F104"]),
        (RECORD.replace("A", "a\x1bb").encode(), ["3:9 F104"]),
        (RECORD.replace("A", "a\x80b").encode(), ["3:9 F104"]),
        (RECORD.replace("A", "a\x85b").encode(), ["3:9 F104"]),
        (RECORD.replace("A", "a\u2029b").encode(), ["3:9 F104"]),
        (RECORD.replace("A", "a\uffffb").encode(), ["3:9 F104"]),
        (RECORD.encode() + "fine in the body: \u2028, \u00a0\n".encode(), []),
        (b"---\n<<<<<<< a\nx: 1\n=======\nx: 2\n>>>>>>> b\n---\n", ["2:1 F106"]),
        (RECORD.encode() + b"<<<<<<< a\n||||||| c\n=======\n>>>>>>> b\n", ["6:1 F106"]),
        (RECORD.encode() + b"x\n=======\ny\n>>>>>>> b\n", ["9:1 F106"]),
        (RECORD.encode() + b"a <<<<<<< b, <<<<<<<<< c\n", []),
    ],
)
def test_faults_of_the_file_as_a_file(data: bytes, expected: list[str]) -> None:
    assert found(parse(data)) == expected


def test_a_shell_keeps_its_body() -> None:
    document = parse("---\ntitle: [A\n---\n# LIT-005: A\n")
    assert document.fields is None
    assert (document.body, document.body_line) == ("# LIT-005: A\n", 4)


# ---------------------------------------------------------------- files


def read(path: Path) -> Document:
    return source.read(path, path.name)


def test_what_is_no_file_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "LIT-001.md").mkdir()
    (tmp_path / "LIT-002.md").symlink_to("LIT-002.md")
    (tmp_path / "LIT-003.md").symlink_to("nowhere.md")
    os.mkfifo(tmp_path / "LIT-004.md")
    for path in sorted(tmp_path.iterdir()):
        document = read(path)
        assert found(document) == ["1:1 F101"]
        assert document.fields is None
        assert document.findings[0].message.startswith("cannot be read: ")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "LIT-001.md"
    path.write_text(RECORD)
    path.chmod(0)
    assert found(read(path)) == ["1:1 F101"]


@pytest.mark.parametrize(
    "start", [RECORD, "no front matter\n", "---\n", "---\ntitle: A: B\n" + "k: [a: b: c\n" * 99]
)
@pytest.mark.parametrize("filling", ["word word: | word\n", "- [x]: `y` #z\n", "x", "\0", "# "])
def test_a_very_large_file_costs_little(tmp_path: Path, start: str, filling: str) -> None:
    path = tmp_path / "LIT-001.md"
    path.write_text(start + filling * (19_000_000 // len(filling)))
    before = time.process_time()
    document = read(path)
    assert time.process_time() - before < 2
    assert found(document)[0] == "1:1 F102"
    assert "18.1 MiB" in document.findings[0].message
    if start == RECORD:
        assert document.fields == {"number": "5", "title": "A"}


def test_a_finding_looks_its_place_up_again(tmp_path: Path) -> None:
    path = tmp_path / "NOTE-001.md"
    path.write_text(
        "---\ntitle: A\nclaims:\n- id: C1\n  does-not_show: x\nrelations:\n"
        "  controls: {a b: {to: LIT-1}}\nsource: LIT-7\n---\n\n# NOTE-001: A\n"
    )

    def at(*keys: str | int, name: bool = False) -> tuple[int, int]:
        return source.locate(path, keys, name=name)

    assert at("title") == (2, 8)
    assert at("title", name=True) == (2, 1)
    assert at("claims", "C1") == (4, 3)
    assert at("claims", "C1", "does_not_show") == (5, 18)
    assert at("claims", "C2", "text") == (4, 1)
    assert at("relations", "control", "a b", "to") == (7, 24)
    assert at("source", 0) == (8, 9)
    assert at("nothing") == (1, 1)
    assert source.locate_heading(path) == (11, 3)
    assert source.line(path, 8) == "source: LIT-7"
    assert source.line(path, 99) == ""
    path.write_text("---\nx: y\ntitle: A\n---\n")
    assert at("title") == (3, 8)
    assert source.locate_heading(path) == (1, 1)
    path.unlink()
    assert at("title") == (1, 1)
    assert source.line(path.with_name("none.md"), 1) == ""
