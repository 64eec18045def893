"""How commands that write records show what they do, or only would do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from anthology.config import Config
    from anthology.corpus import Corpus
    from litgraph.mending.changes import Outcome

Diff = Annotated[
    bool, typer.Option("--diff", help="Print what would change, as git takes it; write nothing.")
]
Day = Annotated[
    str, typer.Option("--date", metavar="YYYY-MM-DD", help="Day of filing; by default today.")
]


def project(root: Path | None) -> Corpus:
    """Read all records of a project, which may have none yet."""
    from anthology import config
    from litgraph import index

    return index.corpus(config.load(root if root is not None else config.find_root(Path.cwd())))


def today() -> str:
    """Return the day on which a record is filed."""
    import datetime as dt

    return dt.datetime.now().astimezone().date().isoformat()


def finish(settings: Config, outcome: Outcome, *, diff: bool) -> None:
    """Print a diff and write nothing; or write, and print what was changed in each file.

    What was left is said, and where that is a file that cannot be read, the exit code is 1.
    """
    from litgraph.mending import changes

    if diff:
        typer.echo(changes.diff(outcome.changes), nl=False)
    else:
        changes.apply(settings, outcome.changes)
        for change in outcome.changes:
            for said in change.said if change.needed else ():
                typer.echo(f"{change.path}: {said}")
    for each in (*outcome.left, *outcome.refused):
        typer.echo(each, err=True)
    if outcome.refused:
        raise typer.Exit(1)
