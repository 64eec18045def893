"""Straight lines through measured points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor


def slope(x: Tensor, y: Tensor) -> float:
    """Return the least-squares slope of y (k,) on x (k,), in closed form.

    NaN where a number is not finite (the logarithm of a residual that underflowed),
    where fewer than two points differ in x, never an exception: whoever judges decides.
    """
    if not bool(torch.isfinite(x).all() and torch.isfinite(y).all()):
        return math.nan
    dx, dy = x - x.mean(), y - y.mean()  # (k,), (k,)
    square = float(dx @ dx)
    return float(dx @ dy) / square if square > 0 else math.nan
