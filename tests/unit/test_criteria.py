"""The condition grammar: what it reads, what it refuses, and what its bounds hold."""

from __future__ import annotations

import math

import pytest

from anthology import criteria

NUMBERS = {"main": {"x": 3.0, "y": 2.0}, "skip": {"x": 1.0}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x < 1", 3.0),
        ("main.x<=1", 3.0),
        ("skip.x > 1e-3", 1.0),
        ("x - y >= -.5", 1.0),
        ("skip.x - main.x < 0", -2.0),
        ("|skip.x - main.x| in [1, 2.5]", 2.0),
        ("x / y in [1,2]", 1.5),
        ("x in [ -1.5 , 1.5e+2 ]", 3.0),
    ],
)
def test_a_condition_bounds_a_quantity(text: str, value: float) -> None:
    condition = criteria.parse(text)
    assert condition.quantity(NUMBERS) == value
    assert str(condition) == " ".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "x == 1",
        "x < y",
        "x in [1, 2)",
        "x in [1]",
        "1 < x",
        "x + y < 1",
        "|x| < 1",
        "|x - y < 1",
        "|x / y| < 1",
        "x < 1 and y < 2",
        "__import__('os').system('true') < 1",
        "x < nan",
    ],
)
def test_anything_else_is_refused_with_what_would_do(text: str) -> None:
    with pytest.raises(ValueError, match=r"write it as|bars take"):
        criteria.parse(text)


def test_an_interval_the_wrong_way_round_is_empty() -> None:
    with pytest.raises(ValueError, match="is empty"):
        criteria.parse("x in [3, 2]")


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("x < 3", [2.9]),
        ("x <= 3", [2.9, 3.0]),
        ("x > 3", [3.1]),
        ("x >= 3", [3.0, 3.1]),
        ("x in [2.9, 3]", [2.9, 3.0]),
    ],
)
def test_which_bounds_are_inside(text: str, held: list[float]) -> None:
    condition = criteria.parse(text)
    assert [each for each in (2.9, 3.0, 3.1) if condition.holds(each)] == held


def test_nan_is_inside_no_bound() -> None:
    for text in ("x < 1", "x > 1", "x in [-1e308, 1e308]", "x >= -1e308"):
        assert not criteria.parse(text).holds(math.nan)


def test_a_missing_number_and_a_ratio_to_nothing_are_nan() -> None:
    assert math.isnan(criteria.parse("z < 1").quantity(NUMBERS))
    assert math.isnan(criteria.parse("none.x < 1").quantity(NUMBERS))
    assert math.isnan(criteria.parse("x / y < 1").quantity({"main": {"x": 1.0, "y": 0.0}}))
