"""What holds of every verdict, whatever the numbers."""

from __future__ import annotations

import math

from hypothesis import assume, given
from hypothesis import strategies as st

from anthology import criteria, intervals
from anthology.judge import FAILED, PASSED, WORDS, Criterion, Measured, judge

FORMS = ("universal", "existential", "statistical", "causal")
CAUSES = {
    *("between the bounds", "seeds disagree", "numerical floor"),
    *("guard", "budget", "not a number"),
}

numbers = st.floats(-10, 10) | st.sampled_from([0.0, 1.0, math.inf, -math.inf, math.nan])
columns = st.lists(numbers, min_size=1, max_size=8)
bounds = st.tuples(st.integers(-10, 10), st.integers(0, 10))


def rule(
    form: str, low: float, high: float, n: int, *, control: bool = False, refute: float = -1e9
) -> Criterion:
    arms = ("main", "other") if form == "causal" else ("main",)
    return Criterion(
        form=form,
        expect=(criteria.parse(f"x in [{low}, {high}]"),),
        refute=() if form == "existential" else (criteria.parse(f"x < {refute}"),),
        seeds=n,
        arms=arms,
        controls=("c",) if control or form == "causal" else (),
    )


def measured(
    form: str, column: list[float], control: list[float] | None = None, error: str = ""
) -> Measured:
    def seeds(values: list[float]) -> dict[int, dict[str, dict[str, float]]]:
        return {
            seed: {"main": {"x": value}, **({"other": {"x": 0.0}} if form == "causal" else {})}
            for seed, value in enumerate(values)
        }

    return Measured(seeds(column), {"c": seeds(control)} if control is not None else {}, error)


MISS = [math.inf] * 8  # keeps no interval


@given(st.sampled_from(FORMS), bounds, columns, st.booleans(), st.text(max_size=3))
def test_every_verdict_is_a_known_word_with_a_known_cause(
    form: str, bound: tuple[int, int], column: list[float], control: bool, error: str
) -> None:
    low, high = bound[0], bound[0] + bound[1]
    found = rule(form, low, high, len(column) + (len(error) == 1), control=control)
    verdict = judge(found, measured(form, column, column if control else MISS, error))
    assert verdict.word in WORDS
    assert verdict.cause in CAUSES or verdict.word != "inconclusive"
    assert 0 <= verdict.passed <= verdict.seeds


@given(st.sampled_from(FORMS), bounds, columns)
def test_nan_keeps_no_bound(form: str, bound: tuple[int, int], column: list[float]) -> None:
    low, high = bound[0], bound[0] + bound[1]
    found = rule(form, low, high, len(column) + 1)
    verdict = judge(found, measured(form, [*column, math.nan], [*MISS, math.inf]))
    if form == "existential":
        alone = judge(rule(form, low, high, len(column)), measured(form, column))
        assert (verdict.word in PASSED) is (alone.word in PASSED)
    else:
        assert verdict.word not in PASSED


@given(st.sampled_from(FORMS), bounds, columns, columns, st.randoms(use_true_random=False))
def test_the_order_of_seeds_changes_nothing(
    form: str, bound: tuple[int, int], column: list[float], control: list[float], random: object
) -> None:
    low, high = bound[0], bound[0] + bound[1]
    control = (control * 8)[: len(column)]
    found = rule(form, low, high, len(column), control=True, refute=-5)
    before = judge(found, measured(form, column, control))
    random.shuffle(column)  # type: ignore[attr-defined] # a Random
    random.shuffle(control)  # type: ignore[attr-defined] # a Random
    after = judge(found, measured(form, column, control))
    assert (before.word, before.cause, before.passed) == (after.word, after.cause, after.passed)


@given(st.sampled_from(FORMS), bounds, columns)
def test_a_control_equal_to_the_main_arm_is_vacuous_where_the_test_would_pass(
    form: str, bound: tuple[int, int], column: list[float]
) -> None:
    low, high = bound[0], bound[0] + bound[1]
    n = len(column)
    alone = judge(rule(form, low, high, n), measured(form, column, MISS))
    twin = judge(rule(form, low, high, n, control=True), measured(form, column, column))
    assert twin.word not in PASSED
    if alone.word in PASSED:
        assert twin.word == "vacuous"


@given(st.sampled_from(FORMS), bounds, columns, st.integers(0, 5), st.integers(0, 5))
def test_widening_expect_never_turns_a_pass_into_a_failure(
    form: str, bound: tuple[int, int], column: list[float], below: int, above: int
) -> None:
    low, high = bound[0], bound[0] + bound[1]
    n, numbers = len(column), measured(form, column, MISS)
    narrow = judge(rule(form, low, high, n, refute=-8), numbers)
    wide = judge(rule(form, low - below, high + above, n, refute=-8), numbers)
    if narrow.word in PASSED:
        assert wide.word == narrow.word
    assert wide.word == "refuted" or narrow.word != "refuted"
    if narrow.word not in FAILED:
        assert wide.word not in FAILED


@given(st.sampled_from(FORMS), bounds, columns, columns)
def test_with_a_control_a_wider_expectation_can_only_become_vacuous(
    form: str, bound: tuple[int, int], column: list[float], control: list[float]
) -> None:
    low, high = bound[0], bound[0] + bound[1]
    numbers = measured(form, column, (control * 8)[: len(column)])
    n = len(column)
    narrow = judge(rule(form, low, high, n, control=True), numbers)
    wide = judge(rule(form, low - 3, high + 3, n, control=True), numbers)
    if narrow.word in PASSED:
        assert wide.word in {narrow.word, "vacuous", "inconclusive"}
        assert wide.word != "inconclusive" or wide.detail.startswith("control")


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_an_interval_holds_its_mean_and_shrinks_with_its_level(values: list[float]) -> None:
    mean, low, high = intervals.interval(values)
    _, inner_low, inner_high = intervals.interval(values, 0.5)
    assert low <= mean <= high
    assert low <= inner_low <= inner_high <= high


@given(st.floats(0.01, 0.999), st.integers(1, 1200))
def test_a_t_quantile_falls_with_the_degrees_of_freedom(level: float, df: int) -> None:
    assume(df not in {1000, 1001})
    assert intervals.t_quantile(level, df) > intervals.t_quantile(level, df + 1) > 0
