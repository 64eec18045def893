"""Near consensus, self-attention shrinks the tokens' residual to its third power.

Source: Dong, Cordonnier & Loukas 2021, "Attention is not all you need: pure attention
loses rank doubly exponentially with depth", arXiv 2103.03404, Theorem 2.2. In this code's
symbols, for one head and one layer X -> P X W_V with P = softmax(X W_QK X^T / sqrt(d_qk)),

    ||res(P X W_V)|| <= (4 gamma beta / sqrt(d_qk)) ||res(X)||^3,    beta = ||W_QK||_1 ||W_V||

and after L layers (4 gamma beta / sqrt(d_qk))^((3^L - 1) / 2) ||res(X)||^(3^L). All norms
without index are the composite ||.||_{1,inf} of `lab.residual`, every residual is absolute.

Reconstructed, not read: gamma is taken as the least number with which the proof goes
through. With R = res(X), E = R W_QK R^T / sqrt(d_qk) and D_i = max_j E_ij - min_j E_ij,

    gamma = sqrt(max_i D_i sum_i D_i) sqrt(d_qk) / (2 ||W_QK||_1 ||R||^2)

which makes the bound 2 sqrt(max_i D_i sum_i D_i) ||W_V|| ||R||. It holds because a row of P
differs from the common row by min(2, exp(D_i) - 1) <= 2 D_i in absolute sum. With H heads
the bound gains a factor H, with an MLP its Lipschitz constant, with a skip connection it
does not hold: `violations`, `looseness` and `contraction` take it as it stands above.

Nothing in this file puts a 3 in: the slope is 1 under a causal mask, with logits that
depend on positions, with a skip connection, or with weights whose rows do not sum to one.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from torch import Tensor

from anthology.experiment import Measurement, experiment
from experiments.lab import attention, fit, residual, seeding

POINTS = 9  # residuals measured
DECADES = 1.0  # from the smallest to the largest
STEEPNESS = 0.5  # logits per position of the ALiBi-like bias
ULP = torch.finfo(torch.float64).eps
TINY = torch.finfo(torch.float64).tiny  # smallest normal number


class Layer(NamedTuple):
    """What one layer draws; every variant draws all of it, so that arms are paired."""

    w_qk: Tensor  # (d, d)
    w_v: Tensor  # (d, d)
    w_up: Tensor  # (d, 4 d)
    w_down: Tensor  # (4 d, d)
    markov: Tensor  # (n, n), logits that take the place of the data's
    key: Tensor  # (n,)
    random: Tensor  # (n, n)


@experiment(
    seconds=0.01,
    metrics={
        "slope": "d log res_out / d log res_in, least squares (dimensionless)",
        "violations": "layers and points where the residual exceeds the bound (count)",
        "looseness": "bound / residual, the least over layers and points (dimensionless)",
        "contraction": "bound / residual before, the largest; below 1 it forces a collapse",
        "logit_spread": "largest D_i over layers and points: the regime (logits)",
        "headroom": "smallest residual over what the arithmetic can tell (decades)",
    },
    series={
        "log_res_in": "natural log of the absolute residual before the layers",
        "log_res_out": "natural log of the absolute residual after the layers",
    },
)
def rate(
    seed: int,
    *,
    kind: Literal["softmax", "linear", "sigmoid", "markov"] = "softmax",
    mask: Literal["none", "causal"] = "none",
    bias: Literal["none", "key", "alibi", "random"] = "none",
    skip: bool = False,
    mlp: bool = False,
    depth: int = 1,
    centred: bool = False,
    radius: float = 0.03,
    tokens: int = 16,
    width: int = 16,
) -> Measurement:
    """Fit the exponent with which a stack of layers shrinks the residual.

    Args:
        seed: Seeds the one generator used.
        kind: How logits become weights; `markov` has fixed random logits, blind to X.
        mask: Which keys a query sees.
        bias: Added to the logits: per key (the same for all queries, which leaves the rate
            alone), by distance, or random per query and key.
        skip: Whether X is added back.
        mlp: Whether a random ReLU MLP of fixed gain follows, token by token.
        depth: Number L of layers; the slope claimed is 3^L.
        centred: Whether mean and residual are tracked apart, so that no float64 floor is
            met above 1e-308; plain softmax layers only. Needed from depth 2 on.
        radius: Standard deviation of the largest residual's entries. Far from consensus
            (100) softmax is a hard maximum and the slope is 1.
        tokens: Number n of tokens.
        width: Number d of features, and d_qk.

    Returns:
        The metrics and series declared; all float64.

    """
    if centred and (kind, mask, skip, mlp) != ("softmax", "none", False, False):
        raise ValueError("`centred` knows unmasked softmax layers without skip and MLP only")
    if centred and bias not in ("none", "key"):
        raise ValueError("`centred` knows no bias that differs between queries")
    rng = seeding.generator(seed)
    centre = seeding.normal(rng, width)  # (d,)
    shape = residual.about_mean(seeding.normal(rng, tokens, width))  # (n, d)
    layers = [draw(rng, tokens, width) for _ in range(depth)]
    scale = radius * torch.logspace(-DECADES, 0, POINTS, dtype=torch.float64)  # (k,)
    r = scale[:, None, None] * shape  # (k, n, d)
    x = centre + r  # (k, n, d)
    mean = centre.expand(POINTS, width)  # (k, d)
    before, after, factors, floors, spreads = [], [], [], [], []
    for layer in layers:
        if not centred:
            r = residual.about_mean(x)  # (k, n, d)
        d = attention.spread(attention.logits(r, layer.w_qk))  # (k, n)
        widest = d.amax(dim=-1).sqrt() * d.sum(dim=-1).sqrt()  # (k,)
        factors.append(2 * widest * residual.composite(layer.w_v))  # (k,)
        before.append(residual.composite(r))  # (k,)
        spreads.append(d.max().item())
        if centred:
            key = layer.key if bias == "key" else torch.zeros_like(layer.key)  # (n,)
            mean, r = residual.centred_layer(mean, r, layer.w_qk, layer.w_v, key)
            after.append(residual.composite(r))  # (k,)
            floors.append(torch.full_like(before[0], TINY))  # (k,)
        else:
            x = plain(x, layer, kind, mask, bias, skip=skip, mlp=mlp)  # (k, n, d)
            after.append(residual.absolute(x))  # (k,)
            floors.append(ULP * residual.composite(x))  # (k,)
    out, factor, floor = map(torch.stack, (after, factors, floors))  # each (L, k)
    bound = factor * torch.stack(before)  # (L, k)
    log_in, log_out = before[0].log(), out[-1].log()  # (k,), (k,)
    return Measurement(
        slope=fit.slope(log_in, log_out),
        violations=float((out > bound * (1 + 1e-12) + floor).sum()),
        looseness=(bound / out).min().item(),
        contraction=factor.max().item(),
        logit_spread=max(spreads),
        headroom=(out[-1] / floor[-1]).min().log10().item(),
        series={"log_res_in": log_in.tolist(), "log_res_out": log_out.tolist()},
    )


def draw(rng: torch.Generator, n: int, d: int) -> Layer:
    """Draw a layer whose maps neither grow nor shrink a typical token."""
    return Layer(
        w_qk=seeding.normal(rng, d, d, std=d**-0.5),
        w_v=seeding.normal(rng, d, d, std=d**-0.5),
        w_up=seeding.normal(rng, d, 4 * d, std=(2 / d) ** 0.5),
        w_down=seeding.normal(rng, 4 * d, d, std=(4 * d) ** -0.5),
        markov=seeding.normal(rng, n, n),
        key=seeding.normal(rng, n),
        random=seeding.normal(rng, n, n),
    )


def plain(
    x: Tensor,
    layer: Layer,
    kind: Literal["softmax", "linear", "sigmoid", "markov"],
    mask: attention.Mask,
    bias: Literal["none", "key", "alibi", "random"],
    *,
    skip: bool,
    mlp: bool,
) -> Tensor:
    """Apply one layer to x (k, n, d) as a network would."""
    n = x.shape[-2]
    a = layer.markov if kind == "markov" else attention.logits(x, layer.w_qk)  # (k, n, n)
    added = {
        "none": torch.zeros_like(layer.key),  # (n,)
        "key": layer.key,  # (n,)
        "alibi": attention.alibi(n, STEEPNESS),  # (n, n)
        "random": layer.random,  # (n, n)
    }[bias]
    shown = attention.visible(n, mask)  # (n, n)
    p = attention.weights(a + added, shown, "softmax" if kind == "markov" else kind)  # (k, n, n)
    y = attention.head(p, x, layer.w_v)  # (k, n, d)
    if skip:
        y = x + y  # (k, n, d)
    if mlp:
        y = (y @ layer.w_up).relu() @ layer.w_down  # (k, n, d)
    return y
