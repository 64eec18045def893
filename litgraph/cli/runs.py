"""`anthology runs`: what was measured of a claim, and what changed between two runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anthology.errors import AnthologyError
from litgraph.cli._options import Cache, Format, Root, graph

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from anthology.runfile import Run, TestRun
    from anthology.summary import Spread
    from litgraph.graph import Graph


class UsageError(AnthologyError):
    """The words do not make a question."""


def runs(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="ID | diff A B", help="A claim, or a record with claims.", show_default=False
        ),
    ],
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the claim's series into FILE, as SVG.", show_default=False
        ),
    ] = None,
    format: Format = "table",
    root: Root = None,
    no_cache: Cache = False,
) -> None:
    """Show what was measured of a claim: criterion, values, verdict, scope, environment, history.

    `runs diff A B` compares two: claims, or states of them as CLAIM@REVISION, such as
    NOTE-274#C1@HEAD~3.
    """  # fmt: skip
    from anthology.errors import UnknownNameError
    from litgraph import formats

    if format not in formats.names():
        raise UnknownNameError("format", format, formats.names())
    if words[0] == "diff":
        if len(words) != 3:
            raise UsageError("`runs diff` takes two: claims, or CLAIM@REVISION")
        _diff(graph(root, cache=not no_cache), words[1], words[2], format)
        return
    if len(words) > 1:
        raise UsageError("`runs` takes one id; to compare two, write `runs diff A B`")
    corpus = graph(root, cache=not no_cache)
    if plot is not None:
        _plot(corpus, words[0], plot)
    else:
        _show(corpus, words[0], format)


def _show(corpus: Graph, name: str, format: str) -> None:
    from anthology import history, verify
    from anthology.errors import NothingFoundError
    from anthology.runs import files
    from litgraph import formats
    from litgraph.cli import _claims as printed

    chosen, stored = verify.select(corpus, [name]), files(corpus)
    if not any(each in stored for each in chosen):
        what = chosen[0] if len(chosen) == 1 else corpus.resolve(name)
        raise NothingFoundError(f"{what} has no run; `anthology verify '{what}'` makes one")
    chosen = [each for each in chosen if each in stored]
    verdicts = verify.verdicts(corpus, chosen)
    if format == "table":
        for number, (claim, verdict) in enumerate(verdicts.items()):
            if number:
                sys.stdout.write("\n")
            lines = printed.describe(corpus, claim, verdict, full=True)
            sys.stdout.writelines(f"{line}\n" for line in lines)
            for state in history.states(corpus, claim):
                sys.stdout.write(f"  {state.date} {state.commit[:10]} {_said(state.run)}\n")
        return
    rows = printed.rows(corpus, verdicts, full=True)
    for row in rows:
        row["history"] = [
            {"commit": each.commit, "date": each.date, "verdict": _said(each.run)}
            for each in history.states(corpus, row["claim"])
        ]
    sheet = formats.Sheet("anthology.runs/1", rows, ("claim", "verdict", "text"))
    formats.write(format, sheet, sys.stdout)


def _plot(corpus: Graph, name: str, target: Path) -> None:
    """Draw each test's series; several tests make several files, named after them."""
    from anthology import history, plans
    from litgraph.site import plots

    claim, run = history.find(corpus, name)
    for test in corpus.claims[claim].tests:
        numbers = run.tests.get(test.name)
        if numbers is None:
            continue
        try:
            labels = dict(plans.make(corpus.config, test).description.series)
        except plans.PlanError:
            labels = {}  # the experiment is gone; its numbers are not
        title = f"{claim} ({test.name})" if test.name else claim
        drawn = plots.svg(numbers, labels, title)
        more = f"-{test.name}" if test.name else ""
        file = target.with_name(f"{target.stem}{more}{target.suffix or '.svg'}")
        file.write_text(drawn, encoding="utf-8")
        sys.stderr.write(f"wrote {file}\n")


def _said(run: Run | None) -> str:
    """Say what the numbers of a run said by its own criterion."""
    from anthology.judge import worst

    if run is None or not run.tests:
        return "cannot be read"
    return str(worst(each.judged() for each in run.tests.values()))


def _diff(corpus: Graph, first: str, second: str, format: str) -> None:
    from anthology import history
    from litgraph import formats

    (_, a), (_, b) = history.find(corpus, first), history.find(corpus, second)
    rows = [
        {"test": name, "what": what, "first": one, "second": two}
        for name in dict.fromkeys([*a.tests, *b.tests])
        for what, one, two in _rows(a.tests.get(name), b.tests.get(name))
        if one != two
    ]
    sheet = formats.Sheet(
        "anthology.runs-diff/1", rows, ("test", "what", "first", "second"),
        titles={"first": first, "second": second}, empty="nothing differs",
    )  # fmt: skip
    formats.write(format, sheet, sys.stdout)


def _rows(a: TestRun | None, b: TestRun | None) -> Iterator[tuple[str, str, str]]:
    """Yield what can differ between two runs of a test, with each side's value."""
    from anthology import keys

    if a is None or b is None:
        yield "test", "not there" if a is None else "there", "not there" if b is None else "there"
        return
    yield "verdict", str(a.judged()), str(b.judged())
    for part, said in keys.changes(a.parts, b.parts):
        what, _, change = said.partition(": ")
        one, arrow, two = change.partition(" → ")
        yield (what, one, two) if arrow else (part, "", said)
    for name in ("form", "expect", "refute", "guard", "floor"):
        yield name, _listed(a.criteria.get(name)), _listed(b.criteria.get(name))
    left, right = _spreads(a), _spreads(b)
    for key in dict.fromkeys([*left, *right]):
        control, quantity = key
        what = f"{quantity}, control {control}" if control else quantity
        yield what, str(left.get(key, "")), str(right.get(key, ""))
    for name in dict.fromkeys([*a.environment, *b.environment]):
        yield name, str(a.environment.get(name, "")), str(b.environment.get(name, ""))


def _spreads(run: TestRun) -> Mapping[tuple[str, str], Spread]:
    from anthology import summary

    found = summary.measured(run.criterion(), run)
    return {(each.control, each.quantity): each for each in found}


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
