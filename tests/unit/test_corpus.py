"""Records joined: ids looked up, converses folded, each edge kept once."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from anthology import config, corpus, files
from anthology.errors import NothingFoundError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.conftest import Make

    Write = Callable[[Mapping[str, str]], Path]


def triples(made: corpus.Corpus) -> list[tuple[str, str, str]]:
    return [(each.subject, each.relation, each.object) for each in made.edges]


# ---------------------------------------------------------------- files


def test_which_files_are_records(write: Write) -> None:
    root = write(dict.fromkeys(
        (
            "records/LIT-001.md", "records/a/b/NOTE-tmpabcde.md", "records/_template.md",
            "records/README.md", "records/.hidden/LIT-002.md", "records/_old/LIT-003.md",
            "records/tests/LIT-004.md", "record/LIT-005.md", "other/LIT-006.md",
            "records/lit-007.md", "records/LIT-008.txt", "records/LIT-0010.md",
        ),
        "---\ntitle: A\n---\n",
    ))  # fmt: skip
    assert [each.path for each in files.scan(config.load(root))] == [
        "record/LIT-005.md", "records/LIT-001.md", "records/LIT-0010.md",
        "records/a/b/NOTE-tmpabcde.md",
    ]  # fmt: skip


def test_links_are_followed_and_never_for_ever(write: Write) -> None:
    root = write({"records/a/LIT-001.md": "---\n---\n", "elsewhere/LIT-002.md": "---\n---\n"})
    (root / "records" / "a" / "up").symlink_to("..")
    (root / "records" / "self").symlink_to("self")
    (root / "records" / "gone").symlink_to("nowhere")
    (root / "records" / "out").symlink_to("../elsewhere")
    made = corpus.load(root)
    assert list(made.records) == ["LIT-001", "LIT-002"]
    assert made.records["LIT-002"].path == "records/out/LIT-002.md"


def test_a_folder_of_records_alone_is_a_project(write: Write) -> None:
    root = write({"notes/LIT-001.md": "---\n---\n"})
    assert list(corpus.load(root / "notes").records) == ["LIT-001"]
    with pytest.raises(NothingFoundError, match="no folder at"):
        corpus.load(root / "nowhere")


# ---------------------------------------------------------------- ids


def test_ids_are_found_in_any_spelling(make: Make) -> None:
    made = make(
        LIT_014="formerly: [LIT-tmpabcde, LIT-7]",
        NOTE_002="paper: LIT-14\nclaims: {C1: {text: a}}",
        TERM_001="senses: {tokens: {refers_to: x}}", CLAIM_001="text: b",
        THEORY_001="relations: {rejects: ['?nobody']}",
    )  # fmt: skip
    for name, found in {
        "LIT-014": "LIT-014", "LIT-14": "LIT-014", "LIT-0014": "LIT-014", "lit-14": "LIT-014",
        "LIT-tmpabcde": "LIT-014", "LIT-007": "LIT-014", " NOTE-2#C1 ": "NOTE-002#C1",
        "TERM-1#tokens": "TERM-001#tokens", "CLAIM-1": "CLAIM-001", "?nobody": "?nobody",
    }.items():  # fmt: skip
        assert made.resolve(name) == found
    for name in ("LIT-15", "NOTE-2#C2", "?somebody", "", "LIT"):
        assert made.find(name) is None
    with pytest.raises(UnknownNameError, match="no record, claim or sense named 'NOTE-2#C2'"):
        made.resolve("NOTE-2#C2")


def test_kinds_and_labels(make: Make) -> None:
    made = make(
        LIT_001="title: A", NOTE_001="paper: LIT-1\nclaims: {C1: {text: It is so}}\n---\n# N",
        TERM_001="senses: {tokens: {refers_to: a thing}, weights: {locus: x}}", CLAIM_001="text: b",
        ADR_001="title: D",
    )  # fmt: skip
    kinds = {
        "LIT-001": "LIT", "NOTE-001#C1": "claim", "TERM-001#tokens": "sense", "ADR-001": "ADR",
        "CLAIM-001": "claim", "?x": "placeholder", "LIT-999": "unknown", "NOTE-001#C2": "unknown",
        "SOTA-1": "foreign", "ANTH-LIT-1": "foreign", "DOI:10.1/x": "foreign",
    }  # fmt: skip
    assert {name: made.kind(name) for name in kinds} == kinds
    labels = {
        "LIT-001": "A", "NOTE-001": "N", "NOTE-001#C1": "It is so", "TERM-001#tokens": "a thing",
        "TERM-001#weights": "weights", "CLAIM-001": "b", "LIT-999": "",
    }  # fmt: skip
    assert {name: made.label(name) for name in labels} == labels
    assert made.parts("TERM-001") == ["TERM-001#tokens", "TERM-001#weights"]
    assert made.place("NOTE-001#C1") == ("records/NOTE-001.md", 3, 10)
    assert made.place("LIT-001") == ("records/LIT-001.md", 1, 1)


def test_two_files_of_one_id(make: Make) -> None:
    made = make(LIT_005="title: A\nextends: LIT-1", LIT_0005="title: B\nextends: LIT-2", LIT_001="",
                LIT_002="")  # fmt: skip
    assert [each.id for each in made.duplicates] == ["LIT-005"]
    assert made.records["LIT-0005"].title == "B"
    assert made.resolve("LIT-5") == "LIT-0005"
    assert triples(made) == [
        ("LIT-0005", "extends", "LIT-002"), ("LIT-0005", "extends", "LIT-001"),
    ]  # fmt: skip


# ---------------------------------------------------------------- edges


def test_edges_point_at_todays_ids_and_in_the_tables_direction(make: Make) -> None:
    made = make(
        LIT_001="formerly: LIT-tmpabcde\nsuperseded_by: [LIT-2]",
        LIT_002="refined-by: LIT-3",
        LIT_003="relations: {corrects: [LIT-tmpabcde, LIT-99, ANTH-LIT-1]}",
    )
    assert triples(made) == [
        ("LIT-002", "supersedes", "LIT-001"),
        ("LIT-003", "refines", "LIT-002"),
        ("LIT-003", "corrects", "LIT-001"),
        ("LIT-003", "corrects", "LIT-99"),
        ("LIT-003", "corrects", "ANTH-LIT-1"),
    ]


def test_parts_are_named_from_within_and_from_without(make: Make) -> None:
    made = make(
        LIT_001="",
        NOTE_001="""
            paper: LIT-1
            relations:
              refines: [{to: NOTE-2#C1, from: C1}, {to: '#C1', from: '#C2'}]
              supports: [C2]
            claims: {C1: {text: a, relations: {contradicts: [C2]}}, C2: {text: b}}
            """,
        NOTE_002="paper: LIT-1\nclaims: {C1: {text: c}}",
    )
    assert triples(made) == [
        ("NOTE-001#C1", "refines", "NOTE-002#C1"),
        ("NOTE-001#C2", "refines", "NOTE-001#C1"),
        ("NOTE-001", "supports", "NOTE-001#C2"),
        ("NOTE-001", "reads", "LIT-001"),
        ("NOTE-001#C1", "contradicts", "NOTE-001#C2"),
        ("NOTE-002", "reads", "LIT-001"),
    ]


def test_a_converse_and_a_symmetric_twin_are_folded_in(make: Make) -> None:
    made = make(
        THEORY_001="""
            extended_by: [THEORY-2]
            relations:
              alternative-account: [{to: THEORY-2, because: both may hold}]
            """,
        THEORY_002="""
            extends: [THEORY-1]
            relations:
              alternative-account: [{to: THEORY-1, component: TERM-1, because: not this}]
            """,
        TERM_001="",
    )
    alternative, extends = made.edges
    assert (extends.subject, extends.object) == ("THEORY-002", "THEORY-001")
    assert extends.also == (("records/THEORY-002.md", 2, 11),)
    assert (alternative.subject, alternative.object) == ("THEORY-001", "THEORY-002")
    assert (alternative.because, alternative.component) == ("both may hold", "TERM-1")
    assert alternative.also == (("records/THEORY-002.md", 4, 30),)
    assert made.out("THEORY-002") == [extends]
    assert made.into("THEORY-002") == [alternative]


def test_a_proposal_that_somebody_else_states_is_active(make: Make) -> None:
    made = make(LIT_001="relations: {extends: [{to: LIT-2, status: proposed}]}",
                LIT_002="extended_by: LIT-1")  # fmt: skip
    assert [each.status for each in made.edges] == ["active"]


def test_what_nobody_filed_is_absent_until_it_is(make: Make) -> None:
    made = make(THEORY_001="relations: {rejects: ['?nobody', {to: '?x', status: proposed}]}")
    assert [each.status for each in made.edges] == ["target-absent", "proposed"]
    assert made.edges[0].asserted
    assert not made.edges[1].asserted
    assert made.placeholders == ("?nobody", "?x")


def test_a_word_in_capitals_is_a_sense_where_there_is_one(make: Make) -> None:
    made = make(
        TERM_001="""
            senses:
              GPT-style: {refers_to: x, relations: {homonym: [BERT-style, ELMO-style]}}
              BERT-style: {refers_to: y}
            """
    )
    assert [each.object for each in made.edges] == ["TERM-001#BERT-style", "ELMO-style"]


@pytest.mark.parametrize("seed", range(3))
def test_a_generated_record_reads_as_its_manifest_says(tmp_path: Path, seed: int) -> None:
    """Every edge of a made record comes back once, converses written at random."""
    rng = random.Random(seed)
    names = [f"THEORY-{number:03d}" for number in range(1, 41)]
    made: dict[str, dict[str, list[str]]] = {name: {} for name in names}
    expected = set()
    pairs = {"extends": "extended_by", "corrects": "corrected-by", "rivals": "rivals"}
    for relation, inverse in pairs.items():
        for _ in range(60):
            a, b = sorted(rng.sample(names, 2), reverse=True)
            expected.add((a, relation, b))
            sides = rng.choice([(True, False), (False, True), (True, True)])
            for write, end, key, other in ((sides[0], a, relation, b), (sides[1], b, inverse, a)):
                if write and other not in made[end].setdefault(key, []):
                    made[end][key].append(other)
    folder = tmp_path / "records"
    folder.mkdir()
    for name, keys in made.items():
        head = "".join(f"{key}: [{', '.join(targets)}]\n" for key, targets in keys.items())
        (folder / f"{name}.md").write_text(f"---\n{head}---\n")
    read = corpus.load(tmp_path)
    assert {(*sorted((a, b), reverse=True), r) for a, r, b in triples(read)} == {
        (a, b, r) for a, r, b in expected
    }
    assert len(read.edges) == len(expected)
    assert read.findings == ()
