"""Another id: every place that names it follows, and nothing else changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from anthology import corpus, keys, runs, verify
from anthology.errors import UnknownNameError
from anthology.manuscript import EditError
from litgraph import rules
from litgraph.mending import changes, renames, traces
from litgraph.mending.references import Names
from litgraph.mending.renames import RenameError
from tests import toys

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from litgraph.mending.changes import Outcome

    Write = Callable[[Mapping[str, str]], Path]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("LIT-53", "LIT-7"),
        ("LIT-053", "LIT-7"),
        ("LIT-530 LIT-53x XLIT-53 LIT-5", "LIT-530 LIT-53x XLIT-53 LIT-5"),
        ("ANTH-LIT-53, LIT-53-2, LIT_LIT-53", "ANTH-LIT-53, LIT-53-2, LIT_LIT-53"),
        ("[LIT-53](../lit/LIT-53.md#top)", "[LIT-7](../lit/LIT-7.md#top)"),
        ("`LIT-53`, **LIT-53**'s LIT-53-based", "`LIT-7`, **LIT-7**'s LIT-7-based"),
        ("LIT-53#C1 and LIT-53.md#C1.", "LIT-7#C1 and LIT-7.md#C1."),
        ("https://a.org/LIT-53.md (LIT-53)", "https://a.org/LIT-53.md (LIT-7)"),
        ("[LIT-53](https://a.org/LIT-53)", "[LIT-7](https://a.org/LIT-53)"),
        ("NOTE-1#C4, NOTE-001#C4. NOTE-1#C40", "NOTE-1#C5, NOTE-001#C5. NOTE-1#C40"),
        ("[x](NOTE-001.md#C4), NOTE-1", "[x](NOTE-001.md#C5), NOTE-1"),
        ("LIT-tmpab1cd LIT-tmpab1cde", "LIT-8 LIT-tmpab1cde"),
    ],
)
def test_a_code_is_found_wherever_it_stands_whole(before: str, after: str) -> None:
    names = Names({"LIT-053": "LIT-7", "NOTE-001#C4": "NOTE-001#C5", "LIT-tmpab1cd": "LIT-8"})
    assert names.replace(before)[0] == after
    assert (names.replace(before)[1] > 0) == (before != after)


def test_former_names_and_the_names_that_runs_rest_on_are_kept() -> None:
    text = """---
formerly:
- LIT-1
- LIT-1
title: LIT-1
x:
  - was: LIT-1
    to: LIT-1
  - {to: LIT-1, was: LIT-1, because: LIT-1}
test:
  params: {of: LIT-1}
  control:
    as LIT-1: {a: LIT-1}

    more: {}
  shows: LIT-1
---
was: LIT-1
"""
    new, count = Names({"LIT-1": "LIT-2"}).record(text)
    assert [n for n, line in enumerate(new.split("\n")) if "LIT-2" in line] == [4, 7, 8, 15, 17]
    assert new.replace("LIT-2", "LIT-1") == text
    assert count == 6
    assert "{to: LIT-2, was: LIT-1, because: LIT-2}" in new


def test_comments_and_docstrings_follow_and_code_does_not() -> None:
    code = '''"""About LIT-1."""

import os  # LIT-1

NAMES = [
    "LIT-1",  # not LIT-1
]


def f(x="LIT-1"):
    """LIT-1 says
    so (LIT-1)."""
    return {"LIT-1": f"LIT-1 {x}"}
'''
    new, count = traces.words(code, Names({"LIT-1": "LIT-22"}))
    assert count == 5
    assert [line for line in new.split("\n") if "LIT-1" in line] == [
        '    "LIT-1",  # not LIT-22',
        'def f(x="LIT-1"):',
        '    return {"LIT-1": f"LIT-1 {x}"}',
    ]
    assert traces.words('x = (\n"""LIT-1', Names({"LIT-1": "LIT-2"})) == ('x = (\n"""LIT-1', 0)


def done(root: Path, outcome: Outcome) -> corpus.Corpus:
    """Write what is to change; return the records as they are then."""
    changes.apply(corpus.load(root).config, outcome.changes)
    return corpus.load(root)


RECORDS = {
    "records/lit/LIT-001.md": """
        ---
        number: 1
        title: A
        extends: [LIT-002]   # LIT-2 came first
        ---
        # LIT-001: A

        As [LIT-2](LIT-002.md) says, `LIT-002`; LIT-0020 does not.  \t
        """,
    "records/lit/LIT-002.md": """
        ---
        number: 2
        title: B
        formerly: [LIT-tmpabcde]
        ---
        # LIT-002: B
        """,
    "records/note/NOTE-001.md": """
        ---
        number: 1
        title: N
        paper: LIT-2
        claims:
          C1: {relations: {supports: [C2]}}
        relations:
          rejects:
          - {to: '#C1', from: C2, evidence: 'NOTE-001#C1'}
        ---
        # NOTE-001: N

        | id | claim |
        |---|---|
        | **C1** | one, of LIT-002 |
        | C2 | two |

        The C1 set, and `C1`, but not C10.
        """,
    "records/note/NOTE-002.md": """
        ---
        number: 2
        title: M
        paper: LIT-1
        relations:
          supports: NOTE-1#C1
        ---
        # NOTE-002: M

        See [C1](NOTE-001.md#C1).
        """,
    "records/journal/2026.md": "A day with `LIT-002`.\n",
}


def test_a_record_gets_another_id_everywhere(write: Write) -> None:
    root = write(RECORDS)
    before = corpus.load(root)
    outcome = renames.records(before, {"LIT-002": "LIT-030"})
    after = done(root, outcome)
    assert not (root / "records/lit/LIT-002.md").exists()
    assert (root / "records/lit/LIT-030.md").read_text() == (
        "---\nnumber: 30\ntitle: B\nformerly: [LIT-tmpabcde, LIT-002]\n---\n# LIT-030: B\n"
    )
    text = (root / "records/lit/LIT-001.md").read_text()
    assert "extends: [LIT-030]   # LIT-030 came first\n" in text
    assert "As [LIT-030](LIT-030.md) says, `LIT-030`; LIT-0020 does not.  \t\n" in text
    assert (root / "records/journal/2026.md").read_text() == "A day with `LIT-030`.\n"
    assert after.find("LIT-2") == after.find("LIT-tmpabcde") == "LIT-030"
    assert len(after.edges) == len(before.edges)
    assert rules.validate(after) == rules.validate(before) == []


def test_the_rest_of_a_file_stays_byte_for_byte(write: Write) -> None:
    root = write(RECORDS)
    files = [root / each for each in RECORDS]
    for file in files:
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    before = {each.name: each.read_bytes() for each in files}
    done(root, renames.records(corpus.load(root), {"LIT-001": "LIT-003"}))
    for name, data in before.items():
        if name == "LIT-001.md":
            data = data.replace(b"number: 1\r\n", b"number: 3\r\nformerly:\r\n- LIT-001\r\n")
            data = data.replace(b"# LIT-001", b"# LIT-003")
            name = "LIT-003.md"
        assert next(root.rglob(name)).read_bytes() == data.replace(b"LIT-1\r\n", b"LIT-003\r\n")


def test_a_temporary_code_gets_a_number(write: Write) -> None:
    root = write(
        {
            **RECORDS,
            "records/lit/LIT-tmpzzzz1.md": "---\ntitle: Z\ndate: '2026-01-01'\n---\n"
            "# LIT-tmpzzzz1: Z\n\nSee LIT-tmpaaaa1.\n",
            "records/lit/LIT-tmpaaaa1.md": "---\ntitle: Y\ndate: '2026-01-02'\n---\n",
            "records/note/NOTE-tmpaaaa1.md": "---\ntitle: X\npaper: LIT-tmpzzzz1\n---\n",
        }
    )
    found = corpus.load(root)
    names = renames.numbered(found, [])
    assert names == {
        "LIT-tmpzzzz1": "LIT-003",
        "LIT-tmpaaaa1": "LIT-004",
        "NOTE-tmpaaaa1": "NOTE-003",
    }
    assert renames.numbered(found, ["NOTE"]) == {"NOTE-tmpaaaa1": "NOTE-003"}
    after = done(root, renames.records(found, names))
    assert (root / "records/lit/LIT-003.md").read_text() == (
        "---\nnumber: 3\nformerly:\n- LIT-tmpzzzz1\ntitle: Z\ndate: '2026-01-01'\n---\n"
        "# LIT-003: Z\n\nSee LIT-004.\n"
    )
    assert after.find("LIT-tmpaaaa1") == "LIT-004"
    assert renames.numbered(after, []) == {}


def test_a_number_that_a_record_once_had_is_not_given_again(write: Write) -> None:
    root = write(
        {
            "records/LIT-001.md": "---\nformerly: [LIT-007]\n---\n",
            "records/LIT-tmpaaaa1.md": "---\ntitle: A\n---\n",
        }
    )
    assert renames.numbered(corpus.load(root), []) == {"LIT-tmpaaaa1": "LIT-008"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("LIT-001", "LIT-2", r"LIT-2 is the id of records/lit/LIT-002\.md"),
        ("LIT-001", "LIT-tmpabcde", r"LIT-tmpabcde was the id of records/lit/LIT-002\.md"),
        ("LIT-001", "NOTE-9", "no id of a LIT: write LIT- and a number"),
        ("LIT-001", "nine", "no id of a LIT"),
    ],
)
def test_an_id_that_is_taken_is_refused(write: Write, old: str, new: str, said: str) -> None:
    with pytest.raises(RenameError, match=said):
        renames.records(corpus.load(write(RECORDS)), {old: new})


def test_a_file_in_the_way_is_not_overwritten(write: Write) -> None:
    root = write({**RECORDS, "records/runs/NOTE-009.C1.json": "{}"})
    (root / "records/runs/NOTE-001.C1.json").write_text("{}")
    outcome = renames.records(corpus.load(root), {"NOTE-001": "NOTE-009"})
    with pytest.raises(changes.WriteError, match=r"NOTE-009\.C1\.json is there already; nothing"):
        done(root, outcome)
    assert (root / "records/note/NOTE-001.md").exists()


def test_of_two_files_with_one_id_a_file_is_named(write: Write) -> None:
    root = write({**RECORDS, "records/lit/LIT-0002.md": "---\nnumber: 2\n---\n# LIT-0002: twin\n"})
    found = corpus.load(root)
    with pytest.raises(RenameError, match=r"have one id; name the file"):
        renames.records(found, {"LIT-0002": "LIT-003"})
    with pytest.raises(UnknownNameError, match=r"did you mean records/lit/LIT-0002\.md"):
        renames.file(found, "records/lit/LIT-00022.md", "LIT-003")
    after = done(root, renames.file(found, "records/lit/LIT-0002.md", "LIT-003"))
    assert (root / "records/lit/LIT-003.md").read_text() == "---\nnumber: 3\n---\n# LIT-003: twin\n"
    assert after.duplicates == ()
    assert after.find("LIT-2") == "LIT-002"


def test_a_file_that_cannot_be_read_is_left(write: Write) -> None:
    root = write(
        {
            **RECORDS,
            "records/LIT-008.md": "---\na: [\n---\nLIT-2\n",
            "records/LIT-009.md": "---\na: [\n---\nLIT-1\n",
        }
    )
    (root / "records/LIT-007.md").write_bytes(b"---\n---\nLIT-2 \xff\n")
    outcome = renames.records(corpus.load(root), {"LIT-002": "LIT-030"})
    assert [each.partition(": ")[0] for each in outcome.refused] == [
        "records/LIT-007.md:1:1",
        "records/LIT-008.md:3:1",
    ]
    with pytest.raises(EditError, match=r"records/LIT-009\.md:3:1: F107"):
        renames.records(corpus.load(root), {"LIT-009": "LIT-030"})


# ---------------------------------------------------------------- claims and senses


def test_a_claim_gets_another_name(write: Write) -> None:
    root = write(RECORDS)
    before = corpus.load(root)
    outcome = renames.part(before, "NOTE-001#C1", "NOTE-1#C1a")
    after = done(root, outcome)
    text = (root / "records/note/NOTE-001.md").read_text()
    assert "  C1a: {relations: {supports: [C2]}}\n" in text
    assert "  - {to: '#C1a', from: C2, evidence: 'NOTE-001#C1a'}\n" in text
    assert "| **C1a** | one, of LIT-002 |\n" in text
    assert text.endswith("\nThe C1 set, and `C1`, but not C10.\n")
    assert [each.partition(": ")[0] for each in outcome.left] == [
        "records/note/NOTE-001.md:18:5",
        "records/note/NOTE-001.md:18:18",
    ]
    other = (root / "records/note/NOTE-002.md").read_text()
    assert "supports: NOTE-1#C1a\n" in other
    assert "See [C1](NOTE-001.md#C1a).\n" in other
    assert set(after.claims) == {"NOTE-001#C1a", "NOTE-001#C2"}
    assert rules.validate(after) == rules.validate(before) == []


def test_a_claim_of_a_list_gets_another_name(write: Write) -> None:
    note = "---\nclaims:\n- id: C1\n  text: x\n- {id: C2, text: y}\n---\n"
    root = write({"records/NOTE-001.md": note})
    after = done(root, renames.part(corpus.load(root), "NOTE-001#C2", "NOTE-001#D"))
    assert (root / "records/NOTE-001.md").read_text() == note.replace("id: C2", "id: D")
    assert set(after.claims) == {"NOTE-001#C1", "NOTE-001#D"}


def test_a_number_may_become_a_temporary_code_again(write: Write) -> None:
    root = write(RECORDS)
    done(root, renames.records(corpus.load(root), {"LIT-002": "LIT-tmpzzzz9"}))
    text = (root / "records/lit/LIT-tmpzzzz9.md").read_text()
    assert text.startswith("---\nnumber: tmpzzzz9\n")


def test_a_sense_gets_another_name(write: Write) -> None:
    root = write(
        {
            "records/TERM-001.md": """
                ---
                senses:
                  a: {refers_to: x, relations: {homonym: [b]}}
                  b: {refers_to: y}
                ---
                A word about b.
                """,
            "records/LIT-001.md": "---\nuses: TERM-1#b\n---\n",
        }
    )
    outcome = renames.part(corpus.load(root), "TERM-001#b", "TERM-001#second")
    after = done(root, outcome)
    assert outcome.left == []
    assert {(each.subject, each.object) for each in after.edges} == {
        ("TERM-001#a", "TERM-001#second"),
        ("LIT-001", "TERM-001#second"),
    }


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("NOTE-001#C2", "NOTE-001#C2 is there already: two"),
        ("NOTE-002#C9", "stays a part of NOTE-001: write NOTE-001#NEW"),
        ("NOTE-001#a b", "stays a part of"),
        ("NOTE-001", "stays a part of"),
    ],
)
def test_a_part_that_is_taken_is_refused(write: Write, new: str, said: str) -> None:
    with pytest.raises(RenameError, match=said):
        renames.part(corpus.load(write(RECORDS)), "NOTE-001#C1", new)


# ---------------------------------------------------------------- runs

PASS = """
    form: universal
    test:
      run: toy.number
      seeds: 2
      expect: x in [0.5, 1.5]
      refute: x < 0
      control:
        other value of NOTE-001: {value: 7}
    """


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = toys.project(tmp_path, C1=PASS)
    verify.claim(corpus.load(root), "NOTE-001#C1")
    return root


def fresh(found: corpus.Corpus, claim: str) -> bool:
    verdict = verify.verdicts(found)[claim]
    assert verdict.word == "corroborated"
    return not verdict.stale and not verdict.notes


def test_runs_of_a_renamed_record_stay_fresh(project: Path) -> None:
    old = runs.path(corpus.load(project).config, "NOTE-001#C1")
    before = old.read_text()
    after = done(project, renames.records(corpus.load(project), {"NOTE-001": "NOTE-274"}))
    file = runs.path(after.config, "NOTE-274#C1")
    assert file.read_text() == before.replace('"NOTE-001#C1"', '"NOTE-274#C1"')
    assert json.loads(file.read_text())["claim"] == "NOTE-274#C1"
    assert not old.exists()
    assert fresh(after, "NOTE-274#C1")
    assert rules.validate(after) == []


def test_runs_of_a_renamed_claim_stay_fresh(project: Path) -> None:
    after = done(project, renames.part(corpus.load(project), "NOTE-001#C1", "NOTE-001#C9"))
    assert fresh(after, "NOTE-001#C9")
    assert list(runs.files(after)) == ["NOTE-001#C9"]


def test_runs_of_a_claim_that_names_a_renamed_record_stay_fresh(project: Path) -> None:
    found = corpus.load(project)
    words = found.claims["NOTE-001#C1"].text
    note = project / found.records["NOTE-001"].path
    note.write_text(note.read_text().replace(words, f"{words}, as LIT-001 says"))
    file = runs.path(found.config, "NOTE-001#C1")
    said = corpus.load(project).claims["NOTE-001#C1"].text
    file.write_text(file.read_text().replace(keys.text(words), keys.text(said)))
    assert fresh(corpus.load(project), "NOTE-001#C1")
    after = done(project, renames.records(corpus.load(project), {"LIT-001": "LIT-099"}))
    assert "as LIT-099 says" in after.claims["NOTE-001#C1"].text
    assert fresh(after, "NOTE-001#C1")


def test_another_tool_may_give_the_number(project: Path) -> None:
    """A merge job renames the file and keeps the old code; the run file stays where it is."""
    found = corpus.load(project)
    note = project / found.records["NOTE-001"].path
    text = note.read_text().replace("---\n", "---\nformerly: [NOTE-001]\n", 1)
    note.with_name("NOTE-555.md").write_text(text.replace("# NOTE-001", "# NOTE-555"))
    note.unlink()
    after = corpus.load(project)
    assert fresh(after, "NOTE-555#C1")


def test_what_an_experiment_says_in_words_follows(project: Path) -> None:
    file = project / "experiments/toy/number.py"
    file.write_text(file.read_text() + "\n# Measured for NOTE-001, C1.\n")
    before = corpus.load(project)
    verify.claim(before, "NOTE-001#C1")
    after = done(project, renames.records(before, {"NOTE-001": "NOTE-274"}))
    assert file.read_text().endswith("# Measured for NOTE-274, C1.\n")
    assert fresh(after, "NOTE-274#C1")
