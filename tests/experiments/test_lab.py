"""The bench's own arithmetic, against other ways to get the same numbers."""

from __future__ import annotations

import math

import pytest
import torch

from experiments.lab import attention, fit, residual, seeding

F64 = torch.float64


def draw(*shape: int, seed: int = 0, std: float = 1.0) -> torch.Tensor:
    return seeding.normal(seeding.generator(seed), *shape, std=std)


def test_slope_is_that_of_the_line() -> None:
    x = torch.linspace(-3, 2, 7, dtype=F64)
    assert fit.slope(x, 5 - 2.5 * x) == pytest.approx(-2.5, abs=1e-14)
    y = draw(7)
    design = torch.stack([x, torch.ones_like(x)], dim=1)
    assert fit.slope(x, y) == pytest.approx(torch.linalg.lstsq(design, y).solution[0].item())


@pytest.mark.parametrize("y", [[0.0, 1.0, math.nan], [0.0, 1.0, -math.inf]])
def test_slope_of_what_is_not_finite_is_nan(y: list[float]) -> None:
    assert math.isnan(fit.slope(torch.arange(3, dtype=F64), torch.tensor(y, dtype=F64)))


def test_slope_of_one_place_is_nan() -> None:
    assert math.isnan(fit.slope(torch.ones(3, dtype=F64), torch.arange(3, dtype=F64)))


def test_residual_norms_by_hand() -> None:
    x = torch.tensor([[1.0, -2.0], [3.0, 4.0], [2.0, 1.0]], dtype=F64)  # mean (2, 1)
    assert residual.l1(x).item() == 7.0
    assert residual.linf(x).item() == 7.0
    assert residual.about_mean(x).tolist() == [[-1, -3], [1, 3], [0, 0]]
    assert residual.absolute(x).item() == pytest.approx(math.sqrt(6 * 4))
    assert residual.relative(x).item() == pytest.approx(math.sqrt(6 * 4) / 7)


def test_composite_reaches_below_the_square_root_of_the_smallest_number() -> None:
    assert residual.composite(torch.full((2, 2), 1e-200, dtype=F64)).item() == pytest.approx(2e-200)


def test_mean_is_at_most_twice_the_best_row_vector() -> None:
    x = draw(9, 5)
    for norm in (residual.l1, residual.linf):
        best = min(norm(x - row).item() for row in (*x, x.median(dim=0).values))
        assert norm(residual.about_mean(x)).item() <= 2 * best


def test_weights() -> None:
    a = draw(2, 5, 5)
    everything, causal = attention.visible(5, "none"), attention.visible(5, "causal")
    ones = torch.ones(2, 5, dtype=F64)
    assert torch.allclose(attention.weights(a, everything), a.exp() / a.exp().sum(-1, keepdim=True))
    p = attention.weights(a, causal)
    assert torch.equal(p, p.tril())
    assert torch.allclose(p.sum(dim=-1), ones)
    assert torch.equal(p[:, 0, 0], torch.ones(2, dtype=F64))
    assert torch.equal(attention.weights(a, everything, "linear"), a / 5)
    assert torch.allclose(
        attention.weights(a, causal, "sigmoid"), (1 / (1 + (-a).exp()) / 5).tril()
    )


def test_logits_put_queries_in_rows() -> None:
    x, w = draw(4, 3), draw(3, 3, seed=1)
    by_hand = sum(x[2, i] * w[i, j] * x[1, j] for i in range(3) for j in range(3)) / math.sqrt(3)
    assert attention.logits(x, w)[2, 1].item() == pytest.approx(float(by_hand))


def test_alibi_penalises_distance() -> None:
    assert attention.alibi(3, 0.5).tolist() == [[0, -0.5, -1], [-0.5, 0, -0.5], [-1, -0.5, 0]]


@pytest.mark.parametrize("scale", [1e-3, 0.2, 3.0, 900.0])
def test_deviation_is_the_difference_of_two_softmaxes(scale: float) -> None:
    q = draw(6).softmax(dim=-1)
    e = draw(6, 6, seed=1)
    e = scale * e / e.abs().max()
    expected = (q.log() + e).softmax(dim=-1) - q
    got = attention.deviation(q, e)
    assert got.isfinite().all()
    assert torch.allclose(got, expected, rtol=0, atol=2e-15)


def test_deviation_keeps_its_digits_where_the_difference_has_none() -> None:
    q = draw(6).softmax(dim=-1)
    e = draw(6, 6, seed=1)
    first_order = q * (e - (e @ q)[:, None])
    got = attention.deviation(q, 1e-120 * e) / 1e-120
    assert torch.allclose(got, first_order, rtol=1e-13, atol=0)


@pytest.mark.parametrize("radius", [1e-2, 1.0, 30.0])
def test_centred_layer_is_the_plain_layer(radius: float) -> None:
    centre, w_qk, w_v, key = draw(8), draw(8, 8, seed=1), draw(8, 8, seed=2), draw(7, seed=3)
    r = residual.about_mean(draw(7, 8, seed=4, std=radius))
    x = centre + r
    p = attention.weights(attention.logits(x, w_qk) + key, attention.visible(7, "none"))
    expected = attention.head(p, x, w_v)
    mean, rest = residual.centred_layer(centre, r, w_qk, w_v, key)
    size = expected.abs().max().item()
    assert torch.allclose(mean + rest, expected, rtol=0, atol=1e-13 * size)
    assert torch.allclose(rest, residual.about_mean(expected), rtol=0, atol=1e-13 * size)


def test_drawing_leaves_the_global_generator_alone() -> None:
    before = torch.random.get_rng_state()
    first = draw(3, seed=5)
    assert torch.equal(first, draw(3, seed=5))
    assert not torch.equal(first, draw(3, seed=6))
    assert torch.equal(before, torch.random.get_rng_state())
