"""`anthology fix`: repair what needs no person to decide."""

from __future__ import annotations

from typing import Annotated

import typer

from litgraph.cli._options import Root, load
from litgraph.cli._writing import Diff, finish


def fix(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="Records. All by default.", show_default=False),
    ] = None,
    converses: Annotated[
        bool,
        typer.Option(
            "--converses", help="Write both sides of a relation where luria.yaml asks for both."
        ),
    ] = False,
    diff: Diff = False,
    root: Root = None,
) -> None:
    """Repair what has one reading; all else in the files stays byte for byte.

    It quotes a value that holds a colon (`title: A: B`) or that other readers of YAML damage
    (`arxiv: 2103.10`), makes an HTML comment in the front matter one of YAML, drops a target
    that its list has twice, takes `target-absent` back where the target is here, and points
    an edge at what was filed for its placeholder.

    A record that is what others called "?slug" says so: `fills: "?slug"`, or for a claim or
    sense of it `fills: {C1: "?slug"}`. Every edge `to: "?slug"` then leads to it, and keeps
    `was: "?slug"` and `filed:`, the date on which the edge was filed.

    Exit codes: 0 fine; 1 a file could not be read and was left as it is.
    """
    from litgraph.mending import repairs

    corpus = load(root)
    wanted = [corpus.records[corpus.resolve(each).partition("#")[0]] for each in names or ()]
    outcome = repairs.repair(corpus, wanted if names else None, both_sides=converses)
    finish(corpus.config, outcome, diff=diff)
