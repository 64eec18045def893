"""Options that several commands share, so that each means the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from anthology.corpus import Corpus

Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="The project's folder. By default the nearest above that holds a record.",
        show_default=False,
    ),
]
Format = Annotated[
    str, typer.Option("--format", "-f", metavar="NAME", help="How to print: table or json.")
]


def load(root: Path | None) -> Corpus:
    """Read the record that a command is about.

    Raises:
        NothingFoundError: There is no such folder, or no record below it.

    """
    from anthology import config, corpus
    from anthology.errors import NothingFoundError

    place = root if root is not None else config.find_root(Path.cwd())
    found = corpus.read(config.load(place))
    if not found.records:
        folders = ", ".join(f"{each}/" for each in found.config.records)
        raise NothingFoundError(
            f"no record found below {place} (looked in {folders} for files such as LIT-001.md)"
        )
    return found
