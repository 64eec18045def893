"""A self-attention network is a sum over paths that pick one head, or none, a layer.

Source: Dong, Cordonnier & Loukas 2021, arXiv 2103.03404, the path decomposition argument
and its extension to skip connections. In this code's symbols layer l of H heads computes

    X_{l+1} = sum_h P_{l,h} X_l W_{l,h} + 1 b_l^T   (+ X_l with skip connections)

with row-stochastic P_{l,h} = softmax(X_l W_QK X_l^T / sqrt(d_qk)). Over L layers, for some b,

    X_out = sum over paths of P_path X W_path + 1 b^T

where a path picks in each layer a head, or with skips the identity, P_path is the product
of its P from the last layer to the first and W_path that of its W from the first to the
last. C(L, l) H^l paths have length l; without skips all H^L have length L. The term 1 b^T
needs rows of P that sum to one, which makes bias terms of all layers equal over tokens.

Norms are the composite ||.||_{1,inf} of `lab.residual`, relative to ||X_out||_{1,inf}.
The network and the sum share the drawn weights and the P that the network met; the
products, their order and the enumeration are computed apart.

The logits are sharp (a token attends most to itself) and the layers few: a network that
had already collapsed would let any sum pass, for nothing but a term 1 b^T is left of it.
`spread` tells.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

import torch

from anthology.experiment import Measurement, experiment
from experiments.lab import attention, residual, seeding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

BIAS = 0.3  # standard deviation of a bias; entries of X have 1

Picks = tuple[int | None, ...]  # the head picked in each layer, None where it is skipped


class Weights(NamedTuple):
    """The weights of all layers."""

    qk: Tensor  # (L, H, d, d)
    v: Tensor  # (L, H, d, d)
    bias: Tensor  # (L, d)


@experiment(
    seconds=0.02,
    metrics={
        "error": "relative residual of X_out less the sum over paths (dimensionless)",
        "spread": "relative residual of X_out: 0 once collapsed (dimensionless)",
        "count_gap": "paths enumerated against C(L, l) H^l, summed over lengths (count)",
        "reach_gap": "paths that carry a signal through the network, likewise (count)",
    },
)
def paths(
    seed: int,
    *,
    skip: bool = False,
    drop: int = 0,
    relu: bool = False,
    stochastic: bool = True,
    depth: int = 3,
    heads: int = 2,
    tokens: int = 16,
    width: int = 16,
    sharpness: float = 2.0,
) -> Measurement:
    """Compare a network's output with the sum over its paths.

    Args:
        seed: Seeds the one generator used.
        skip: Whether each layer adds its input back.
        drop: Number of paths, chosen at random, that the sum leaves out.
        relu: Whether a ReLU stands between layers; the sum knows nothing of it.
        stochastic: Whether rows of P sum to one; else its columns do.
        depth: Number L of layers.
        heads: Number H of heads of each layer.
        tokens: Number n of tokens.
        width: Number d of features, and d_qk.
        sharpness: Scale of the logits, by which a token attends most to itself; near 0 the
            network collapses.

    Returns:
        The metrics declared; all float64.

    """
    if drop < 0:
        raise ValueError("`drop` is a number of paths, 0 or more")
    rng = seeding.generator(seed)
    x = seeding.normal(rng, tokens, width)  # (n, d)
    mixing = seeding.normal(rng, depth, heads, width, width, std=width**-0.5)  # (L, H, d, d)
    weights = Weights(
        qk=sharpness * (mixing + torch.eye(width, dtype=torch.float64)),
        v=seeding.normal(rng, depth, heads, width, width, std=width**-0.5),
        bias=seeding.normal(rng, depth, width, std=BIAS),
    )
    out, p = forward(x, weights, skip=skip, relu=relu, stochastic=stochastic)  # (n, d), (L,H,n,n)
    walked = list(walk(depth, heads, skip=skip))
    order = torch.randperm(len(walked), generator=rng).tolist()
    kept = [walked[i] for i in sorted(order[drop:])]
    total = sum((along(path, x, p, weights.v) for path in kept), torch.zeros_like(x))  # (n, d)
    lengths = [sum(head is not None for head in path) for path in set(kept)]
    enumerated = [float(lengths.count(length)) for length in range(depth + 1)]
    expected = [
        float(math.comb(depth, length) * heads**length) if skip or length == depth else 0.0
        for length in range(depth + 1)
    ]
    return Measurement(
        error=(residual.absolute(out - total) / residual.composite(out)).item(),
        spread=residual.relative(out).item(),
        count_gap=gap(enumerated, expected),
        reach_gap=gap(reach(depth, heads, skip=skip, relu=relu), expected),
    )


def forward(
    x: Tensor, weights: Weights, *, skip: bool, relu: bool, stochastic: bool
) -> tuple[Tensor, Tensor]:
    """Run the network layer by layer: its output (n, d) and the P it met (L, H, n, n)."""
    met = []
    everything = attention.visible(x.shape[0], "none")  # (n, n)
    for layer, (qk, v, bias) in enumerate(zip(*weights, strict=True)):
        if relu and layer:
            x = x.relu()  # (n, d)
        a = attention.logits(x, qk)  # (H, n, n)
        p = attention.weights(a, everything) if stochastic else a.softmax(dim=-2)  # (H, n, n)
        y = attention.head(p, x, v).sum(dim=0) + bias  # (n, d)
        x = x + y if skip else y  # (n, d)
        met.append(p)
    return x, torch.stack(met)


def walk(depth: int, heads: int, *, skip: bool) -> Iterator[Picks]:
    """Enumerate the paths."""
    steps = (None, *range(heads)) if skip else tuple(range(heads))
    return itertools.product(steps, repeat=depth)


def along(path: Picks, x: Tensor, p: Tensor, v: Tensor) -> Tensor:
    """Return P_path X W_path of one path (n, d)."""
    left = torch.eye(x.shape[0], dtype=x.dtype)  # (n, n)
    right = torch.eye(x.shape[1], dtype=x.dtype)  # (d, d)
    for layer, head in enumerate(path):
        if head is not None:
            left = torch.einsum("ij,jk->ik", p[layer, head], left)  # (n, n)
            right = torch.einsum("ij,jk->ik", right, v[layer, head])  # (d, d)
    return torch.einsum("ij,jk,kl->il", left, x, right)  # (n, d)


def reach(depth: int, heads: int, *, skip: bool, relu: bool) -> list[float]:
    """Let the network itself count its paths, by length.

    One token of L + 1 features starts as the first unit vector, and every head shifts the
    features by one. A path of length l brings a 1 to feature l, so that the output lists
    how many there are.
    """
    shift = torch.eye(depth + 1, dtype=torch.float64).roll(1, dims=1).triu()  # (L+1, L+1)
    start = torch.eye(depth + 1, dtype=torch.float64)[:1]  # (1, L+1)
    weights = Weights(
        qk=torch.zeros(depth, heads, depth + 1, depth + 1, dtype=torch.float64),
        v=shift.expand(depth, heads, -1, -1),  # (L, H, L+1, L+1)
        bias=torch.zeros(depth, depth + 1, dtype=torch.float64),
    )
    out, _ = forward(start, weights, skip=skip, relu=relu, stochastic=True)  # (1, L+1)
    return [float(count) for count in out[0].tolist()]


def gap(found: list[float], expected: list[float]) -> float:
    """Return how many paths too many or too few there are, summed over lengths."""
    return sum(abs(a - b) for a, b in zip(found, expected, strict=True))
