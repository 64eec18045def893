"""The controls miss, and a fault in the arithmetic turns the numbers away."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from experiments.lab import attention, residual
from experiments.rank_collapse.paths import paths, walk
from experiments.rank_collapse.rate import rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

SEEDS = range(20)
visible = attention.visible


def slopes(seeds: range = SEEDS, **params: Any) -> list[float]:
    return [rate(seed, **params).metrics["slope"] for seed in seeds]


def errors(seeds: range = range(15), **params: Any) -> list[float]:
    return [paths(seed, **params).metrics["error"] for seed in seeds]


# rate


@pytest.mark.parametrize(
    "params",
    [{}, {"bias": "key"}, {"mlp": True}, {"centred": True}, {"centred": True, "bias": "key"}],
    ids=str,
)
def test_softmax_attention_is_cubic(params: dict[str, Any]) -> None:
    for seed in SEEDS:
        metrics = rate(seed, **params).metrics
        assert metrics["slope"] == pytest.approx(3, abs=0.02)
        assert metrics["violations"] == 0
        assert metrics["looseness"] > 100
        assert metrics["contraction"] < 1
        assert metrics["headroom"] > 6


@pytest.mark.parametrize(
    "params",
    [
        {"mask": "causal"},
        {"bias": "alibi"},
        {"bias": "random"},
        {"skip": True},
        {"kind": "linear"},
        {"kind": "sigmoid"},
        {"kind": "markov"},
    ],
    ids=str,
)
def test_controls_are_linear_and_break_the_bound(params: dict[str, Any]) -> None:
    for seed in SEEDS:
        metrics = rate(seed, **params).metrics
        assert metrics["slope"] == pytest.approx(1, abs=0.02)
        assert metrics["violations"] >= 8
        assert metrics["looseness"] < 0.1
        assert metrics["headroom"] > 6


def test_far_from_consensus_the_rate_is_lost() -> None:
    assert slopes(radius=100.0) == pytest.approx([1.0] * 20, abs=0.1)


@pytest.mark.parametrize(("depth", "power"), [(2, 9), (3, 27), (4, 81)])
def test_depth_multiplies_the_exponents(depth: int, power: int) -> None:
    assert slopes(depth=depth, centred=True) == pytest.approx([power] * 20, rel=0.01)


def test_plain_and_centred_arithmetic_agree() -> None:
    assert slopes() == pytest.approx(slopes(centred=True), abs=1e-6)


def test_the_floor_is_told() -> None:
    assert rate(0, depth=2).metrics["headroom"] < 1
    under = rate(0, depth=6, centred=True).metrics
    assert math.isnan(under["slope"])
    assert under["headroom"] == -math.inf


@pytest.mark.parametrize(
    "params", [{"kind": "linear"}, {"mask": "causal"}, {"skip": True}, {"bias": "alibi"}], ids=str
)
def test_centred_arithmetic_refuses_what_it_does_not_know(params: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="`centred` knows"):
        rate(0, centred=True, **params)


def dropped_softmax(a: Tensor, allowed: Tensor, kind: str = "softmax") -> Tensor:
    return a / a.shape[-1]


def softmax_over_queries(a: Tensor, allowed: Tensor, kind: str = "softmax") -> Tensor:
    return a.softmax(dim=-2)


def mask_left_on(n: int, mask: str) -> Tensor:
    return visible(n, "causal")


def wrong_axis(x: Tensor) -> Tensor:
    return x - x.mean(dim=-1, keepdim=True)


def transposed_values(p: Tensor, x: Tensor, w_v: Tensor) -> Tensor:
    return p @ x @ w_v.mT


def transposed_weights(p: Tensor, x: Tensor, w_v: Tensor) -> Tensor:
    return p.mT @ x @ w_v


Fault = tuple[Any, str, "Callable[..., Tensor]"]


@pytest.mark.parametrize(
    "fault",
    [
        (attention, "weights", dropped_softmax),
        (attention, "weights", softmax_over_queries),
        (attention, "visible", mask_left_on),
        (attention, "head", transposed_weights),
        (residual, "about_mean", wrong_axis),
    ],
    ids=lambda fault: fault[2].__name__,
)
def test_a_fault_turns_the_rate_away(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*fault)
    assert max(slopes(range(5))) < 2.5


def test_a_bound_too_small_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    spread = attention.spread
    monkeypatch.setattr(attention, "spread", lambda e: spread(e) / 1000)
    assert rate(0).metrics["violations"] == 9


# paths


@pytest.mark.parametrize("skip", [False, True])
def test_the_paths_add_up(skip: bool) -> None:
    for seed in range(15):
        metrics = paths(seed, skip=skip).metrics
        assert metrics["error"] < 1e-12
        assert metrics["spread"] > 1e-2
        assert metrics["count_gap"] == metrics["reach_gap"] == 0


@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize("params", [{"drop": 1}, {"relu": True}, {"stochastic": False}], ids=str)
def test_controls_do_not_add_up(params: dict[str, Any], skip: bool) -> None:
    assert min(errors(skip=skip, **params)) > 1e-2


@pytest.mark.parametrize(
    ("depth", "heads", "total"), [(1, 1, 2), (3, 2, 27), (4, 3, 256), (6, 2, 729)]
)
def test_counts(depth: int, heads: int, total: int) -> None:
    assert len(set(walk(depth, heads, skip=True))) == total
    assert len(set(walk(depth, heads, skip=False))) == heads**depth
    metrics = paths(0, depth=depth, heads=heads, skip=True, tokens=4, width=4).metrics
    assert metrics["count_gap"] == metrics["reach_gap"] == 0
    assert metrics["error"] < 1e-12


def test_a_dropped_path_is_missed_by_the_count_too() -> None:
    assert paths(0, drop=2).metrics["count_gap"] == 2


def test_paths_cannot_be_added() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        paths(0, drop=-1)


def test_the_network_counts_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    head = attention.head
    monkeypatch.setattr(attention, "head", lambda p, x, w: head(p, x, w)[:1])  # one head lost
    metrics = paths(0, skip=True).metrics
    assert metrics["count_gap"] == 0
    assert metrics["reach_gap"] == 27 - 2**3


def test_guard_tells_a_collapsed_network() -> None:
    """Where nothing is left but a common row, a sum with a path missing passes as well."""
    metrics = paths(0, sharpness=0.01, depth=4, drop=1).metrics
    assert metrics["error"] < 1e-12
    assert metrics["spread"] < 1e-2


@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize(
    "fault",
    [
        (attention, "weights", dropped_softmax),
        (attention, "weights", softmax_over_queries),
        (attention, "head", transposed_values),
        (attention, "head", transposed_weights),
        (residual, "about_mean", wrong_axis),
    ],
    ids=lambda fault: fault[2].__name__,
)
def test_a_fault_turns_the_sum_away(
    fault: Fault, skip: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*fault)
    assert min(errors(range(5), skip=skip)) > 1e-4
