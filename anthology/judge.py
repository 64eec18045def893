"""From stored numbers to a verdict: pure, so that anybody can judge again without running.

    universal    every seed within `expect`; one seed in `refute` refutes
    existential  one seed within `expect` is a witness; its absence shows nothing
    statistical  the 95 % t-interval of the mean wholly inside `expect` or `refute`
    causal       as universal over its arms, and every seed of every control must miss
    definition   nothing to run

A control is judged by the same rule. Where one meets `expect`, the test would pass whether
or not the claim holds: it is vacuous. NaN keeps no bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from anthology.criteria import MAIN, Condition, Numbers
from anthology.intervals import interval

# From worst to best: the worst verdict among a claim's tests is the claim's.
WORDS = ("refuted", "vacuous", "error", "inconclusive", "untested", "supported", "corroborated")
FAILED = frozenset({"refuted", "vacuous", "error"})
PASSED = frozenset({"supported", "corroborated"})

# Why a verdict is inconclusive.
BETWEEN = "between the bounds"
DISAGREE = "seeds disagree"
FLOOR = "numerical floor"
GUARD = "guard"
BUDGET = "budget"
NAN = "not a number"

Seeds = Mapping[int, Numbers]  # seed -> arm -> metric -> value


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a record's own runs say of a claim.

    Attributes:
        word: One of `WORDS`.
        cause: Why, in a few words; one of a closed set where inconclusive.
        detail: Why, with the numbers.
        passed: Seeds within `expect`.
        seeds: Seeds that were asked for.
        tests: Each test's own verdict, where a claim has several.
        stale: What changed since the numbers were measured: (part, change).
        notes: What asks for a look and changes no verdict.

    """

    word: str
    cause: str = ""
    detail: str = ""
    passed: int = 0
    seeds: int = 0
    tests: tuple[tuple[str, Verdict], ...] = ()
    stale: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether something must be done: refuted, vacuous or in error."""
        return self.word in FAILED

    def __str__(self) -> str:
        """`corroborated (20/20)`, `inconclusive (seeds disagree)`."""
        why = self.cause or (f"{self.passed}/{self.seeds}" if self.seeds else "")
        return f"{self.word} ({why})" if why else self.word


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """Everything that judging needs to know of a claim and its test.

    Attributes:
        form: What a pass means; empty where nobody has said.
        expect: All must hold.
        refute: Any suffices.
        guard: All must hold for a seed's numbers to mean anything.
        floor: Where any holds, the number is below what the arithmetic can tell.
        seeds: How many were asked for: 0 to n - 1.
        arms: Names of the arms that each seed measures.
        controls: Names of the controls.

    """

    form: str
    expect: tuple[Condition, ...]
    refute: tuple[Condition, ...] = ()
    guard: tuple[Condition, ...] = ()
    floor: tuple[Condition, ...] = ()
    seeds: int = 1
    arms: tuple[str, ...] = (MAIN,)
    controls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """The numbers of one test.

    Attributes:
        main: Seed to arm to metric to value.
        controls: The same for each control.
        error: Why the run could not be finished; empty where nothing went wrong.

    """

    main: Seeds = field(default_factory=dict)
    controls: Mapping[str, Seeds] = field(default_factory=dict)
    error: str = ""


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the worst of several verdicts, the first among equals."""
    return min(verdicts, key=lambda each: WORDS.index(each.word))


def judge(criterion: Criterion, measured: Measured) -> Verdict:
    """Judge one test by its numbers."""
    if reason := unjudgeable(criterion):
        return Verdict("untested", reason)
    complete = {
        seed: arms
        for seed in range(criterion.seeds)
        if set(criterion.arms) <= set(arms := measured.main.get(seed, {}))
    }
    if strange := _strange_term(criterion, complete):
        return replace(strange, seeds=criterion.seeds)
    main = _RULES[criterion.form](criterion, complete)
    if main.word == "refuted":
        return main
    outcomes = [main]
    for name in criterion.controls:
        given = measured.controls.get(name, {})
        seeds = {
            seed: arms
            for seed in range(criterion.seeds)
            if set(criterion.arms) <= set(arms := given.get(seed, {}))
        }
        verdict = _control(criterion, name, seeds)
        if verdict is not None:
            outcomes.append(verdict)
    outcome = worst(outcomes)
    if measured.error and outcome.word != "vacuous":
        outcome = Verdict("error", measured.error)
    return Verdict(outcome.word, outcome.cause, outcome.detail, main.passed, criterion.seeds)


def unjudgeable(criterion: Criterion) -> str:
    """Return why no number could decide a claim of this form by this test; empty if one can."""
    if criterion.form == "definition":
        return "a definition: nothing to run"
    if criterion.form not in _RULES:
        return "no form: nothing says what a pass would mean"
    if criterion.form == "existential" and criterion.refute:
        return "an existential claim is not refuted by seeds that miss it: delete `refute`"
    if criterion.form == "causal" and len(criterion.arms) < 2:
        return "a causal claim needs an arm with the intervention and one without"
    if criterion.form == "causal" and not criterion.controls:
        return "a causal claim needs a control that must miss"
    return ""


def _strange_term(criterion: Criterion, seeds: Seeds) -> Verdict | None:
    """Find a condition about what was not measured: it says nothing about the claim."""
    groups = (criterion.expect, criterion.refute, criterion.guard, criterion.floor)
    for term in dict.fromkeys(t for group in groups for each in group for t in each.terms):
        if term.arm not in criterion.arms:
            return Verdict("inconclusive", BUDGET, f"the arm `{term.arm}` is not measured")
        given = {name for arms in seeds.values() for name in arms[term.arm]}
        if given and term.metric not in given:
            said = f"the run gives no `{term}`; it gives {', '.join(sorted(given))}"
            return Verdict("error", said)
    return None


# ---------------------------------------------------------------- one seed


def _mark(criterion: Criterion, numbers: Numbers) -> str:
    """Say where one seed falls: floor, guard, refute, within, miss or nan."""
    if any(each.holds(each.quantity(numbers)) for each in criterion.floor):
        return FLOOR
    if not all(each.holds(each.quantity(numbers)) for each in criterion.guard):
        return GUARD
    if any(each.holds(each.quantity(numbers)) for each in criterion.refute):
        return "refute"
    return _meets(criterion.expect, numbers)


def _meets(expect: tuple[Condition, ...], numbers: Numbers) -> str:
    """Say whether one seed is within `expect`; a value that is outside outranks a NaN."""
    values = [(each, each.quantity(numbers)) for each in expect]
    if any(not math.isnan(value) and not each.holds(value) for each, value in values):
        return "miss"
    return NAN if any(math.isnan(value) for _, value in values) else "within"


def _unsound(marks: Mapping[int, str]) -> Verdict | None:
    """Return the verdict where some seed's numbers mean nothing, if any."""
    for cause, said in (
        (FLOOR, "below what the arithmetic can tell"),
        (GUARD, "outside the guard"),
        (NAN, "not a number"),
    ):
        found = [seed for seed, mark in marks.items() if mark == cause]
        if found:
            return Verdict("inconclusive", cause, f"{said} in {_seeds(found, len(marks))}")
    return None


def _seeds(found: list[int], total: int) -> str:
    """Say which: `1 of 20 seeds (3)`."""
    listed = ", ".join(map(str, found[:5])) + (", …" if len(found) > 5 else "")
    return f"{len(found)} of {total} seeds ({listed})"


# ---------------------------------------------------------------- the forms


def _missing(criterion: Criterion, seeds: Seeds) -> Verdict | None:
    if len(seeds) < criterion.seeds:
        said = f"{len(seeds)} of {criterion.seeds} seeds are measured"
        return Verdict("inconclusive", BUDGET, said)
    return None


def _universal(criterion: Criterion, seeds: Seeds) -> Verdict:
    marks = {seed: _mark(criterion, numbers) for seed, numbers in seeds.items()}
    within = [seed for seed, mark in marks.items() if mark == "within"]
    refuting = [seed for seed, mark in marks.items() if mark == "refute"]
    passed, n = len(within), criterion.seeds
    if refuting:
        why = f"{len(refuting)} of {n} seeds" if n > 1 else "its one seed"
        detail = f"{_held(criterion.refute, seeds[refuting[0]])} in seed {refuting[0]}"
        return Verdict("refuted", why, detail, passed, n)
    bad = _unsound(marks) or _missing(criterion, seeds)
    if bad is None and passed < n:
        cause = DISAGREE if passed else BETWEEN
        missed = next(seed for seed, mark in marks.items() if mark == "miss")
        detail = f"{passed} of {n} seeds within; {_values(criterion.expect, seeds[missed])}"
        bad = Verdict("inconclusive", cause, f"{detail} in seed {missed}")
    if bad is not None:
        return Verdict(bad.word, bad.cause, bad.detail, passed, n)
    word = "corroborated" if criterion.form == "universal" else "supported"
    return Verdict(word, "", "", passed, n)


def _existential(criterion: Criterion, seeds: Seeds) -> Verdict:
    marks = {seed: _mark(criterion, numbers) for seed, numbers in seeds.items()}
    witnesses = [seed for seed, mark in marks.items() if mark == "within"]
    n = criterion.seeds
    if witnesses:
        detail = f"{_values(criterion.expect, seeds[witnesses[0]])} in seed {witnesses[0]}"
        return Verdict("supported", "", detail, len(witnesses), n)
    found = _missing(criterion, seeds)
    if found is None and not any(mark == "miss" for mark in marks.values()):
        found = _unsound(marks)
    if found is None:
        found = Verdict("inconclusive", BETWEEN, f"no witness among {n} seeds")
    return Verdict(found.word, found.cause, found.detail, 0, n)


def _statistical(criterion: Criterion, seeds: Seeds) -> Verdict:
    marks = {seed: _mark(criterion, numbers) for seed, numbers in seeds.items()}
    passed = sum(mark == "within" for mark in marks.values())
    n = criterion.seeds
    bad = _unsound(marks) or _missing(criterion, seeds)
    if bad is None and n < 2:
        bad = Verdict("inconclusive", BUDGET, "one seed gives no interval")
    if bad is not None:
        return Verdict(bad.word, bad.cause, bad.detail, passed, n)
    cause = f"95 % interval of {n} seeds"
    for each in criterion.refute:
        if _inside(each, seeds):
            return Verdict("refuted", cause, _interval_of(each, seeds), passed, n)
    if all(_inside(each, seeds) for each in criterion.expect):
        detail = "; ".join(_interval_of(each, seeds) for each in criterion.expect)
        return Verdict("supported", cause, detail, passed, n)
    detail = next(_interval_of(e, seeds) for e in criterion.expect if not _inside(e, seeds))
    return Verdict("inconclusive", BETWEEN, detail, passed, n)


_RULES = {
    "universal": _universal,
    "existential": _existential,
    "statistical": _statistical,
    "causal": _universal,
}


def _inside(condition: Condition, seeds: Seeds) -> bool:
    _, low, high = interval(condition.quantity(numbers) for numbers in seeds.values())
    return condition.holds(low) and condition.holds(high)


def _interval_of(condition: Condition, seeds: Seeds) -> str:
    mean, low, high = interval(condition.quantity(numbers) for numbers in seeds.values())
    return f"mean {mean:.4g} [{low:.4g}, {high:.4g}] against `{condition}`"


def _held(conditions: tuple[Condition, ...], numbers: Numbers) -> str:
    """Say the value of the first condition that holds."""
    held = next(each for each in conditions if each.holds(each.quantity(numbers)))
    return f"{held.quantity(numbers):.4g} for `{held}`"


def _values(conditions: tuple[Condition, ...], numbers: Numbers) -> str:
    """Say the value of the condition that is missed, or of the first."""
    values = [(each, each.quantity(numbers)) for each in conditions]
    each, value = next((v for v in values if not v[0].holds(v[1])), values[0])
    return f"{value:.4g} for `{each}`"


# ---------------------------------------------------------------- controls


def _control(criterion: Criterion, name: str, seeds: Seeds) -> Verdict | None:
    """Judge a control; None where it misses `expect`, as it must.

    Its guard and floor count only where `expect` is met: numbers that mean nothing
    cannot show that the expectation is able to fail.
    """
    if len(seeds) < criterion.seeds:
        said = f"control `{name}`: {len(seeds)} of {criterion.seeds} seeds are measured"
        return Verdict("inconclusive", BUDGET, said)
    marks = {seed: _meets(criterion.expect, numbers) for seed, numbers in seeds.items()}
    hits = [seed for seed, mark in marks.items() if mark == "within"]
    unclear = [seed for seed, mark in marks.items() if mark == NAN]
    meets, misses = bool(hits), not hits
    if criterion.form == "statistical":
        meets = len(seeds) > 1 and all(_inside(each, seeds) for each in criterion.expect)
        misses = not meets
    elif criterion.form == "universal":
        meets = len(hits) == len(seeds)
        misses = any(mark == "miss" for mark in marks.values())
    elif criterion.form == "causal":
        meets = len(hits) == len(seeds)
    if meets:
        sound = {seed: _mark(criterion, seeds[seed]) for seed in hits}
        if criterion.form == "existential" and "within" in sound.values():
            sound = {}  # one sound witness is enough
        bad = _unsound(sound)
        if bad is not None:
            return Verdict(bad.word, bad.cause, f"control `{name}`: {bad.detail}")
        count = f"{len(hits)} of {len(seeds)} seeds within"
        return Verdict("vacuous", f"control `{name}` meets `expect`", count)
    if unclear and not (criterion.form == "universal" and misses):
        said = f"control `{name}`: not a number in {_seeds(unclear, len(seeds))}"
        return Verdict("inconclusive", NAN, said)
    if misses:
        return None
    said = f"control `{name}`: {len(hits)} of {len(seeds)} seeds within `expect`; none may be"
    return Verdict("inconclusive", DISAGREE, said)
