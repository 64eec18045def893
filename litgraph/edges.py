"""Edges as rows: the one shape in which every command and format gives an edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import relations
from litgraph import rollup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from anthology.edge import Edge
    from litgraph.graph import Graph

SCHEMA = "anthology.edges/1"


def row(corpus: Graph, edge: Edge, via: str = "", asked: str = "") -> dict[str, object]:
    """Return an edge as a row, always in the table's direction.

    `asked` adds, for people, the edge as it reads from that end.
    """
    found: dict[str, object] = {
        "subject": edge.subject,
        "relation": edge.relation,
        "object": edge.object,
        "subject_works": rollup.works(corpus, edge.subject),
        "object_works": rollup.works(corpus, edge.object),
        "status": edge.status,
        "via": via or None,
        "because": edge.because or None,
        "evidence": list(edge.evidence),
    }
    for name in ("aspect", "component", "by", "filed", "quoted", "says", "was"):
        found[name] = getattr(edge, name) or None
    return found | {"file": edge.path, "line": edge.line, "column": edge.column}


def select(corpus: Graph, subject: str = "", relation: str = "", object_: str = "") -> list[Edge]:
    """Return the edges that match; empty stands for anything.

    A symmetric relation matches from either end.
    """
    pool: Iterable[Edge]
    if subject:
        pool = [*corpus.out(subject), *(e for e in corpus.into(subject) if _symmetric(e))]
    elif object_:
        pool = [*corpus.into(object_), *(e for e in corpus.out(object_) if _symmetric(e))]
    else:
        pool = corpus.edges
    ends = [each for each in (subject, object_) if each]
    return [
        edge
        for edge in pool
        if (not relation or edge.relation == relation)
        and all(each in (edge.subject, edge.object) for each in ends)
    ]


def _symmetric(edge: Edge) -> bool:
    return relations.BY_NAME[edge.relation].symmetric
