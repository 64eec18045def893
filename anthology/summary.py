"""A test in words, and what was measured: each quantity's spread per arm and control."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, NamedTuple

from anthology.criteria import MAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from anthology.criteria import Condition
    from anthology.judge import Criterion, Seeds
    from anthology.runfile import TestRun


def words(criterion: Criterion) -> str:
    """Say in words what would pass and what would refute."""
    return "; ".join(_clauses(criterion))


def _clauses(criterion: Criterion) -> Iterator[str]:
    n = criterion.seeds
    expect = " and ".join(map(str, criterion.expect))
    every = f"every one of {n} seeds" if n > 1 else "its one seed"
    yield {
        "existential": f"at least one of {n} seeds must have {expect}",
        "statistical": f"the 95 % interval of the mean of {n} seeds must lie in {expect}",
    }.get(criterion.form, f"{every} must have {expect}")
    if criterion.refute:
        refute = " or ".join(map(str, criterion.refute))
        what = "an interval wholly in" if criterion.form == "statistical" else "one with"
        yield f"{what} {refute} refutes it"
    if criterion.guard:
        yield f"a seed counts only with {' and '.join(map(str, criterion.guard))}"
    if criterion.floor:
        yield f"{' or '.join(map(str, criterion.floor))} is the numerical floor"
    if criterion.controls:
        names = [f"`{name}`" for name in criterion.controls]
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        yield f"the control{'s' if len(names) > 1 else ''} {listed} must miss"


class Spread(NamedTuple):
    """One quantity over the seeds.

    Attributes:
        control: The control that it was measured under; empty for the test itself.
        quantity: A metric, or what a condition makes of two, with its arm where it is not main.
        mean: Of the seeds that gave a number; NaN where none did.
        low: Least.
        high: Greatest.
        given: Seeds that gave a number.
        seeds: Seeds that were measured.
        judged: Whether a condition is about it.

    """

    control: str
    quantity: str
    mean: float
    low: float
    high: float
    given: int
    seeds: int
    judged: bool

    def __str__(self) -> str:
        """`3.001 [2.996, 3.007]`."""
        if not self.given:
            return "not a number"
        text = f"{self.mean:.4g} [{self.low:.4g}, {self.high:.4g}]"
        missing = self.seeds - self.given
        return f"{text}, not a number in {missing} of {self.seeds} seeds" if missing else text


def judged(criterion: Criterion, run: TestRun) -> list[Spread]:
    """Return the quantities that the criterion bounds, for the test and for each control."""
    groups = (criterion.expect, criterion.refute, criterion.guard, criterion.floor)
    quantities: dict[str, Condition] = {}
    for condition in (each for group in groups for each in group):
        quantities.setdefault(named(condition), condition)
    return [
        _spread(control, name, (condition.quantity(numbers) for numbers in seeds.values()), True)
        for name, condition in quantities.items()
        for control, seeds in _groups(run)
    ]


def measured(criterion: Criterion, run: TestRun) -> list[Spread]:
    """Return every metric of every arm, for the test and for each control."""
    groups = (criterion.expect, criterion.refute, criterion.guard, criterion.floor)
    terms = {term for group in groups for each in group for term in each.terms}
    spreads = []
    for control, seeds in _groups(run):
        arms = dict.fromkeys(arm for arms in seeds.values() for arm in arms)
        for arm in arms:
            given = [arms[arm] for arms in seeds.values() if arm in arms]
            for metric in dict.fromkeys(name for each in given for name in each):
                name = metric if arm == MAIN else f"{arm}.{metric}"
                values = (each.get(metric, math.nan) for each in given)
                spreads.append(_spread(control, name, values, (arm, metric) in terms))
    return spreads


def named(condition: Condition) -> str:
    """Return what a condition bounds, without the bound."""
    if condition.right is None:
        return str(condition.left)
    if condition.sign == "|-|":
        return f"|{condition.left} - {condition.right}|"
    return f"{condition.left} {condition.sign} {condition.right}"


def _groups(run: TestRun) -> Iterator[tuple[str, Seeds]]:
    numbers = run.measured()
    yield "", numbers.main
    yield from numbers.controls.items()


def _spread(control: str, name: str, values: Iterable[float], is_judged: bool) -> Spread:
    given = list(values)
    known = [each for each in given if not math.isnan(each)]
    if not known:
        return Spread(control, name, math.nan, math.nan, math.nan, 0, len(given), is_judged)
    mean = statistics.fmean(known)
    return Spread(control, name, mean, min(known), max(known), len(known), len(given), is_judged)


def environment(run: TestRun) -> str:
    """Say what it ran on, in a line."""
    known: Mapping[str, str | int] = run.environment
    said = [f"{name} {known[name]}" for name in ("python", "torch") if name in known]
    if known.get("threads"):
        said.append(f"{known['threads']} thread{'s' if known['threads'] != 1 else ''}")
    if "platform" in known:
        said.append(str(known["platform"]))
    said.append(f"{run.parts.get('dtype', '')} on {run.parts.get('device', '')}")
    if run.commit:
        said.append(f"commit {run.commit[:10]}{', with changes' if run.dirty else ''}")
    return ", ".join(said)
