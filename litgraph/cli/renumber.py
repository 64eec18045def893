"""`anthology renumber`: give temporary codes their numbers."""

from __future__ import annotations

from typing import Annotated

import typer

from litgraph.cli._options import Root, load
from litgraph.cli._writing import Diff, finish


def renumber(
    schemes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCHEME]...", help="Such as LIT. All by default.", show_default=False
        ),
    ] = None,
    diff: Diff = False,
    root: Root = None,
) -> None:
    """Give the records that were filed under a temporary code the next free numbers.

    By date, and within a day by code. Everything that `rename` changes changes with them.

    Exit codes: 0 fine, also where no code waits; 1 a file could not be read.
    """
    from anthology.errors import UnknownNameError
    from litgraph.mending import renames

    corpus = load(root)
    for each in schemes or ():
        if each not in corpus.schemes:
            raise UnknownNameError("scheme", each, corpus.schemes)
    names = renames.numbered(corpus, schemes or [])
    if not names:
        typer.echo("no code waits for its number", err=True)
        return
    finish(corpus.config, renames.records(corpus, names), diff=diff)
