"""Experiments on other machines, through submitit: Slurm, or its executor on this one.

Each job runs the same bench there as here, with the same limits, and hands back the same
events, so the numbers are the same and a run goes on where the last one stopped. The nodes
must see the project under its path, and have this package and torch.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from anthology import workers
from anthology.errors import AnthologyError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from pathlib import Path

    from anthology.workers import Event, Job

# The name on the command line, and submitit's own.
CLUSTERS = {"slurm": "slurm", "submitit-local": "local"}
POLL = 0.5  # seconds between looks at what is finished
SPARE = 5  # minutes that a job may take beside its seeds: queueing is not counted, imports are


def runner(name: str, folder: Path) -> Callable[..., Generator[Event, None, None]]:
    """Return what `measure.Options.runner` takes, for one of `CLUSTERS`.

    `folder` is where submitit keeps its logs and pickles; the nodes must see it.

    Raises:
        AnthologyError: submitit is not installed, or there is no such cluster here.

    """
    try:
        import submitit
    except ImportError:
        raise AnthologyError(
            f"--executor {name} needs submitit: pip install 'anthology-record[cluster]'"
        ) from None
    try:
        executor = submitit.AutoExecutor(folder=folder, cluster=CLUSTERS[name])
    except RuntimeError as error:
        raise AnthologyError(f"--executor {name}: {error}") from None

    def run(
        jobs: Iterable[Job],
        *,
        count: int = 1,
        memory: int = 0,
        deadline: float | None = None,
        keep_going: bool = False,
    ) -> Generator[Event, None, None]:
        return _run(executor, list(jobs), count, memory, deadline, keep_going)

    return run


def _run(
    executor: Any,
    jobs: list[Job],
    count: int,
    memory: int,
    deadline: float | None,
    keep_going: bool,
) -> Generator[Event, None, None]:
    """Keep `count` jobs submitted at once, and yield the events of each as it ends."""
    waiting = list(jobs)
    running: dict[Any, Job] = {}
    try:
        while waiting or running:
            while waiting and len(running) < count:
                job = waiting.pop(0)
                executor.update_parameters(**_limits(job, memory))
                running[executor.submit(measure, job, memory, keep_going)] = job
            for done in [each for each in running if each.done()]:
                yield from _events(done, running.pop(done))
            if deadline is not None and time.monotonic() >= deadline:
                return
            if running:
                time.sleep(POLL)
    finally:  # Ctrl-C, or the budget: what is not finished is given up
        for each in running:
            each.cancel()


def measure(job: Job, memory: int, keep_going: bool) -> list[Event]:
    """Run one job where this is called, and return its events."""
    return list(workers.run([job], count=1, memory=memory, keep_going=keep_going))


def _limits(job: Job, memory: int) -> dict[str, Any]:
    minutes = SPARE + math.ceil(job.limit * len(job.items) / 60)
    limits: dict[str, Any] = {"timeout_min": minutes, "cpus_per_task": 1, "name": "anthology"}
    if memory:
        limits["mem_gb"] = math.ceil(memory / 2**30) + 1
    return limits


def _events(done: Any, job: Job) -> Generator[Event, None, None]:
    """Yield the events of a job under its own identity; a lost job is one failure."""
    try:
        events = done.result()
    except Exception as error:  # a node that died, a job that was cancelled from outside
        said = (str(error).strip() or repr(error)).splitlines()[-1]
        yield workers.Failed(job, None, f"the job was lost: {said}")
        yield workers.Ended(job)
        return
    for event in events:
        yield event._replace(job=job)
