"""Randomness: one explicit generator an experiment, never the global one.

Draw everything that any arm needs, in one order, whatever the parameters: then the
arms of one seed share their draws and differ only in what the parameter changes.
"""

from __future__ import annotations

import torch
from torch import Tensor


def generator(seed: int) -> torch.Generator:
    """Return the one source of randomness of a run."""
    return torch.Generator(device="cpu").manual_seed(seed)


def normal(source: torch.Generator, *shape: int, std: float = 1.0) -> Tensor:
    """Draw independent normal numbers of mean 0, float64, of the given shape."""
    return torch.randn(*shape, generator=source, dtype=torch.float64) * std
