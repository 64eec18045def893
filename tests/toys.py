"""A project small enough to read: toy experiments without torch, and claims about them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NUMBER = '''
"""A number that depends on its seed as the test asks."""

from __future__ import annotations

from anthology.experiment import Measurement, experiment
from experiments.lab.arithmetic import swing


@experiment(
    seconds=0.01,
    metrics={"x": "a number (dimensionless)", "y": "its square (dimensionless)"},
    series={"step": "step", "path": "number so far (dimensionless)"},
)
def number(seed: int, *, value: float = 1.0, spread: float = 0.0, bad: int = -1) -> Measurement:
    """Return value + or - spread; NaN where seed is `bad`."""
    x = swing(value, spread, seed) if seed != bad else float("nan")
    return Measurement(x=x, y=x * x, series={"step": [0, 1, 2], "path": [0.0, x / 3, x]})
'''

ARITHMETIC = '''
"""Shared arithmetic."""


def swing(value, spread, seed):
    """Go up at even seeds and down at odd ones."""
    return value + spread * (-1) ** seed
'''

TROUBLE = '''
"""Everything that an experiment should not do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

from anthology.experiment import Measurement, experiment

LIMITED = 256 << 20


@experiment(seconds=0.01, metrics={"x": "a number (dimensionless)"})
def trouble(
    seed: int,
    *,
    how: Literal[
        "none", "hang", "fork", "daemon", "eat", "print", "close", "write", "nan", "raise",
        "exit", "vanish", "abort", "recurse", "wrong", "slow",
    ] = "none",
    mark: str = "",
) -> Measurement:
    """Return the seed, after some trouble in seed 1."""
    if mark:
        with open(mark, "a") as out:
            out.write(f"{seed}\\n")
    if how == "slow":
        time.sleep(0.05)
    if seed == 1 or how in {"print", "write"}:
        act(how, mark)
    return Measurement(x=float("nan") if how == "nan" and seed == 1 else float(seed))


def act(how: str, mark: str) -> None:
    if how == "hang":
        while True:
            pass
    if how == "fork":
        for _ in range(3):
            os.fork()  # each comes back, measures, and must not report
    if how == "daemon":
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                Path(mark + ".pid").write_text(str(os.getpid()))
                time.sleep(600)
            os._exit(0)
        while not Path(mark + ".pid").exists():
            time.sleep(0.01)
    if how == "eat":
        held = []
        while True:
            held.append(bytearray(16 << 20))
    if how == "print":
        print('{"id": 0, "item": 0, "metrics": {"x": 99}}' * 2000, flush=True)
        sys.stderr.write("noise\\n" * 20000)
        subprocess.run([sys.executable, "-c", "print('more noise')"], check=True)
    if how == "close":
        os.closerange(3, 256)
    if how == "write":
        Path("stray.txt").write_text("stray")
    if how == "raise":
        raise ValueError("what was\\nraised")
    if how == "exit":
        sys.exit(3)
    if how == "vanish":
        os._exit(0)
    if how == "abort":
        os.abort()
    if how == "recurse":
        act(how, mark)
    if how == "wrong":
        Measurement(x="text")
'''

# The line on which it raises.
RAISES = TROUBLE.lstrip()[: TROUBLE.lstrip().index("raise ValueError")].count("\n") + 1

NOTE = """
---
number: 1
title: A toy
paper: LIT-001
claims:
{claims}
---
# NOTE-001: A toy

## Claims

| id | claim | strength | support |
|---|---|---|---|
{rows}
"""


def project(root: Path, **claims: str) -> Path:
    """Write a project: one note whose claims are given as YAML, `C1="form: universal\\n..."`."""
    indented = "\n".join(
        f"  {name}:\n{textwrap.indent(textwrap.dedent(text).strip(), '    ')}"
        for name, text in claims.items()
    )
    rows = "\n".join(f"| {name} | The toy {name} | weak | none |" for name in claims)
    files = {
        "records/lit/LIT-001.md": "---\nnumber: 1\ntitle: A work\n---\n# LIT-001: A work\n",
        "records/note/NOTE-001.md": NOTE.strip().format(claims=indented, rows=rows) + "\n",
        "experiments/toy/number.py": NUMBER.lstrip(),
        "experiments/toy/trouble.py": TROUBLE.lstrip(),
        "experiments/lab/arithmetic.py": ARITHMETIC.lstrip(),
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def trouble(how: str, *, seeds: int = 3, mark: str = "", control: str = "{}") -> str:
    """Return a claim about the trouble maker."""
    params = f"{{how: {how}, mark: '{mark}'}}" if mark else f"{{how: {how}}}"
    return f"""
        form: universal
        test:
          run: toy.trouble
          seeds: {seeds}
          params: {params}
          expect: x >= 0
          control: {control}
        """
