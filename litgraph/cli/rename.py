"""`anthology rename`: give a record, claim or sense another id."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from litgraph.cli._options import Root, load
from litgraph.cli._writing import Diff, finish


def rename(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="An id, or a record's file.", show_default=False)
    ],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="An id that nothing has.", show_default=False)
    ],
    diff: Diff = False,
    root: Root = None,
) -> None:
    """Give a record, claim or sense another id, wherever it is named.

    The file, its number and heading; front matter, links and codes of all records; run files,
    which stay fresh; comments and docstrings of experiments. A record keeps its old id below
    `formerly`. Prose stays as it is but for the code. Where two files have one id, OLD is the
    file that is to get another, and what names the id is left.

    Exit codes: 0 fine; 1 a file could not be read and was left; 2 the new id is taken.
    """
    from litgraph.mending import renames

    corpus = load(root)
    if old.endswith(".md"):
        outcome = renames.file(corpus, old.removeprefix("./"), _padded(new))
    elif "#" in old:
        found = corpus.resolve(old)
        home = found.partition("#")[0] if new.startswith("#") else ""
        outcome = renames.part(corpus, found, home + _padded(new))
    else:
        outcome = renames.records(corpus, {corpus.resolve(old): _padded(new)})
    finish(corpus.config, outcome, diff=diff)


def _padded(name: str) -> str:
    """Return `LIT-007` for `LIT-7`."""
    from litgraph.mending import numbers

    code, mark, part = name.partition("#")
    if match := re.fullmatch(r"([A-Z][A-Z0-9]*-)([0-9]+)", code):
        code = match[1] + match[2].zfill(numbers.WIDTH)
    return code + mark + part
