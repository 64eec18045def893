"""Options that several commands share, so that each means the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from anthology.config import Config
    from anthology.corpus import Corpus
    from litgraph.graph import Graph

_Found = TypeVar("_Found", bound="Graph")

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


Cache = Annotated[
    bool,
    typer.Option("--no-cache", help="Read every record again, whatever the index knows."),
]


def load(root: Path | None, *, cache: bool = True) -> Corpus:
    """Read all records that a command is about.

    Raises:
        NothingFoundError: There is no such folder, or no record below it.

    """
    from litgraph import index

    return _some(index.corpus(settings(root), cache=cache))


def graph(root: Path | None, *, cache: bool = True) -> Graph:
    """Return the record that a question is about, without reading more than it must.

    Raises:
        NothingFoundError: There is no such folder, or no record below it.

    """
    from litgraph import index

    return _some(index.graph(settings(root), cache=cache))


def settings(root: Path | None) -> Config:
    """Return the settings of the project that a command is about."""
    from anthology import config

    return config.load(root if root is not None else config.find_root(Path.cwd()))


def _some(found: _Found) -> _Found:
    if not found.records:
        from anthology.errors import NothingFoundError

        folders = ", ".join(f"{each}/" for each in found.config.records)
        raise NothingFoundError(
            f"no record found below {found.root} (looked in {folders} for files such as LIT-001.md)"
        )
    return found
