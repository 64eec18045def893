"""The networkx graph, and the shortest explanations over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litgraph import network

if TYPE_CHECKING:
    from tests.conftest import Make


def chain(make: Make) -> object:
    return make(
        LIT_001="title: a",
        LIT_002="title: b\nrefines: [LIT-001]",
        LIT_003="compared_against: [LIT-002]",
        LIT_004="relations:\n  refines: [{to: LIT-003, status: withdrawn, because: misread}]",
        THEORY_001="source: [LIT-001, LIT-003]",
        NOTE_001="paper: LIT-001\nclaims:\n  C1: {text: x, relations: {rejects: ['?unfiled']}}",
    )


def test_nodes_edges_and_attributes(make: Make) -> None:
    made = network.graph(chain(make))  # type: ignore[arg-type] # made by the helper above
    assert made.nodes["LIT-001"] == {"kind": "LIT", "label": "a"}
    assert made.nodes["?unfiled"]["kind"] == "placeholder"
    assert made.edges["LIT-002", "LIT-001", "refines"]["status"] == "active"
    assert made.edges["NOTE-001#C1", "?unfiled", "rejects"]["status"] == "target-absent"
    # A symmetric edge can be walked both ways, an asymmetric one cannot.
    assert made.has_edge("LIT-003", "LIT-002", "compared-against")
    assert made.has_edge("LIT-002", "LIT-003", "compared-against")
    assert not made.has_edge("LIT-001", "LIT-002")
    assert made.has_edge("NOTE-001", "NOTE-001#C1", "states")


def test_the_shortest_explanation_reads_in_its_direction(make: Make) -> None:
    corpus = chain(make)
    hops = next(network.paths(corpus, "NOTE-001#C1", "LIT-002"))  # type: ignore[arg-type] # above
    assert [(each.start, each.relation, each.end) for each in hops] == [
        ("NOTE-001#C1", "stated-in", "NOTE-001"),
        ("NOTE-001", "reads", "LIT-001"),
        ("LIT-001", "refined-by", "LIT-002"),
    ]
    assert hops[0].edge is None
    assert hops[2].edge is not None
    assert hops[2].edge.path == "records/LIT-002.md"


def test_a_withdrawn_edge_explains_nothing(make: Make) -> None:
    assert list(network.paths(chain(make), "LIT-004", "LIT-003")) == []  # type: ignore[arg-type]


def test_more_than_one_path_best_first(make: Make) -> None:
    found = list(network.paths(chain(make), "LIT-001", "LIT-003", limit=5))  # type: ignore[arg-type]
    ends = [[each.end for each in hops] for hops in found]
    assert ends[:2] in (
        [["THEORY-001", "LIT-003"], ["LIT-002", "LIT-003"]],
        [["LIT-002", "LIT-003"], ["THEORY-001", "LIT-003"]],
    )


def test_what_is_not_connected_has_no_path(make: Make) -> None:
    corpus = make(LIT_001="title: a", LIT_002="title: b")
    assert list(network.paths(corpus, "LIT-001", "LIT-002")) == []
    assert list(network.paths(corpus, "LIT-001", "LIT-009")) == []
