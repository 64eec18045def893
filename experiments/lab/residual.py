"""How far tokens are from all being one token.

Tokens are the n rows of X (n, d). The residual is what is left of them beside their
mean, res(X) = X - 1 mean(X)^T, measured by

    ||X||_{1,inf} = sqrt(||X||_1 ||X||_inf)     the composite of two operator norms

which is submultiplicative but no norm: the triangle inequality fails. The residual
in the source is about the best row vector, not the mean; in each of the two norms the
mean is at most a factor 2 worse. Two measures, not to be taken for one another:

    absolute    ||res(X)||_{1,inf}                      what theorems bound
    relative    ||res(X)||_{1,inf} / ||X||_{1,inf}      what plots show

Leading dimensions broadcast.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from experiments.lab import attention

if TYPE_CHECKING:
    from torch import Tensor


def l1(x: Tensor) -> Tensor:
    """Return the largest absolute column sum of x (..., n, d), (...)."""
    return x.abs().sum(dim=-2).amax(dim=-1)  # (...)


def linf(x: Tensor) -> Tensor:
    """Return the largest absolute row sum of x (..., n, d), (...)."""
    return x.abs().sum(dim=-1).amax(dim=-1)  # (...)


def composite(x: Tensor) -> Tensor:
    """Return ||x||_{1,inf} of x (..., n, d), (...)."""
    return l1(x).sqrt() * linf(x).sqrt()  # (...); the product of both could underflow


def about_mean(x: Tensor) -> Tensor:
    """Return x (..., n, d) less the mean over its tokens, (..., n, d)."""
    return x - x.mean(dim=-2, keepdim=True)  # (..., n, d)


def absolute(x: Tensor) -> Tensor:
    """Return ||res(x)||_{1,inf} of x (..., n, d), (...)."""
    return composite(about_mean(x))  # (...)


def relative(x: Tensor) -> Tensor:
    """Return ||res(x)||_{1,inf} / ||x||_{1,inf} of x (..., n, d), (...)."""
    return absolute(x) / composite(x)  # (...)


def centred_layer(
    centre: Tensor, r: Tensor, w_qk: Tensor, w_v: Tensor, key_bias: Tensor
) -> tuple[Tensor, Tensor]:
    """Apply one unmasked softmax self-attention layer to X = 1 centre^T + r, kept apart.

    A number near the centre cannot hold a residual below 2e-16 of it; two numbers can,
    down to 1e-308. Softmax ignores what is constant along a row of the logits, so with
    q = softmax((W_QK^T centre) r^T / sqrt(d) + b) and E = r W_QK r^T / sqrt(d),

        P = softmax(log q + E),    P X W_V = 1 (centre + r^T q)^T W_V + (P - 1 q^T) r W_V

    Args:
        centre: Mean token, (..., d).
        r: Residual, rows of mean 0, (..., n, d).
        w_qk: (d, d).
        w_v: (d, d).
        key_bias: Additive logit b of each key, the same for every query, (n,).

    Returns:
        The new mean token (..., d) and the new residual (..., n, d).

    """
    pull = (r @ (centre @ w_qk)[..., None])[..., 0]  # (..., n)
    q = (pull / math.sqrt(w_qk.shape[-1]) + key_bias).softmax(dim=-1)  # (..., n)
    p = attention.deviation(q, attention.logits(r, w_qk))  # (..., n, n)
    moved = attention.head(p, r, w_v)  # (..., n, d)
    seen = (q[..., None, :] @ r)[..., 0, :]  # (..., d)
    return (centre + seen) @ w_v + moved.mean(dim=-2), about_mean(moved)
