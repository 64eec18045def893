"""What the commands cost, as ratios in one run: `python -m tests.bench [--quick] [SIZE ...]`.

CPU time (user and system) of whole processes, in units of a bare Python start that is
measured in turn with them, so that a busy machine changes the figures little. Ratios are
printed, never asserted.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.generate import make

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[2]


ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "CI"}  # no index there


def cpu(command: Sequence[str]) -> float:
    """Run a command and return the CPU seconds that it took, its children's included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: {done.stderr.decode()}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def median(command: Sequence[str], runs: int) -> tuple[float, float]:
    """Return the medians of a command and of a bare start, taken in turn."""
    taken: list[float] = []
    bare: list[float] = []
    for _ in range(runs):
        bare += [cpu([sys.executable, "-c", "pass"]) for _ in range(3)]
        taken.append(cpu(command))
    return statistics.median(taken), statistics.median(bare)


def reading(root: Path) -> float:
    """Return the CPU microseconds that reading and joining one record takes, all in."""
    from anthology import config, corpus

    settings = config.load(root)
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        read = corpus.read(settings)
        best = min(best, (time.process_time() - start) / len(read.records))
    return best * 1e6


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    quick = "--quick" in arguments
    sizes = [int(each) for each in arguments if each.isdigit()] or [600]
    runs = 3 if quick else 9
    print(f"{'':<34}{'bare Pythons':>13}{'CPU s':>8}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            made = make(Path(folder), size)
            root = ("--root", folder)
            print(f"-- {made.records} records, {len(made.edges)} edges")
            for name, command in (
                ("--help", ("--help",)),
                ("query LIT-050, cold", ("query", "LIT-050", "--no-cache", *root)),
                ("query LIT-050, warm", ("query", "LIT-050", *root)),
                ("query (all) as json, warm", ("query", "--format", "json", *root)),
                ("ask homonyms, cold", ("ask", "homonyms", "--no-cache", *root)),
                ("ask homonyms, warm", ("ask", "homonyms", *root)),
                ("validate, cold", ("validate", "--no-cache", *root)),
                ("validate, warm", ("validate", *root)),
            ):
                if "warm" in name:  # read, indexed, and the graph built
                    time.sleep(2.1 if name.startswith("query LIT") else 0)
                    for _ in range(2):
                        cpu([sys.executable, "-m", "litgraph", *command])
                taken, bare = median([sys.executable, "-m", "litgraph", *command], runs)
                print(f"{name:<34}{taken / bare:>13.1f}{taken:>8.2f}", flush=True)
            print(f"{'reading and joining a record':<34}{reading(made.root):>10.0f} µs", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
