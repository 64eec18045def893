"""Attention weights over tokens, and the variants that serve as controls.

Tokens are the n rows of X (n, d). One head is P X W_V with P (n, n) computed from

    A = X W_QK X^T / sqrt(d_qk)         logits; row i is the query, column j the key

Here W_QK (d, d) stands for W_Q W_K^T and d_qk = d. Leading dimensions broadcast.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import torch

if TYPE_CHECKING:
    from torch import Tensor

Kind = Literal["softmax", "linear", "sigmoid"]
Mask = Literal["none", "causal"]


def logits(x: Tensor, w_qk: Tensor) -> Tensor:
    """Return A (..., n, n) of tokens x (..., n, d) and w_qk (..., d, d)."""
    return x @ w_qk @ x.mT / math.sqrt(w_qk.shape[-1])  # (..., n, n)


def visible(n: int, mask: Mask) -> Tensor:
    """Return which key (column) each query (row) may attend to, (n, n) of bool."""
    everything = torch.ones(n, n, dtype=torch.bool)  # (n, n)
    return everything.tril() if mask == "causal" else everything


def weights(a: Tensor, allowed: Tensor, kind: Kind = "softmax") -> Tensor:
    """Return P (..., n, n) from logits a (..., n, n); only softmax has rows that sum to one.

    Args:
        a: Logits.
        allowed: Which entries are visible, (n, n) of bool; the others become 0.
        kind: `softmax` over keys; `linear`, a / n; `sigmoid`, sigma(a) / n.

    """
    if kind == "softmax":
        return a.masked_fill(~allowed, -math.inf).softmax(dim=-1)  # (..., n, n)
    p = a if kind == "linear" else a.sigmoid()  # (..., n, n)
    return p.masked_fill(~allowed, 0.0) / a.shape[-1]  # (..., n, n)


def head(p: Tensor, x: Tensor, w_v: Tensor) -> Tensor:
    """Return P X W_V (..., n, d)."""
    return p @ x @ w_v  # (..., n, d)


def alibi(n: int, steepness: float) -> Tensor:
    """Return a penalty on the distance of query and key, -steepness |i - j|, (n, n)."""
    position = torch.arange(n, dtype=torch.float64)  # (n,)
    return -steepness * (position[:, None] - position[None, :]).abs()  # (n, n)


def spread(e: Tensor) -> Tensor:
    """Return D_i = max_j e_ij - min_j e_ij of each row of e (..., n, n), (..., n)."""
    return e.amax(dim=-1) - e.amin(dim=-1)  # (..., n)


def deviation(q: Tensor, e: Tensor) -> Tensor:
    """Return P - 1 q^T without cancellation, where P_i = softmax(log q + e_i).

    With m_i = sum_j q_j expm1(e_ij), P_ij - q_j = q_j (expm1(e_ij) - m_i) / (1 + m_i):
    exact to the last digit however small e is. Rows with an |e_ij| of 1 or more, where
    expm1 would in the end overflow, take the difference of the two softmaxes instead.

    Args:
        q: A probability vector, (..., n).
        e: Logits relative to those of q, (..., n, n).

    """
    small = e.abs().amax(dim=-1, keepdim=True) < 1  # (..., n, 1)
    growth = torch.where(small, e, 0.0).expm1()  # (..., n, n)
    mean = (growth @ q[..., None]).expand_as(e)  # (..., n, n); m_i in row i
    near = q[..., None, :] * (growth - mean) / (1 + mean)  # (..., n, n)
    far = (q.log()[..., None, :] + e).softmax(dim=-1) - q[..., None, :]  # (..., n, n)
    return torch.where(small, near, far)  # (..., n, n)
