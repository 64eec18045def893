"""`anthology path`: why two things are connected."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from litgraph.cli._options import Cache, Format, Root, graph


def path(
    start: Annotated[str, typer.Argument(metavar="A", help="An id.", show_default=False)],
    goal: Annotated[str, typer.Argument(metavar="B", help="Another id.", show_default=False)],
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many paths at most.")] = 1,
    format: Format = "table",
    root: Root = None,
    no_cache: Cache = False,
) -> None:
    """Explain how two records, claims or senses are connected, shortest first.

    Telling relations such as rejects or homonym cost less than shared words or sources.
    """
    from anthology.errors import UnknownNameError
    from litgraph import formats, network

    if format not in formats.names():
        raise UnknownNameError("format", format, formats.names())
    corpus = graph(root, cache=not no_cache)
    a, b = corpus.resolve(start), corpus.resolve(goal)
    rows = []
    for number, hops in enumerate(network.paths(corpus, a, b, limit), 1):
        for step, hop in enumerate(hops, 1):
            edge = hop.edge
            place = (edge.path, edge.line) if edge else corpus.place(hop.end)[:2]
            rows.append(
                {
                    "path": number,
                    "step": step,
                    "from": hop.start,
                    "relation": hop.relation,
                    "to": hop.end,
                    "label": corpus.label(hop.end),
                    "status": edge.status if edge else None,
                    "because": (edge.because or None) if edge else None,
                    "file": place[0],
                    "line": place[1],
                }
            )
    shown = [
        {**row, "why": row["because"] or row["label"], "path": f"path {row['path']}"}
        for row in rows
    ]
    sheet = formats.Sheet(
        "anthology.path/1", rows if format != "table" else shown, ("from", "relation", "to"),
        note="why", group="path" if limit > 1 else "",
        empty=f"nothing in the record connects {a} and {b}",
    )  # fmt: skip
    formats.write(format, sheet, sys.stdout)
