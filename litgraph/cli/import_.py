"""`anthology import`: bring in what other tools know of the works."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anthology.errors import AnthologyError
from litgraph.cli._options import Root
from litgraph.cli._writing import Day, project, today

app = typer.Typer(
    no_args_is_help=True, help="Bring in what a library file says of works; keep what people wrote."
)


class UsageError(AnthologyError):
    """Options do not go together."""


@app.command("bib")
def bib(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A BibTeX file.", show_default=False)
    ],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Write over what people wrote, too.")
    ] = False,
    no_clobber: Annotated[
        bool, typer.Option("--no-clobber", help="Only fill what is missing; change no value.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "--diff", help="Print the diff and write nothing.")
    ] = False,
    date: Day = "",
    root: Root = None,
) -> None:
    """Bring the metadata of a BibTeX file into the records of its works; print the diff.

    A work is found by its arXiv id or DOI, however they are spelt, else by its title; one that
    is not here is filed. What is missing is filled. A value that an earlier import wrote is
    renewed; a value that people wrote or changed is kept, and said. The key `imported` holds a
    digest of each value that an import wrote, to tell the two apart.

    Exit codes: 0 fine; 1 an entry or a record could not be read, and the rest was brought in;
    2 options contradict each other; 4 there is no such file.
    """
    from litgraph.mending import bibtex, changes
    from litgraph.mending.library import Import

    if overwrite and no_clobber:
        raise UsageError("--overwrite and --no-clobber contradict each other; give one")
    corpus = project(root)
    cited, broken = bibtex.read(file)
    day = date or today()
    outcome = Import(corpus, day, overwrite=overwrite, clobber=not no_clobber).bring(cited)
    needed = [each for each in outcome.changes if each.needed]
    if not dry_run:
        changes.apply(corpus.config, needed)
    typer.echo(changes.diff(needed), nl=False)
    for each in broken:
        typer.echo(f"{file}:{each.line}:1: {each.why}", err=True)
    for said in (*outcome.left, *outcome.refused):
        typer.echo(said, err=True)
    made = sum(each.before is None for each in needed)
    counted = f"{len(cited)} entries: {made} new, {len(needed) - made} changed"
    typer.echo(f"{counted}{', nothing written' * dry_run}", err=True)
    if broken or outcome.refused:
        raise typer.Exit(1)
