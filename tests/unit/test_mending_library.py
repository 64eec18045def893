"""Importing: what is missing is filled, what an import wrote is renewed, hand edits are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from anthology import corpus
from anthology.notation import Inline, inline
from litgraph import rules
from litgraph.mending import changes
from litgraph.mending.bibtex import Cited
from litgraph.mending.library import Import, digest
from litgraph.mending.works import Work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from litgraph.mending.changes import Outcome

    Write = Callable[[Mapping[str, str]], Path]

OLD = """\
---
number: 1
status: Active   # read twice
title: 'A: work'
arxiv: '2103.03404'
---
# LIT-001: A: work

Prose.
"""
WORK: dict[str, Any] = {
    "title": "A: work",
    "arxiv": "2103.03404v2",
    "venue": "ICML",
    "authors": ("A", "B"),
}


def brought(root: Path, *works: dict[str, Any], **options: bool) -> Outcome:
    """Import works and write; importing them again changes nothing."""
    cited = [Cited(f"k{n}", n, Work(**each)) for n, each in enumerate(works, 1)]
    outcome = Import(corpus.load(root), "2026-12-01", **options).bring(cited)
    changes.apply(corpus.load(root).config, outcome.changes)
    after = corpus.load(root)
    assert rules.validate(after) == []
    again = Import(after, "2026-12-02", **options).bring(cited)
    assert not [each for each in again.changes if each.needed]
    return outcome


@pytest.fixture
def file(write: Write) -> Path:
    return write({"records/lit/LIT-001.md": OLD}) / "records/lit/LIT-001.md"


@pytest.fixture
def root(file: Path) -> Path:
    return file.parents[2]


def test_what_is_missing_is_filled(root: Path, file: Path) -> None:
    outcome = brought(root, WORK)
    digests = {"venue": "ICML", "first_author": "A", "authors": ["A", "B"]}
    seen = inline(Inline({key: digest(value) for key, value in digests.items()}))
    filled = f"venue: ICML\nfirst_author: A\nauthors:\n- A\n- B\nimported: {seen}\n---\n#"
    assert file.read_text() == OLD.replace("---\n#", filled)
    assert outcome.left == []


def test_what_an_import_wrote_is_renewed(root: Path, file: Path) -> None:
    brought(root, WORK)
    outcome = brought(root, WORK | {"venue": "ICML 2021", "authors": ("A", "B", "C")})
    text = file.read_text()
    assert "venue: ICML 2021\n" in text
    assert "authors:\n- A\n- B\n- C\n" in text
    assert outcome.changes[0].said == ("venue: “ICML 2021” (was “ICML”)",
                                       "authors: “A, B, C” (was “A, B”)")  # fmt: skip
    assert outcome.left == []


def test_what_a_person_wrote_or_changed_is_kept_and_said(root: Path, file: Path) -> None:
    brought(root, WORK)
    file.write_text(file.read_text().replace("venue: ICML\n", "venue: at ICML\n"))
    before = file.read_text()
    new = WORK | {"venue": "ICML 2021", "title": "Another: work"}
    outcome = brought(root, new)
    assert file.read_text() == before
    assert outcome.left == [
        "records/lit/LIT-001.md:4:8: title is kept, “A: work”; k1 says “Another: work”",
        "records/lit/LIT-001.md:6:8: venue is kept, “at ICML”; k1 says “ICML 2021”",
    ]
    assert brought(root, WORK).left == []  # the file says nothing that it did not say before
    brought(root, new, overwrite=True)
    text = file.read_text()
    assert "title: 'Another: work'\n" in text
    assert "# LIT-001: Another: work\n" in text
    assert "venue: ICML 2021\n" in text


def test_what_a_person_deleted_stays_deleted(root: Path, file: Path) -> None:
    brought(root, WORK)
    file.write_text(file.read_text().replace("venue: ICML\n", ""))
    assert brought(root, WORK).left == []
    assert "venue: ICML" not in file.read_text()
    said = brought(root, WORK | {"venue": "ICLR"}).left
    assert said == ["records/lit/LIT-001.md:1:1: venue is kept, deleted by hand; k1 says “ICLR”"]
    brought(root, WORK, overwrite=True)
    assert "venue: ICML\n" in file.read_text()


def test_without_clobbering_no_value_changes(root: Path, file: Path) -> None:
    brought(root, WORK, clobber=False)
    before = file.read_text()
    outcome = brought(root, WORK | {"venue": "ICLR", "doi": "10.1000/x"}, clobber=False)
    assert "doi: '10.1000/x'\n" in file.read_text()
    assert "venue: ICML\n" in file.read_text()
    assert len(outcome.left) == 1
    changed = set(before.splitlines()) - set(file.read_text().splitlines())
    assert [each.partition(":")[0] for each in changed] == ["imported"]


def test_the_same_said_otherwise_is_no_change(root: Path, file: Path) -> None:
    file.write_text(
        OLD.replace("number: 1\n", "number: 1\npublished: '2021-03-05'\ndoi: 10.1000/X\n")
    )
    before = file.read_text()
    said = {
        "title": "A: Work",
        "arxiv": "arXiv:2103.03404v1",
        "doi": "10.1000/x",
        "published": "2021",
    }
    assert brought(root, said).left == []
    assert file.read_text() == before


def test_a_title_that_nobody_knew_is_filled(root: Path, file: Path) -> None:
    unknown = OLD.replace("'A: work'", "A (title not recorded)")
    file.write_text(unknown.replace("A: work", "A (title not recorded)"))
    brought(root, {"title": "It", "arxiv": "2103.03404"})
    assert "title: It\n" in file.read_text()
    assert "# LIT-001: It\n" in file.read_text()


def test_a_work_that_is_not_here_is_filed(root: Path) -> None:
    outcome = brought(
        root,
        {"title": "B", "doi": "10.1000/b", "authors": ("B",)},
        {"title": "C"},
        {"title": "B, again", "doi": "https://doi.org/10.1000/B"},
        {"title": "A: WORK"},
        {"title": "A: work", "arxiv": "2001.00001"},
    )
    assert [each.path for each in outcome.changes if each.needed] == [
        f"records/lit/LIT-00{n}.md" for n in (2, 3, 4)
    ]
    assert outcome.left == ["k3 is left: k1 is the same work, LIT-002"]
    text = (root / "records/lit/LIT-002.md").read_text()
    assert text.startswith("---\nnumber: 2\nstatus: Proposed\ntitle: B\ndate: '2026-12-01'\n")
    outcome = brought(root, {"title": "B!", "doi": "10.1000/b", "authors": ("B",)})
    assert "title: B!\n" in (root / "records/lit/LIT-002.md").read_text()


def test_a_record_that_cannot_be_changed_is_said_and_the_others_are(root: Path, file: Path) -> None:
    file.write_text(OLD.replace("title: 'A: work'", "title: A: work"))
    cited = [Cited("a", 1, Work(**WORK)), Cited("b", 2, Work(title="B"))]
    outcome = Import(corpus.load(root), "2026-12-01").bring(cited)
    assert outcome.refused[0].startswith("a: records/lit/LIT-001.md:4:8: F109")
    assert [each.path for each in outcome.changes] == ["records/lit/LIT-002.md"]
