"""The record as a networkx graph, for paths, neighbourhoods and centralities."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from anthology import relations
from anthology.edge import Edge

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx as nx

    from litgraph.graph import Graph


def graph(corpus: Graph) -> nx.MultiDiGraph[str]:
    """Return the record as a directed multigraph.

    Nodes are ids, with `kind` and `label`; edges are keyed by relation, with the
    attributes of `Edge`. A symmetric relation is an edge each way. A claim or sense hangs
    on its record by an edge `states`.
    """
    import networkx as nx

    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for name in (*corpus.records, *corpus.claims, *corpus.senses, *corpus.placeholders):
        made.add_node(name, kind=corpus.kind(name), label=corpus.label(name))
    for record in corpus.records:
        for part in corpus.parts(record):
            made.add_edge(record, part, key="states", relation="states", weight=0.1)
    for edge in corpus.edges:
        kind = relations.BY_NAME[edge.relation]
        for end in (edge.subject, edge.object):
            if end not in made:
                made.add_node(end, kind=corpus.kind(end), label="")
        data = edge._asdict() | {"weight": kind.weight}
        made.add_edge(edge.subject, edge.object, key=edge.relation, **data)
        if kind.symmetric:
            made.add_edge(edge.object, edge.subject, key=edge.relation, **data)
    return made


class Hop(NamedTuple):
    """One step of a path, as read in the direction of the path.

    Attributes:
        relation: The relation's name, or its inverse's where the step goes against it.
        edge: The edge it follows; None between a record and its own part.

    """

    start: str
    relation: str
    end: str
    edge: Edge | None


def paths(corpus: Graph, start: str, goal: str, limit: int = 3) -> Iterator[list[Hop]]:
    """Yield the shortest explanations of why two things are connected, best first.

    Steps are walked in both directions; a telling relation costs less than a shared
    word or source. At most `limit` paths are yielded, none of them much longer than the
    first.
    """
    import networkx as nx

    flat: nx.Graph[str] = nx.Graph()
    whole = graph(corpus)
    for a, b, key, data in whole.edges(data=True, keys=True):
        if a == b or data.get("status") == "withdrawn":
            continue
        weight = data["weight"] * (2 if data.get("status") == "proposed" else 1)
        if not flat.has_edge(a, b) or flat[a][b]["weight"] > weight:
            flat.add_edge(a, b, weight=weight, hop=(a, key))
    if start not in flat or goal not in flat:
        return
    try:
        found = nx.shortest_simple_paths(flat, start, goal, weight="weight")
        best = None
        for nodes in itertools.islice(found, limit):
            cost = sum(flat[a][b]["weight"] for a, b in itertools.pairwise(nodes))
            best = cost if best is None else best
            if cost > 2 * best:
                return
            yield [_hop(whole, a, b, *flat[a][b]["hop"]) for a, b in itertools.pairwise(nodes)]
    except nx.NetworkXNoPath:
        return


def _hop(whole: nx.MultiDiGraph[str], start: str, end: str, subject: str, key: str) -> Hop:
    if key == "states":
        return Hop(start, key if subject == start else "stated-in", end, None)
    data = whole.edges[subject, end if subject == start else start, key]
    edge = Edge(**{name: data[name] for name in Edge._fields})
    forward = edge.subject == start
    kind = relations.BY_NAME[key]
    return Hop(start, kind.name if forward else kind.inverse, end, edge)
