"""What a work states by way of its readings, accounts and senses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litgraph import rollup

if TYPE_CHECKING:
    from tests.conftest import Make

RECORD = {
    "LIT_001": "title: Pure attention",
    "LIT_002": "title: Sharper\nrefines: [LIT-001]",
    "LIT_003": "title: Low-rank weights",
    "NOTE_001": """
        paper: LIT-001
        claims:
          C1: {text: tokens collapse}
        relations:
          supports: [THEORY-001]
        """,
    "NOTE_002": """
        paper: LIT-002
        claims:
          C5:
            text: the wrong place to look
            relations:
              rejects: [{to: THEORY-001, aspect: locus}]
        """,
    "THEORY_001": "source: LIT-001\nexplains: [TERM-002]",
    "THEORY_002": "relations:\n  refines: [THEORY-001]",
    "TERM_001": """
        title: rank collapse
        senses:
          tokens: {refers_to: a, used_by: [LIT-001, THEORY-001]}
          weights:
            refers_to: b
            used_by: [LIT-003, {to: LIT-002, status: proposed}]
            relations: {homonym: [tokens]}
        """,
    "TERM_002": "title: skip connection",
}


def test_members_remember_what_they_came_through(make: Make) -> None:
    found = rollup.members(make(**RECORD), "LIT-001")
    assert dict(found) == {
        "NOTE-001": "LIT-001",
        "NOTE-001#C1": "NOTE-001",
        "THEORY-001": "LIT-001",
        "TERM-001#tokens": "LIT-001",
    }


def test_edges_carry_their_via(make: Make) -> None:
    corpus = make(**RECORD)
    found = {(e.subject, e.relation, e.object, via) for e, via in rollup.edges(corpus, "LIT-001")}
    assert ("LIT-002", "refines", "LIT-001", "") in found
    assert ("NOTE-001", "reads", "LIT-001", "") in found
    assert ("NOTE-002#C5", "rejects", "THEORY-001", "THEORY-001") in found
    assert ("THEORY-002", "refines", "THEORY-001", "THEORY-001") in found
    assert ("TERM-001#weights", "homonym", "TERM-001#tokens", "TERM-001#tokens") in found
    assert ("THEORY-001", "explains", "TERM-002", "THEORY-001") in found
    # What joins two members is inner business.
    assert not any(relation == "supports" for _, relation, _, _ in found)


def test_without_rollup_only_what_the_record_says_itself(make: Make) -> None:
    corpus = make(**RECORD)
    found = rollup.edges(corpus, "LIT-001", rolled=False)
    assert all(not via for _, via in found)
    assert {each.relation for each, _ in found} == {"refines", "reads", "source", "uses"}


def test_a_rejection_is_seen_from_the_side_of_the_rejecting_work(make: Make) -> None:
    found = rollup.edges(make(**RECORD), "LIT-002")
    assert ("NOTE-002#C5", "rejects", "THEORY-001", "NOTE-002#C5") in {
        (e.subject, e.relation, e.object, via) for e, via in found
    }


def test_works_of_each_kind(make: Make) -> None:
    corpus = make(**RECORD)
    assert rollup.works(corpus, "LIT-001") == ["LIT-001"]
    assert rollup.works(corpus, "NOTE-002#C5") == ["NOTE-002", "LIT-002"]
    assert rollup.works(corpus, "THEORY-001") == ["THEORY-001", "LIT-001"]
    assert rollup.works(corpus, "TERM-001#tokens") == ["TERM-001", "LIT-001", "THEORY-001"]
    # A proposed user is not a user.
    assert rollup.works(corpus, "TERM-001#weights") == ["TERM-001", "LIT-003"]
    assert rollup.works(corpus, "?nobody-filed-it") == []
