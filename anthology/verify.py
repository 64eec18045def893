"""Verdicts: of the stored numbers at any time, of new ones where they are asked for.

`verdicts` says what the stored numbers say and runs nothing. `claim` measures what of one
claim is missing or stale and judges it; `run` does that for many.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from anthology import cache, keys, plans, runs
from anthology.errors import AnthologyError, NothingFoundError, UnknownNameError
from anthology.judge import BUDGET, Verdict, judge, unjudgeable, worst

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from anthology.measure import Options, run
    from anthology.records import Claim, Test
    from anthology.runfile import Run, TestRun
    from anthology.runs import Claims, Named

__all__ = ["Options", "Verdict", "claim", "run", "verdict", "verdicts"]

NOT_RUN = "not run yet"


def __getattr__(name: str) -> object:
    """Import what starts processes on first use: a question needs none of it."""
    if name in {"Options", "run"}:
        from anthology import measure

        return getattr(measure, name)
    raise AttributeError(f"module 'anthology.verify' has no attribute {name!r}")


def verdicts(
    corpus: Claims, names: Iterable[str] | None = None, *, stale: bool = True
) -> dict[str, Verdict]:
    """Return the verdicts of claims by their stored numbers. Nothing is run.

    Args:
        corpus: The records.
        names: Ids of claims; by default all.
        stale: Whether to look for what changed since the numbers were measured.

    """
    files = runs.files(corpus)
    with cache.kept(corpus.config) if stale else contextlib.nullcontext():
        return {
            name: verdict(corpus, corpus.claims[name], files.get(name), stale=stale)
            for name in (corpus.claims if names is None else names)
        }


def measured(corpus: Claims, *, stale: bool = True) -> dict[str, Verdict]:
    """Return the verdicts of the claims that have a run file: all others are untested."""
    return verdicts(corpus, runs.files(corpus), stale=stale)


def claim(corpus: Claims, name: str, *, rerun: bool = False, **options: object) -> Verdict:
    """Measure what of a claim is missing or stale, and return its verdict.

    Args:
        corpus: The records.
        name: The claim's id, `NOTE-274#C1`.
        rerun: Whether to measure again what is fresh.
        options: Fields of `Options`.

    Raises:
        UnknownNameError: There is no such claim.

    """
    from anthology import measure

    found = corpus.find(name)
    if found is None or found not in corpus.claims:
        raise UnknownNameError("claim", name, corpus.claims)
    settings = measure.Options(rerun=rerun, **options)  # type: ignore[arg-type] # its own fields
    return measure.run(corpus, [found], settings)[found]


def verdict(
    corpus: Claims, claim: Claim, file: Path | None = None, *, stale: bool = True
) -> Verdict:
    """Return a claim's verdict by the numbers of its run file."""
    if reason := nothing_to_run(claim):
        return Verdict("untested", reason)
    try:
        stored = None if file is None else runs.read(file)
    except AnthologyError as error:
        return Verdict("error", f"its run file {error}")
    return of(corpus, claim, stored, stale=stale)


def of(
    corpus: Claims,
    claim: Claim,
    stored: Run | None,
    faults: Mapping[str, str] | None = None,
    *,
    stale: bool = True,
) -> Verdict:
    """Judge a claim by what is stored; `faults` name the tests that cannot be run."""
    several = len(claim.tests) > 1
    judged = []
    for test in claim.tests:
        found = _test(corpus, claim, test, stored, (faults or {}).get(test.name, ""), stale=stale)
        judged.append((test.name or test.run, found))
    one = worst(each for _, each in judged)
    changed = [
        (part, f"{name}: {said}" if several else said)
        for name, each in judged
        for part, said in each.stale
    ]
    notes = [note for _, each in judged for note in each.notes]
    if stored is not None and stored.text and stored.text != keys.text(claim.text):
        notes.append("reworded since it was judged")
    return Verdict(
        one.word, one.cause, one.detail, one.passed, one.seeds,
        tests=tuple(judged) if several else (),
        stale=tuple(dict.fromkeys(changed)), notes=tuple(dict.fromkeys(notes)),
    )  # fmt: skip


def _test(
    corpus: Claims, claim: Claim, test: Test, stored: Run | None, fault: str, *, stale: bool
) -> Verdict:
    criterion = plans.criterion(claim, test)
    if reason := unjudgeable(criterion):
        return Verdict("untested", reason)
    numbers = stored.tests.get(test.name) if stored is not None else None
    if fault:
        return Verdict("error", fault, seeds=test.seeds)
    if numbers is None:
        return Verdict("untested", NOT_RUN)
    found = judge(plans.criterion(claim, test, numbers.parts), numbers.measured())
    return Verdict(
        found.word, found.cause, found.detail, found.passed, found.seeds,
        stale=changes(corpus, test, numbers) if stale else (),
        notes=tuple(_moved(claim, test, numbers)),
    )  # fmt: skip


def changes(corpus: Claims, test: Test, numbers: TestRun) -> tuple[tuple[str, str], ...]:
    """Return what changed since a test's numbers were measured, part by part."""
    try:
        plan = plans.make(corpus.config, test)
    except plans.PlanError as error:
        return ((error.where[0] if error.where else "run", str(error)),)
    current = dict(plan.parts)
    if numbers.parts.get("device") != current["device"]:
        del current["device"]  # another one was asked for when it ran
    return keys.changes(numbers.parts, current)


def judgement(claim: Claim, test: Test) -> dict[str, object]:
    """Return a test's judgement key."""
    groups = {name: getattr(test, name) for name in ("expect", "refute", "guard", "floor")}
    return keys.criteria(claim.form, groups)


def _moved(claim: Claim, test: Test, numbers: TestRun) -> Iterator[str]:
    """Say where the criterion is not the one that stood when the values were first seen."""
    if not numbers.arms:
        return
    old, new = numbers.seen or numbers.criteria, judgement(claim, test)
    for name in ("form", "expect", "refute", "guard", "floor"):
        was, now = old.get(name, ""), new.get(name, "")
        if was != now:
            yield (f"criterion changed after values were seen: {name} {_say(was)} → {_say(now)}")


def _say(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text or "none"


def nothing_to_run(claim: Claim) -> str:
    """Return why a claim has no numbers and will have none; empty where it can be run."""
    if claim.tests and claim.form != "definition":
        return ""
    if claim.untested:
        return claim.untested
    return "a definition: nothing to run" if claim.form == "definition" else "no test is linked"


def incomplete(verdict: Verdict) -> bool:
    """Whether a run has seeds to measure still."""
    return verdict.cause in {BUDGET, NOT_RUN} or verdict.word == "error"


def select(corpus: Named, names: Iterable[str]) -> list[str]:
    """Return the claims that selectors name: claims, or records that hold some; all by default.

    Raises:
        UnknownNameError: Nothing has that name.
        NothingFoundError: What has it holds no claim.

    """
    chosen: dict[str, None] = {}
    wanted = list(names)
    for name in wanted:
        found = corpus.resolve(name)
        inside = [found] if found in corpus.claims else corpus.parts(found)
        inside = [each for each in inside if each in corpus.claims]
        if not inside:
            raise NothingFoundError(f"{found} holds no claim, so there is nothing to verify")
        chosen.update(dict.fromkeys(inside))
    return list(chosen) if wanted else list(corpus.claims)
