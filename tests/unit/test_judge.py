"""The judge, form by form: numbers in, verdict out."""

from __future__ import annotations

import math

import pytest

from anthology import criteria, intervals
from anthology.judge import WORDS, Criterion, Measured, Verdict, judge, worst
from anthology.summary import words


def criterion(form: str = "universal", /, **given: object) -> Criterion:
    """Make a criterion; conditions are texts."""
    groups = {
        name: tuple(criteria.parse(each) for each in given.pop(name, ()))  # type: ignore[attr-defined] # texts
        for name in ("expect", "refute", "guard", "floor")
    }
    return Criterion(form=form, **groups, **given)  # type: ignore[arg-type] # as above


Seeds = dict[int, dict[str, dict[str, float]]]


def seeds(*values: float, **more: float) -> Seeds:
    return {seed: {"main": {"x": value, **more}} for seed, value in enumerate(values)}


SLOPE = {"expect": ["x in [2.9, 3.1]"], "refute": ["x < 2.5"]}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((3.0, 2.95, 3.1), "corroborated (3/3)"),
        ((3.0, 3.0, 2.4), "refuted (1 of 3 seeds)"),
        ((3.0, 3.0, 2.7), "inconclusive (seeds disagree)"),
        ((2.7, 2.8, 3.2), "inconclusive (between the bounds)"),
        ((3.0, math.nan, 3.0), "inconclusive (not a number)"),
        ((3.0, math.inf, 3.0), "inconclusive (seeds disagree)"),
        ((3.0, 3.0), "inconclusive (budget)"),
        ((2.4,), "refuted (1 of 3 seeds)"),
        ((), "inconclusive (budget)"),
    ],
)
def test_universal(values: tuple[float, ...], said: str) -> None:
    verdict = judge(criterion(**SLOPE, seeds=3), Measured(seeds(*values)))
    assert str(verdict) == said
    assert verdict.seeds == 3


def test_universal_counts_and_says_which() -> None:
    verdict = judge(criterion(**SLOPE, seeds=4), Measured(seeds(3.0, 3.0, 2.7, 3.0)))
    assert verdict.passed == 3
    assert verdict.detail == "3 of 4 seeds within; 2.7 for `x in [2.9, 3.1]` in seed 2"
    verdict = judge(criterion(**SLOPE, seeds=2), Measured(seeds(3.0, 1.0)))
    assert verdict.detail == "1 for `x < 2.5` in seed 1"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((0.0, 5.0, 0.0), "supported (1/3)"),
        ((5.0,), "supported (1/3)"),
        ((0.0, 0.0, 0.0), "inconclusive (between the bounds)"),
        ((0.0, math.nan, 0.0), "inconclusive (between the bounds)"),
        ((math.nan,) * 3, "inconclusive (not a number)"),
        ((0.0,), "inconclusive (budget)"),
    ],
)
def test_existential(values: tuple[float, ...], said: str) -> None:
    found = criterion("existential", expect=["x > 4"], seeds=3)
    assert str(judge(found, Measured(seeds(*values)))) == said


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((1.0, 1.1, 0.9, 1.0), "supported (95 % interval of 4 seeds)"),
        ((0.1, 0.2, 0.1, 0.2), "refuted (95 % interval of 4 seeds)"),
        ((0.4, 0.6, 0.5, 0.7), "inconclusive (between the bounds)"),
        ((1.0, 1.0, 1.0, 1.0), "supported (95 % interval of 4 seeds)"),
        ((1.0, 1.0, 1.0, math.nan), "inconclusive (not a number)"),
        ((1.0, 1.0), "inconclusive (budget)"),
    ],
)
def test_statistical(values: tuple[float, ...], said: str) -> None:
    found = criterion("statistical", expect=["x > 0.7"], refute=["x < 0.3"], seeds=4)
    assert str(judge(found, Measured(seeds(*values)))) == said


def test_one_seed_gives_no_interval() -> None:
    verdict = judge(criterion("statistical", expect=["x > 0"]), Measured(seeds(1.0)))
    assert (verdict.word, verdict.cause) == ("inconclusive", "budget")
    assert verdict.detail == "one seed gives no interval"


def test_a_statistical_mean_within_its_bounds_is_not_enough() -> None:
    found = criterion("statistical", expect=["x > 0"], seeds=3)
    verdict = judge(found, Measured(seeds(1.0, 3.0, -0.5)))
    assert str(verdict) == "inconclusive (between the bounds)"
    assert verdict.detail == "mean 1.167 [-3.195, 5.529] against `x > 0`"


def causal(without: float, with_: float, *control: tuple[float, float]) -> Verdict:
    found = criterion(
        "causal", expect=["main.x - skip.x > 0.5"], refute=["main.x - skip.x < 0"],
        arms=("main", "skip"), controls=("gain",), seeds=max(1, len(control)),
    )  # fmt: skip

    def pair(a: float, b: float) -> dict[str, dict[str, float]]:
        return {"main": {"x": a}, "skip": {"x": b}}

    main = {seed: pair(without, with_) for seed in range(found.seeds)}
    gain = {seed: pair(*each) for seed, each in enumerate(control)}
    return judge(found, Measured(main, {"gain": gain}))


def test_causal() -> None:
    assert str(causal(1.0, 0.0, (1.0, 0.9), (1.0, 1.0))) == "supported (2/2)"
    assert str(causal(0.0, 1.0, (1.0, 1.0))) == "refuted (its one seed)"
    assert str(causal(1.0, 0.0, (1.0, 0.0))) == "vacuous (control `gain` meets `expect`)"
    # Every seed of the control must miss, not just one.
    mixed = causal(1.0, 0.0, (1.0, 0.0), (1.0, 1.0))
    assert str(mixed) == "inconclusive (seeds disagree)"
    assert mixed.detail == "control `gain`: 1 of 2 seeds within `expect`; none may be"


@pytest.mark.parametrize(
    ("form", "given", "reason"),
    [
        ("definition", {}, "a definition: nothing to run"),
        ("", {}, "no form: nothing says what a pass would mean"),
        ("existential", {"refute": ["x < 0"]}, "delete `refute`"),
        ("causal", {"controls": ("c",)}, "needs an arm with the intervention"),
        ("causal", {"arms": ("a", "b")}, "needs a control"),
    ],
)
def test_what_no_number_can_decide_is_untested(
    form: str, given: dict[str, object], reason: str
) -> None:
    verdict = judge(criterion(form, expect=["x > 0"], **given), Measured(seeds(1.0)))
    assert verdict.word == "untested"
    assert reason in verdict.cause


# ---------------------------------------------------------------- controls, guard, floor, error


def with_control(form: str, main: tuple[float, ...], control: tuple[float, ...]) -> str:
    found = criterion(form, expect=["x > 0.5"], controls=("c",), seeds=len(main))
    return str(judge(found, Measured(seeds(*main), {"c": seeds(*control)})))


@pytest.mark.parametrize(
    ("form", "control", "said"),
    [
        ("universal", (0.0, 0.0, 1.0), "corroborated (3/3)"),
        ("universal", (1.0, 1.0, 1.0), "vacuous (control `c` meets `expect`)"),
        ("universal", (1.0, 1.0, math.nan), "inconclusive (not a number)"),
        ("universal", (0.0, math.nan, math.nan), "corroborated (3/3)"),
        ("universal", (1.0, 1.0), "inconclusive (budget)"),
        ("existential", (0.0, 0.0, 0.0), "supported (3/3)"),
        ("existential", (0.0, 0.0, 1.0), "vacuous (control `c` meets `expect`)"),
        ("existential", (0.0, 0.0, math.nan), "inconclusive (not a number)"),
        ("statistical", (0.0, 0.1, 0.0), "supported (95 % interval of 3 seeds)"),
        ("statistical", (1.0, 1.0, 1.0), "vacuous (control `c` meets `expect`)"),
        ("statistical", (1.0, 1.0, math.nan), "inconclusive (not a number)"),
    ],
)
def test_a_control_is_judged_by_the_same_rule(
    form: str, control: tuple[float, ...], said: str
) -> None:
    assert with_control(form, (1.0, 1.0, 1.0), control) == said


def test_a_refutation_stands_whatever_a_control_does() -> None:
    found = criterion(expect=["x > 0.5"], refute=["x < 0"], controls=("c",))
    assert judge(found, Measured(seeds(-1.0), {"c": seeds(1.0)})).word == "refuted"


def test_a_control_that_meets_it_tells_more_than_an_inconclusive_test() -> None:
    found = criterion(expect=["x > 0.5"], controls=("c",))
    assert judge(found, Measured(seeds(0.1), {"c": seeds(1.0)})).word == "vacuous"


def test_a_control_that_meets_expect_is_not_excused_by_refute() -> None:
    """Bounds widened until the control passes: that `refute` names it too changes nothing."""
    wide = criterion(expect=["x in [0.5, 3.5]"], refute=["x < 2.5"], seeds=2, controls=("mask",))
    verdict = judge(wide, Measured(seeds(3.0, 3.0), {"mask": seeds(1.0, 1.0)}))
    assert verdict.word == "vacuous"


def test_one_of_several_controls_is_enough() -> None:
    found = criterion(expect=["x > 0.5"], controls=("a", "b"))
    verdict = judge(found, Measured(seeds(1.0), {"a": seeds(0.0), "b": seeds(1.0)}))
    assert verdict.cause == "control `b` meets `expect`"


def guarded(main: float, control: float) -> Verdict:
    found = criterion(expect=["x < 1e-12"], guard=["live > 0.01"], controls=("c",))
    numbers = Measured(seeds(1e-16, live=main), {"c": seeds(1e-16, live=control)})
    return judge(found, numbers)


def test_a_guard_that_does_not_hold_makes_a_pass_mean_nothing() -> None:
    assert str(guarded(0.001, 0.001)) == "inconclusive (guard)"
    assert str(guarded(0.4, 0.4)) == "vacuous (control `c` meets `expect`)"


def test_a_control_outside_the_guard_shows_nothing() -> None:
    verdict = guarded(0.4, 0.001)
    assert str(verdict) == "inconclusive (guard)"
    assert verdict.detail == "control `c`: outside the guard in 1 of 1 seeds (0)"


def test_a_control_that_misses_needs_no_guard() -> None:
    found = criterion(expect=["x < 1e-12"], guard=["live > 0.01"], controls=("c",))
    numbers = Measured(seeds(1e-16, live=1.0), {"c": seeds(1.0, live=0.0)})
    assert judge(found, numbers).word == "corroborated"


def test_the_numerical_floor() -> None:
    found = criterion(expect=["x < 1"], refute=["x < 1e-20"], floor=["x < 1e-15"], seeds=2)
    assert str(judge(found, Measured(seeds(0.5, 1e-30)))) == "inconclusive (numerical floor)"


def test_an_error_is_not_hidden_by_what_was_measured() -> None:
    found = criterion(expect=["x > 0.5"], refute=["x < 0"], seeds=3)
    assert str(judge(found, Measured(seeds(1.0, 1.0), error="it broke"))) == "error (it broke)"
    assert judge(found, Measured(seeds(1.0, -1.0), error="it broke")).word == "refuted"


def test_a_misspelt_metric_is_an_error_and_says_what_there_is() -> None:
    verdict = judge(criterion(expect=["slop > 0"]), Measured(seeds(1.0, y=2.0)))
    assert str(verdict) == "error (the run gives no `slop`; it gives x, y)"


def test_an_arm_that_was_not_measured() -> None:
    verdict = judge(criterion(expect=["skip.x > 0"]), Measured(seeds(1.0)))
    assert str(verdict) == "inconclusive (budget)"
    assert verdict.detail == "the arm `skip` is not measured"


def test_a_seed_with_an_arm_missing_is_not_measured() -> None:
    found = criterion(expect=["a.x - b.x > 0"], arms=("a", "b"), seeds=2)
    numbers = {0: {"a": {"x": 1.0}, "b": {"x": 0.0}}, 1: {"a": {"x": 1.0}}}
    assert str(judge(found, Measured(numbers))) == "inconclusive (budget)"


def test_the_worst_verdict_is_the_claims() -> None:
    found = [Verdict(each) for each in reversed(WORDS)]
    assert worst(found).word == "refuted"
    assert worst(found[:-1]).word == "vacuous"


# ---------------------------------------------------------------- in words


def test_a_criterion_in_words() -> None:
    found = criterion(**SLOPE, guard=["x > 0"], floor=["x < 1e-15"], seeds=20, controls=("mask",))
    assert words(found) == (
        "every one of 20 seeds must have x in [2.9, 3.1]; one with x < 2.5 refutes it; "
        "a seed counts only with x > 0; x < 1e-15 is the numerical floor; "
        "the control `mask` must miss"
    )
    assert words(criterion("existential", expect=["x > 0"], seeds=3)).startswith("at least one of")
    assert "must lie in" in words(criterion("statistical", expect=["x > 0"], seeds=3))


# ---------------------------------------------------------------- intervals


@pytest.mark.parametrize(
    ("level", "df", "value"),
    [  # the tables of any textbook
        (0.95, 1, 12.7062047361747),
        (0.95, 2, 4.30265272974946),
        (0.95, 3, 3.18244630528371),
        (0.95, 10, 2.22813885198627),
        (0.99, 19, 2.86093460646498),
        (0.95, 100, 1.98397151852355),
        (0.90, 30, 1.69726088659396),
        (0.95, 1000, 1.96233908082641),
        (0.95, 100_000, 1.95998770753487),
    ],
)
def test_the_t_quantile(level: float, df: int, value: float) -> None:
    assert intervals.t_quantile(level, df) == pytest.approx(value, rel=1e-10)


def test_the_two_ways_to_a_t_quantile_meet() -> None:
    below, above = intervals.t_quantile(0.95, 1000), intervals.t_quantile(0.95, 1001)
    assert 0 < below - above < 3e-6


def test_an_interval() -> None:
    mean, low, high = intervals.interval([1.0, 2.0, 3.0])
    assert (mean, low, high) == pytest.approx((2.0, 2 - 2.48413771, 2 + 2.48413771))
    assert all(map(math.isnan, intervals.interval([1.0, math.nan])))
    assert math.isnan(intervals.interval([1.0])[1])
