"""`anthology export`: the whole graph, written down for other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from anthology.errors import AnthologyError
from litgraph.cli._options import Cache, Root, load


def export(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to a file; stdout otherwise.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="turtle, trig, nquads or jsonld; by default what FILE ends with, else turtle.",
        ),
    ] = "",
    vocabulary: Annotated[
        bool, typer.Option("--vocabulary", help="Write what ant: holds instead of the records.")
    ] = False,
    no_cache: Cache = False,
    root: Root = None,
) -> None:
    """Write the record as a graph: RDF that any other tool reads.

    \b
      anthology export -o record.ttl     Turtle: the union of what all files say
      anthology export -o record.trig    TriG: a graph per file
      anthology export --format jsonld
      anthology export --vocabulary      the meaning of every class and predicate

    The same record gives the same bytes.
    """  # noqa: D301 - click reads \b as: do not wrap
    from litgraph import iris, syntax

    name = syntax.choose(format, output)
    if vocabulary:
        from litgraph import vocabulary as terms

        made = syntax.serialize(terms.quads(), name, iris.PREFIXES)
    else:
        from litgraph import rdf

        corpus = load(root, cache=not no_cache)
        made = syntax.serialize(rdf.quads(corpus), name, iris.prefixes(corpus.config.base))
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(made)
        return
    try:
        output.write_bytes(made)
    except OSError as error:
        raise AnthologyError(f"{output} cannot be written: {error.strerror}") from None
