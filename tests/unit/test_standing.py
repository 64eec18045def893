"""Standing of accounts: what is against them, and whether anybody answered."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from litgraph import standing

if TYPE_CHECKING:
    from tests.conftest import Make


def verdict(word: str) -> Any:
    return SimpleNamespace(word=word)


def test_uncontested(make: Make) -> None:
    assert standing.of(make(THEORY_001="title: a"), "THEORY-001").word == "uncontested"


REJECTED = """
    claims:
      C1:
        text: it is not so
        relations:
          rejects: [THEORY-001]
    """


def test_contested_and_unanswered(make: Make) -> None:
    corpus = make(THEORY_001="title: a", NOTE_001=REJECTED)
    found = standing.of(corpus, "THEORY-001")
    assert found.word == "contested, unanswered"
    assert [each.subject for each in found.edges] == ["NOTE-001#C1"]


def test_contested_and_answered_by_the_account_or_by_its_source(make: Make) -> None:
    back = "relations:\n  rejects: ['NOTE-001#C1']"
    corpus = make(THEORY_001=back, NOTE_001=REJECTED)
    assert standing.of(corpus, "THEORY-001").word == "contested, answered"
    corpus = make(THEORY_001="source: LIT-001", LIT_001=back, NOTE_001=REJECTED)
    assert standing.of(corpus, "THEORY-001").word == "contested, answered"


def test_one_critic_left_unanswered_leaves_it_unanswered(make: Make) -> None:
    back = "relations:\n  rejects: ['NOTE-001#C1']"
    corpus = make(THEORY_001=back, NOTE_001=REJECTED, NOTE_002=REJECTED)
    assert standing.of(corpus, "THEORY-001").word == "contested, unanswered"


def test_to_reject_is_not_to_be_contested(make: Make) -> None:
    corpus = make(THEORY_001="title: a", THEORY_002="rejects: [THEORY-001]")
    assert standing.of(corpus, "THEORY-002").word == "uncontested"


def test_a_proposal_contests_nothing(make: Make) -> None:
    corpus = make(
        THEORY_001="title: a",
        THEORY_002="relations:\n  rejects: [{to: THEORY-001, status: proposed}]",
    )
    assert standing.of(corpus, "THEORY-001").word == "uncontested"


@pytest.mark.parametrize(
    "records",
    [
        {"THEORY_001": "title: a", "THEORY_002": "supersedes: [THEORY-001]"},
        {"THEORY_001": "title: a\nstatus: Superseded — by later work"},
    ],
)
def test_superseded(make: Make, records: dict[str, str]) -> None:
    assert standing.of(make(**records), "THEORY-001").word == "superseded"


def test_refuted_by_run_and_look_again(make: Make) -> None:
    corpus = make(
        THEORY_001="claims:\n  C1: {text: so it is}",
        NOTE_001="""
            claims:
              C1:
                text: and more exactly so
                relations: {refines: ['THEORY-001#C1']}
            """,
        NOTE_002="""
            claims:
              C1:
                text: as measured
                relations: {supports: ['NOTE-001#C1']}
            """,
    )
    refuted = {"THEORY-001#C1": verdict("refuted")}
    found = standing.of(corpus, "THEORY-001", refuted)
    assert (found.word, found.claims) == ("refuted by run", ("THEORY-001#C1",))
    neighbour = standing.of(corpus, "NOTE-001#C1", refuted)
    assert (neighbour.word, neighbour.look_again) == ("uncontested", ("THEORY-001#C1",))
    supported = standing.of(corpus, "NOTE-001#C1", {"NOTE-002#C1": verdict("refuted")})
    assert supported.look_again == ("NOTE-002#C1",)
