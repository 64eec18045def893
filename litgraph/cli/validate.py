"""`anthology validate`: check a record against every rule."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litgraph.cli._options import Cache, Root, load

if TYPE_CHECKING:
    from anthology.corpus import Corpus


def validate(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Report only what lies here. A folder that holds a record of its own is checked "
            "as a project.",
            show_default=False,
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="CODES", help="Only these: codes or their starts, as R3,C405."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="CODES", help="All but these.")
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option(metavar="LEVEL", help="Exit 1 from here on: error, warning or info."),
    ] = "error",
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="NAME", help="How to print: full, concise, table or json."
        ),
    ] = "full",
    limit: Annotated[
        int, typer.Option(min=0, help="Findings of one code that `full` shows; 0 shows all.")
    ] = 3,
    root: Root = None,
    no_cache: Cache = False,
) -> None:
    """Check the record: files, ids, relations, claims and run files. Nothing is changed.

    Exit code 1 where an error is found. `anthology explain CODE` says what a code means.
    """
    from anthology.errors import UnknownNameError
    from anthology.findings import Severity
    from litgraph import reports, rules

    levels = {each.value: each for each in Severity}
    if fail_on not in levels:
        raise UnknownNameError("level", fail_on, levels)
    if format not in reports.names():
        raise UnknownNameError("format", format, reports.names())
    chosen = rules.select(_codes(select), _codes(ignore))
    place, inside = _places(paths or [], root)
    with _uncollected():
        corpus = load(place, cache=not no_cache)
        below = _below(corpus, inside)
        kept = [each for each in rules.validate(corpus, chosen) if _lies(each.path, below)]
    records = sum(_lies(each.path, below) for each in corpus.records.values())
    report = reports.Report(
        corpus.root, kept, records, limit, quiet=not select and fail_on != "info"
    )
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:  # a file's name may hold bytes that no encoding knows
        reconfigure(errors="backslashreplace")
    reports.write(format, report, sys.stdout)
    if any(each.severity.rank <= levels[fail_on].rank for each in kept):
        raise typer.Exit(1)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector off: what is read is kept to the end, so it only costs."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _codes(given: list[str] | None) -> list[str]:
    return [code.strip() for each in given or () for code in each.split(",") if code.strip()]


def _places(paths: list[Path], root: Path | None) -> tuple[Path | None, list[Path]]:
    """Return the root that paths belong to, and those that restrict the report."""
    from anthology import config
    from anthology.errors import NothingFoundError

    for each in paths:
        if not os.path.lexists(each):
            raise NothingFoundError(f"no file or folder at {each}")
    if root is not None or not paths:
        return root, paths
    if len(paths) == 1 and config.is_root(paths[0]):
        return paths[0], []
    return config.find_root(paths[0]), paths


def _below(corpus: Corpus, paths: list[Path]) -> list[str]:
    """Return paths as the findings name them.

    Raises:
        NothingFoundError: A path is outside of the root, or nothing of the record is below it.

    """
    from itertools import chain

    from anthology.errors import NothingFoundError

    stored = sorted((corpus.root / corpus.config.runs).glob("*.json")) if paths else []
    below = []
    for path in paths:
        whole = Path(os.path.abspath(path))  # noqa: PTH100 - a link in the root is no way out
        if not whole.is_relative_to(corpus.root):
            whole = path.resolve()
        if not whole.is_relative_to(corpus.root):
            raise NothingFoundError(f"{path} is outside of the record at {corpus.root}")
        name = whole.relative_to(corpus.root).as_posix()
        known = chain(
            (each.path for each in chain(corpus.records.values(), corpus.duplicates)),
            (each.relative_to(corpus.root).as_posix() for each in stored),
        )
        if not any(_lies(each, [name]) for each in known):
            raise NothingFoundError(f"no record and no run file at or below {path}")
        below.append(name)
    return below


def _lies(path: str, below: list[str]) -> bool:
    return not below or any(each in {".", path} or path.startswith(f"{each}/") for each in below)
