"""The registry, and what is no fault; each fault itself is a case in tests/golden/faults."""

from __future__ import annotations

import itertools
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from anthology import config, corpus
from anthology.edge import Edge
from anthology.errors import UnknownNameError
from anthology.findings import Severity
from anthology.records import Lit
from litgraph import rules
from litgraph.rules import structure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Make


def codes(made: corpus.Corpus) -> list[str]:
    """Return the codes of what is found."""
    return [each.code for each in rules.validate(made)]


# ---------------------------------------------------------------- the registry


def test_a_taken_code_is_refused() -> None:
    def check(corpus: corpus.Corpus) -> Iterator[rules.Fault]:
        """Find nothing.

        Why: no reason.

        Instead: nothing.
        """
        yield from ()

    with pytest.raises(ValueError, match="the code R304 is taken by `wrong-kind`"):
        rules.rule(rules.find("R304").code)(check)


@pytest.mark.parametrize("page", [None, "What.", "What.\n\nWhy: so.", "What.\n\nInstead: this."])
def test_a_rule_without_its_page_is_refused(page: str | None) -> None:
    def check(corpus: corpus.Corpus) -> Iterator[rules.Fault]:
        yield from ()

    check.__doc__ = page
    with pytest.raises(ValueError, match="rule X999 needs a docstring"):
        rules.rule("X999")(check)
    assert "X999" not in {each.code for each in rules.rules()}


def test_the_registry_cannot_be_grown_from_outside() -> None:
    assert isinstance(rules.rules(), tuple)
    assert rules.rules() is rules.rules()


def test_names_and_codes_are_unique_and_sorted() -> None:
    found = [each.code for each in rules.rules()]
    assert found == sorted(set(found))
    assert len(set(rules.names())) == len(found)


@pytest.mark.parametrize("rule", rules.rules(), ids=lambda rule: rule.code)
def test_each_page_says_what_why_and_what_instead(rule: rules.Rule) -> None:
    what, why, *_, instead = rule.page.split("\n\n")
    assert re.fullmatch(r"[A-Z`].*[.`)]", what.split("\n")[0])
    assert len(rule.summary) <= 100
    assert why.startswith("Why: ")
    assert instead.startswith("Instead: ")
    assert max(len(line) for line in rule.page.split("\n")) <= 92


def test_rules_are_selected_by_code_start_and_name() -> None:
    def chosen(*names: str) -> list[str]:
        return [each.code for each in rules.select(names)]

    assert chosen("R304") == chosen("r304") == chosen("wrong-kind") == ["R304"]
    assert set(chosen("I", "V50")) == {e.code for e in rules.rules() if e.code[0] in "IV"}
    assert len(rules.select()) == len(rules.rules())
    assert "R304" not in {each.code for each in rules.select(["R3"], ["wrong-kind"])}


@pytest.mark.parametrize("name", ["R9", "X", "wrong-kinds", "", "R3045"])
def test_an_unknown_selection_is_refused(name: str) -> None:
    with pytest.raises(UnknownNameError, match="no rule named"):
        rules.select([name])


def test_findings_are_sorted_and_carry_their_severity(make: Make) -> None:
    made = make(LIT_002="arxiv: x\nextends: [LIT-9, LIT-2]", LIT_001="shelf: 1")
    found = rules.validate(made)
    assert [str(each).split(" ")[0] + each.code for each in found] == [
        "records/LIT-001.md:2:1:F118",
        "records/LIT-002.md:2:8:I206",
        "records/LIT-002.md:3:11:R301",
        "records/LIT-002.md:3:18:R305",
    ]
    assert [each.severity for each in found] == [
        Severity.INFO, Severity.WARNING, Severity.ERROR, Severity.ERROR,
    ]  # fmt: skip
    assert rules.validate(made, rules.select(["I"])) == [found[1]]


def test_this_record_keeps_every_rule(seed: corpus.Corpus) -> None:
    assert rules.validate(seed) == []


# ---------------------------------------------------------------- what is no fault


@pytest.mark.parametrize(
    "records",
    [
        # identity
        {"LIT_001": "number: 1\n---\n# LIT-1 — A", "LIT_002": "number: 002"},
        {"LIT_001": "formerly: LIT-tmpabcde\n---\n# LIT-001: A"},
        {"LIT_tmpabcde": "title: A\n---\n# LIT-tmpabcde: A"},
        {"LIT_001": "title: 'GPT-4: a report'\n---\n# GPT-4: a report"},
        {"LIT_001": "arxiv: '2103.03404v1'", "LIT_002": "arxiv: '2103.03405v1'"},
        {
            "LIT_001": "arxiv: '2103.03404v1'\nstatus: Superseded\nsuperseded_by: LIT-002",
            "LIT_002": "arxiv: '2103.03404v2'",
        },
        # structure
        {"LIT_014": "extends: LIT-2", "LIT_002": "extended-by: LIT-14"},
        {"LIT_002": "formerly: LIT-7", "LIT_003": "extends: [LIT-007]"},
        {"THEORY_001": "relations: {rejects: [{to: '?a', says: what it says}]}"},
        {"LIT_001": "relations: {extends: [{to: LIT-2, status: proposed}]}", "LIT_002": ""},
        {
            "LIT_001": "relations: {extends: [{to: LIT-2, status: withdrawn, because: no}]}",
            "LIT_002": "extends: [LIT-001]",
        },
        {"ADR_001": "superseded_by: ADR-2", "ADR_002": "corrects: [ADR-001]"},
        {"CLAIM_001": "text: a\nrelations: {refines: ['NOTE-1#C1']}", "LIT_001": "",
         "NOTE_001": "paper: LIT-1\nclaims: {C1: {text: b}}"},
        # rejection in both directions, and of an account by a reading
        {"THEORY_001": "relations: {rejects: [THEORY-2]}",
         "THEORY_002": "relations: {rejects: [THEORY-1]}"},
        # accounts and homonyms
        {"THEORY_001": "relations: {alternative-account: [{to: THEORY-2, component: TERM-1}]}",
         "THEORY_002": "", "TERM_001": ""},
        {"THEORY_001": "explains: TERM-1\nrelations: {alternative-account: [THEORY-2]}",
         "THEORY_002": "claims: {C1: {text: a, relations: {about: [TERM-1]}}}", "TERM_001": ""},
        {"TERM_001": "senses: {a: {refers_to: x, relations: {homonym: [b]}}, b: {refers_to: y}}"},
        {"TERM_001": "senses: {a: {refers_to: x, used_by: [LIT-1]}, b: {refers_to: y}}",
         "LIT_001": "uses: ['TERM-001#b']"},
        # claims
        {"LIT_001": "", "NOTE_001": "paper: LIT-1\nclaims: {C1: {strength: weak}}\n---\n"
         "| id | claim | strength | support |\n|---|---|---|---|\n| C1 | A | **weak** | — |"},
        {"LIT_001": "", "NOTE_001": "paper: LIT-1\nclaims: {C1: {text: a, untested: why not}}"},
    ],
)  # fmt: skip
def test_what_is_no_fault(make: Make, records: dict[str, str]) -> None:
    assert codes(make(**records)) == []


def test_a_record_that_cannot_be_read_makes_no_unknown_targets(make: Make) -> None:
    made = make(
        LIT_001="title: [A", NOTE_001="paper: LIT-001", TERM_001="title: 'A",
        THEORY_001="relations: {about: [TERM-001], supported-by: ['NOTE-001#C1', 'LIT-001#C3']}",
        LIT_002="uses: ['TERM-001#tokens']",
    )  # fmt: skip
    assert codes(made) == ["F107", "F107", "R302"]  # only NOTE-001 is known to have no C1


def test_one_faulty_file_hides_nothing_of_another(make: Make) -> None:
    made = make(LIT_001="a: b: c\nd: [", LIT_002="extends: LIT-2", LIT_003="date: never")
    assert codes(made) == ["F109", "F107", "R305", "F112"]


def test_edges_between_the_wrong_kinds_are_kept(make: Make) -> None:
    made = make(LIT_001="alternative-account: LIT-2", LIT_002="")
    assert [(e.subject, e.relation, e.object) for e in made.edges] == [
        ("LIT-001", "alternative-account", "LIT-002")
    ]
    assert codes(made) == ["R304"]


def test_a_converse_that_is_stored_twice_is_reported_once(make: Make) -> None:
    made = make(LIT_001="refines: THEORY-1", THEORY_001="refined-by: LIT-1")
    assert codes(made) == ["R304"]


def test_each_of_several_circles_is_reported(make: Make) -> None:
    made = make(
        LIT_001="extends: [LIT-2]", LIT_002="extends: [LIT-1, LIT-3]",
        LIT_003="extends: [LIT-4]", LIT_004="extends: [LIT-3]", LIT_005="extends: [LIT-4]",
    )  # fmt: skip
    assert [each.message.partition(": ")[2] for each in rules.validate(made)] == [
        "LIT-001 → LIT-002 → LIT-001",
        "LIT-003 → LIT-004 → LIT-003",
    ]


def chain(length: int, *, closed: bool) -> corpus.Corpus:
    """Return a record in which each work refines the next."""
    names = [f"LIT-{number:06d}" for number in range(1, length + 1)]
    records = {name: Lit(id=name, path=f"{name}.md") for name in names}
    pairs = itertools.pairwise([*names, names[0]] if closed else names)
    edges = tuple(Edge(a, "refines", b, path=f"{a}.md") for a, b in pairs)
    return corpus.Corpus(config.Config(root=Path()), records, {}, {}, edges)


def test_a_very_deep_chain_is_walked() -> None:
    assert rules.validate(chain(100_000, closed=False), rules.select(["R"])) == []


def test_a_very_long_circle_is_shown_in_short() -> None:
    (found,) = rules.validate(chain(100_000, closed=True), rules.select(["R306"]))
    assert found.message == (
        "`refines` leads in a circle: LIT-000001 → LIT-000002 → LIT-000003 → LIT-000004 → "
        "LIT-000005 → (99992 more) → LIT-099998 → LIT-099999 → LIT-100000 → LIT-000001"
    )


def test_near_ids_are_found_fast_in_a_large_record() -> None:
    made = chain(2_000, closed=False)
    wrong = tuple(Edge(f"LIT-{n:06d}", "extends", f"LIT-9{n:05d}") for n in range(1, 1_000))
    made = corpus.Corpus(made.config, made.records, {}, {}, wrong)
    start = time.process_time()
    assert len(list(structure.unknown_target(made))) == 999
    assert time.process_time() - start < 2


def test_what_rejecting_a_work_offers(make: Make) -> None:
    made = make(
        LIT_001="claims: {C9: {text: Said by the work itself}}",
        NOTE_001="paper: LIT-1\nclaims: {C1: {text: 'Depth ' }}",
        THEORY_001="title: Why\nsource: LIT-1",
        LIT_002="relations: {rejects: [LIT-1, NOTE-1]}",
    )
    work, reading = (each.message for each in rules.validate(made))
    assert work.partition(": ")[2] == (
        "LIT-001#C9 (Said by the work itself); NOTE-001#C1 (Depth); THEORY-001 (Why)"
    )
    assert reading == (
        "NOTE-001 is a whole work; reject what it says: NOTE-001#C1 (Depth); THEORY-001 (Why)"
    )
