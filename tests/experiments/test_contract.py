"""Every experiment: read from its file as it runs, and the same run twice."""

from __future__ import annotations

import importlib
import math
from pathlib import Path

import pytest
import torch

from anthology.experiment import Experiment, Measurement, describe

ROOT = Path(__file__).parents[2] / "experiments"
FILES = [
    path
    for path in sorted(ROOT.glob("*/*.py"))
    if path.parent.name != "lab" and path.name != "__init__.py"
]
NAMES = [f"{path.parent.name}.{path.stem}" for path in FILES]


def load(path: Path) -> Experiment[...]:
    module = importlib.import_module(f"experiments.{path.parent.name}.{path.stem}")
    found: Experiment[...] = getattr(module, path.stem)
    return found


def numbers(measured: Measurement) -> list[float]:
    """All of them, NaN made comparable."""
    values = [*measured.metrics.values(), *(v for row in measured.series.values() for v in row)]
    return [value for value in values if not math.isnan(value)]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_what_the_file_says_is_what_runs(path: Path) -> None:
    description = describe(path)
    assert description == load(path).description
    assert "Source:" in description.about
    assert "Args:" in description.doc


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_same_seed_same_floats(path: Path) -> None:
    run = load(path)
    first, again, other = run(3), run(3), run(4)
    torch.set_num_threads(2)
    assert numbers(first) == numbers(again) == numbers(run(3))
    assert numbers(first) != numbers(other)
