"""How a claim's criterion, numbers and verdict are printed, for `verify`, `runs` and `show`."""

from __future__ import annotations

import math
import shutil
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from anthology.judge import Verdict
    from anthology.records import Claim, Test
    from anthology.runs import Run, TestRun
    from anthology.summary import Spread
    from litgraph.graph import Graph


def describe(
    corpus: Graph, name: str, verdict: Verdict, *, full: bool = False, head: bool = True
) -> Iterator[str]:
    """Yield lines: the claim, each test's criterion and numbers, the verdict and its cause.

    Args:
        corpus: The records.
        name: The claim's id.
        verdict: What its numbers say.
        full: Whether to print every metric, the scope and the environment too.
        head: Whether to start with the claim's own words.

    """
    from anthology import runs

    claim = corpus.claims[name]
    if head:
        yield from _wrapped(f"{name}: {claim.text}")
    run = _read(runs.files(corpus).get(name))
    several = len(claim.tests) > 1
    for number, test in enumerate(claim.tests):
        if several:
            yield ""
            yield f"test {test.name or test.run}"
        numbers = run.tests.get(test.name) if run is not None else None
        own = verdict.tests[number][1] if several and verdict.tests else verdict
        yield from _test(claim, test, numbers, own, full=full)
    if several:
        yield ""
    if several or not claim.tests:
        yield str(verdict)
    for note in verdict.notes:
        yield from _wrapped(f"look again: {note}")
    for _, said in verdict.stale:
        yield from _wrapped(f"stale: {said}")


def _test(
    claim: Claim, test: Test, numbers: TestRun | None, verdict: Verdict, *, full: bool
) -> Iterator[str]:
    from anthology import plans, summary

    parts = numbers.parts if numbers is not None else None
    criterion = plans.criterion(claim, test, parts)
    yield from _wrapped(f"{claim.form or 'no form'}: {summary.words(criterion)}", "  ")
    yield str(verdict)
    if verdict.detail:
        yield from _wrapped(verdict.detail, "  ")
    if numbers is None:
        return
    spreads = summary.measured(criterion, numbers) if full else summary.judged(criterion, numbers)
    yield from _table(spreads)
    if full:
        if test.shows:
            yield from _wrapped(f"shows {test.shows}", "  ")
        if test.does_not_show:
            yield from _wrapped(f"does not show {test.does_not_show}", "  ")
        yield from _wrapped(summary.environment(numbers), "  ")
    memory = f", {numbers.memory:.0f} MB" if full and numbers.memory else ""
    yield f"  {numbers.seconds:.2f} s{memory}"


def _table(spreads: Iterable[Spread]) -> Iterator[str]:
    rows = [
        (each.quantity, f"control {each.control}" if each.control else "", str(each))
        for each in spreads
    ]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
    for quantity, control, said in rows:
        yield f"  {quantity:<{widths[0]}}  {control:<{widths[1]}}  {said}".rstrip()


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        shutil.get_terminal_size((80, 24)).columns,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
        break_long_words=False,
    )


def rows(
    corpus: Graph, verdicts: Mapping[str, Verdict], *, full: bool = False
) -> list[dict[str, Any]]:
    """Return verdicts as rows: all that is known of each claim's tests.

    Args:
        corpus: The records.
        verdicts: Claim to verdict.
        full: Whether to give every metric, what the numbers rest on, and the environment.

    """
    from anthology import runs

    files = runs.files(corpus)
    return [
        _row(corpus, name, verdict, _read(files.get(name)), full=full)
        for name, verdict in verdicts.items()
    ]


def _row(
    corpus: Graph, name: str, verdict: Verdict, run: Run | None, *, full: bool
) -> dict[str, Any]:
    claim = corpus.claims[name]
    tests = []
    for number, test in enumerate(claim.tests):
        own = verdict.tests[number][1] if verdict.tests else verdict
        numbers = run.tests.get(test.name) if run is not None else None
        tests.append(_test_row(claim, test, own, numbers, full=full))
    path, line, _ = corpus.place(name)
    return {
        "claim": name,
        "text": claim.text,
        "form": claim.form,
        "verdict": verdict.word,
        "cause": verdict.cause,
        "detail": verdict.detail,
        "passed": verdict.passed,
        "seeds": verdict.seeds,
        "stale": [said for _, said in verdict.stale],
        "notes": list(verdict.notes),
        "tests": tests,
        "file": path,
        "line": line,
    }


def _test_row(
    claim: Claim, test: Test, verdict: Verdict, numbers: TestRun | None, *, full: bool
) -> dict[str, Any]:
    from anthology import plans, summary

    criterion = plans.criterion(claim, test, numbers.parts if numbers is not None else None)
    spreads: list[Spread] = []
    if numbers is not None:
        choose = summary.measured if full else summary.judged
        spreads = choose(criterion, numbers)
    row: dict[str, Any] = {
        "name": test.name,
        "run": test.run,
        "criterion": summary.words(criterion),
        "verdict": verdict.word,
        "cause": verdict.cause,
        "detail": verdict.detail,
        "passed": verdict.passed,
        "seeds": verdict.seeds,
        "values": [
            {
                "control": each.control,
                "quantity": each.quantity,
                "mean": _finite(each.mean),
                "min": _finite(each.low),
                "max": _finite(each.high),
                "given": each.given,
            }
            for each in spreads
        ],
        "seconds": numbers.seconds if numbers is not None else None,
        "shows": test.shows,
        "does_not_show": test.does_not_show,
    }
    if full and numbers is not None:
        for name in ("parts", "environment", "commit", "dirty", "memory"):
            row[name] = getattr(numbers, name)
    return row


def _finite(value: float) -> float | str | None:
    """Return what JSON can hold: nothing for NaN, text for infinities."""
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else str(value)


def _read(file: Path | None) -> Run | None:
    """Return a run; None where there is no file, or none that can be read."""
    from anthology import runs

    try:
        return runs.read(file) if file is not None else None
    except runs.RunFileError:
        return None
