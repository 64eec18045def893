"""The graph on disk, so that a warm question of 100,000 records loads none of them.

Beside the index lies one Oxigraph directory with the union of all that the record says.
It is named after everything that it depends on: the records, the run files, the
experiments' code, this code. It is built aside and put in place by a rename, never
changed, and opened read-only; a missing one costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import time
from typing import TYPE_CHECKING

import pyoxigraph as ox

from anthology import files
from litgraph import index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from anthology.config import Config

_TORCH = re.compile(r"torch-[^-]+\.dist-info")


def find(settings: Config, *, cache: bool = True) -> ox.Store | None:
    """Return the graph as the files have it now, or None where it must be made in memory.

    It is built on the second question, when the index is already current: the first one
    is answered from what was just read.
    """
    if not index.wanted(cache):
        return None
    listing = files.scan(settings)
    inputs: list[tuple[str, int, int]] = [*listing, *_results(settings)]
    name = _name(settings, inputs)
    place = settings.root / index.FOLDER / name
    if not (place / "CURRENT").exists():
        fresh = max((each[1] for each in inputs), default=0) > time.time_ns() - index.FRESH
        if fresh or not index.current(settings, listing):
            return None
        try:
            _build(settings, place)
        except OSError:  # a read-only or full disk
            return None
    try:
        return ox.Store.read_only(str(place))
    except (OSError, RuntimeError):  # damaged: the next question makes it anew
        shutil.rmtree(place, ignore_errors=True)
        return None


def _name(settings: Config, inputs: list[tuple[str, int, int]]) -> str:
    digest = hashlib.sha256(f"{index.stamp(settings)} {_torch()}".encode())
    digest.update(repr(inputs).encode())
    return f"graph-{digest.hexdigest()[:16]}"


def _results(settings: Config) -> Iterator[tuple[str, int, int]]:
    """Yield the files that verdicts depend on: runs, and the code of the experiments."""
    for name, suffix in ((settings.runs, ".json"), *((e, ".py") for e in settings.experiments)):
        for folder, inner, names in os.walk(settings.root / name):
            inner.sort()
            for each in sorted(names):
                if each.endswith(suffix):
                    path = os.path.join(folder, each)  # noqa: PTH118 - many, and none opened
                    with contextlib.suppress(OSError):
                        status = os.stat(path)  # noqa: PTH116 - the same
                        yield path, status.st_mtime_ns, status.st_size


def _torch() -> list[str]:
    """Return which torch is installed, without asking it, or the import system, for long."""
    found: list[str] = []
    for folder in sys.path:
        with contextlib.suppress(OSError):
            names = os.listdir(folder or ".")  # noqa: PTH208 - thousands, and no Path is needed
            found += filter(_TORCH.fullmatch, names)
    return sorted(found)


def _build(settings: Config, place: Path) -> None:
    """Write the union of all graphs aside, and put it in place."""
    from litgraph import rdf, syntax

    corpus = index.corpus(settings)
    aside = place.with_name(f"{place.name}.{os.getpid()}")
    shutil.rmtree(aside, ignore_errors=True)
    try:
        made = ox.Store(str(aside))
        text = "".join(map(syntax.ntriple, rdf.quads(corpus))).encode()
        made.bulk_load(text, ox.RdfFormat.N_TRIPLES, lenient=True)
        del made, text
        try:
            aside.rename(place)
        except OSError:
            if not place.exists():  # another process was as quick, and its graph is the same
                raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    for other in place.parent.glob("graph-*"):
        if other != place and other.stat().st_mtime < time.time() - 60:
            shutil.rmtree(other, ignore_errors=True)
