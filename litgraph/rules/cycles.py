"""The rule against circles of relations that only lead one way."""

from __future__ import annotations

from collections import deque
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from anthology import ids, relations
from litgraph.rules import _places, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from anthology.corpus import Corpus, Edge
    from litgraph.rules import Fault

SHOWN = 12  # steps of a circle that a message names


@rule("R306")
def cycle(corpus: Corpus) -> Iterator[Fault]:
    """A chain of a relation that only leads one way returns to where it began.

    Why: where A refines B and B refines A, neither says more than the other.

    Instead: delete the edge that is wrong; the message shows the whole loop. Two accounts
    that both may hold are `alternative-account`.
    """
    chains: dict[str, dict[tuple[str, str], Edge]] = {
        each.name: {} for each in relations.RELATIONS if each.acyclic
    }
    for edge in corpus.edges:
        chain = chains.get(edge.relation)
        if chain is not None and edge.status != "withdrawn" and edge.subject != edge.object:
            chain[edge.subject, edge.object] = edge
    for name, edges in chains.items():
        for loop in loops(edges):
            last = edges[loop[-1], loop[0]]
            yield _places.of_edge(last), f"`{name}` leads in a circle: {_chain(loop)}"


def loops(edges: Mapping[tuple[str, str], object]) -> Iterator[list[str]]:
    """Yield one loop of each knot of nodes that reach each other, smallest id first.

    The check that there is none is graphlib's; only where there is one are knots looked for.
    """
    sorter: TopologicalSorter[str] = TopologicalSorter()
    follow: dict[str, list[str]] = {}
    for a, b in sorted(edges):
        sorter.add(a, b)
        follow.setdefault(a, []).append(b)
    try:
        sorter.prepare()
    except CycleError:
        import networkx as nx

        graph = nx.DiGraph(list(edges))
        knots = (each for each in nx.strongly_connected_components(graph) if len(each) > 1)
        for knot in sorted((min(each, key=ids.order), each) for each in knots):
            yield _shortest(follow, *knot)


def _shortest(follow: Mapping[str, Sequence[str]], start: str, knot: set[str]) -> list[str]:
    """Return a shortest loop through a node of a knot, by breadth first."""
    came: dict[str, str] = {}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for step in follow[here]:
            if step == start:
                loop = [here]
                while loop[-1] != start:
                    loop.append(came[loop[-1]])
                return loop[::-1]
            if step in knot and step not in came:
                came[step] = here
                waiting.append(step)
    return [start]


def _chain(loop: list[str]) -> str:
    shown = loop if len(loop) <= SHOWN else [*loop[:5], f"({len(loop) - 8} more)", *loop[-3:]]
    return " → ".join([*shown, loop[0]])
