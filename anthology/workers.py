"""The parent's side of the bench: child processes, their limits, and what they report.

`run` hands jobs out to one or several children and yields what comes back. A job that
crashes, hangs or eats memory ends alone; the child that ran it takes the next one.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from anthology.errors import ExperimentError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from anthology.keys import Place
    from anthology.plans import Item

TICK = 0.05  # seconds between looks at time and memory
STARTUP = 120.0  # seconds that importing torch and the experiment may take
TAIL = 2000  # bytes of an experiment's output that are kept, to say why it crashed


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Some items of one test.

    Attributes:
        test: The claim's id and the test's name.
        place: The experiment.
        torch: Whether it needs torch.
        device: What torch computes on, unless the experiment says otherwise.
        limit: Seconds that one item may take.
        items: What is to be measured.

    """

    test: tuple[str, str]
    place: Place
    torch: bool
    device: str
    limit: float
    items: tuple[Item, ...]


class Found(NamedTuple):
    """An item that was measured."""

    job: Job
    item: Item
    metrics: Mapping[str, float]
    series: Mapping[str, list[float]]
    seconds: float
    memory: int
    environment: Mapping[str, str | int]


class Failed(NamedTuple):
    """An item that could not be measured, and why; None where none of its job could.

    `absent` where something is not installed here: that says nothing of the experiment.
    """

    job: Job
    item: Item | None
    error: str
    absent: bool = False


class Ended(NamedTuple):
    """A job of which nothing more will come."""

    job: Job


Event = Found | Failed | Ended


def run(
    jobs: Iterable[Job],
    *,
    count: int = 1,
    memory: int = 0,
    deadline: float | None = None,
    keep_going: bool = False,
) -> Generator[Event, None, None]:
    """Measure every job in `count` children at once.

    Args:
        jobs: In the order in which they are begun.
        count: Children at most.
        memory: Bytes that an experiment may hold; 0 is no limit.
        deadline: Time by `time.monotonic` at which everything stops.
        keep_going: Whether a test's other seeds are measured after one of them failed.

    """
    if not hasattr(os, "fork"):
        raise ExperimentError("experiments need a system that can fork, such as Linux or macOS")
    waiting = deque(jobs)
    failed: set[tuple[str, str]] = set()
    workers: list[_Worker] = []
    with selectors.DefaultSelector() as selector:
        try:
            while True:
                for worker in workers:
                    if worker.job is None and waiting:
                        worker.take(waiting.popleft())
                while waiting and len(workers) < count:
                    workers.append(_Worker(selector, memory, keep_going))
                    workers[-1].take(waiting.popleft())
                if not any(worker.job for worker in workers):
                    return
                ready = {key.fileobj for key, _ in selector.select(TICK)}
                for worker in workers:
                    for event in worker.events(ready):
                        if isinstance(event, Failed) and not keep_going:
                            failed.add(event.job.test)
                        yield event
                for job in [each for each in waiting if each.test in failed]:
                    waiting.remove(job)
                    yield Ended(job)
                if deadline is not None and time.monotonic() >= deadline:
                    return
        finally:
            for worker in workers:
                worker.close()


@dataclass(eq=False)
class _Worker:
    """One child process, and the job it is busy with."""

    selector: selectors.BaseSelector
    memory: int
    keep_going: bool
    job: Job | None = None
    process: subprocess.Popen[bytes] | None = None
    fork: int = 0  # process id of the fork that measures
    since: float = 0.0  # when the current item, or the start-up, began
    begun: int | None = None  # the current item; None during start-up
    done: set[int] = field(default_factory=set)
    killed: str = ""  # why this side ended the fork
    retried: bool = False
    report: int = -1
    output: int = -1
    buffer: bytes = b""
    tail: bytes = b""
    environment: dict[str, str | int] = field(default_factory=dict)

    def take(self, job: Job) -> None:
        """Begin a job."""
        self.job, self.done, self.retried = job, set(), False
        if self.process is not None and self.process.poll() is not None:
            self.close()
        self._ask()

    def _ask(self) -> None:
        """Have the child measure what of the job is not done."""
        assert self.job is not None
        self.fork, self.begun, self.killed = 0, None, ""
        self.tail = self.buffer = b""
        self.since = time.monotonic()
        if self.process is None:
            self.process = self._start()
        request = {
            "id": id(self.job),
            "module": self.job.place.module,
            "path": str(self.job.place.path),
            "function": self.job.place.function,
            "folders": [str(each) for each in self.job.place.folders],
            "torch": self.job.torch,
            "device": self.job.device,
            "memory": self.memory,
            "keep_going": self.keep_going,
            "items": [
                {"item": number, "seed": item.seed, "params": dict(item.params)}
                for number, item in enumerate(self.job.items)
                if number not in self.done
            ],
        }
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # a child that died is seen as such later
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()

    def _start(self) -> subprocess.Popen[bytes]:
        self.report, report = os.pipe()
        self.output, output = os.pipe()
        home, environment = str(Path(__file__).parents[1]), dict(os.environ)
        extra = []
        if home not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
            outer = environment.get("PYTHONPATH", "")
            environment["ANTHOLOGY_PYTHONPATH"] = outer
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, (home, outer)))
            extra = [home]
        command = [sys.executable, "-P", "-B", "-m", "anthology.bench", str(report), *extra]
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=output, stderr=output,
                pass_fds=(report,), cwd=tempfile.gettempdir(), env=environment,
                start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(report)
            os.close(output)
        self.selector.register(self.report, selectors.EVENT_READ)
        self.selector.register(self.output, selectors.EVENT_READ)
        return process

    def events(self, ready: set[Any]) -> Iterator[Event]:
        """Yield what the child reported, and end what goes beyond a limit."""
        if self.process is None:
            return
        if self.output in ready:
            self.tail = (self.tail + os.read(self.output, 1 << 16))[-TAIL:]
        gone = self.report not in ready and self.process.poll() is not None
        if self.report in ready:
            data = os.read(self.report, 1 << 16)
            gone = not data
            *lines, self.buffer = (self.buffer + data).split(b"\n")
            for line in lines:
                yield from self._line(line)
        if gone:
            yield from self._lost()
        elif self.job is not None and not self.killed:
            self._watch(self.job)

    def _line(self, line: bytes) -> Iterator[Event]:
        try:
            said = json.loads(line)
        except ValueError:
            return  # half a line, of a fork that was ended
        job = self.job
        if job is None or not isinstance(said, dict) or said.get("id") != id(job):
            return
        if "pid" in said:
            self.fork = said["pid"]
        elif "environment" in said:
            self.environment = said["environment"]
        elif "begins" in said:
            self.begun, self.since = said["begins"], time.monotonic()
        elif "ended" in said:
            yield from self._ended(job, said["ended"])
        elif "item" in said:
            number = said["item"]
            self.done |= set(range(len(job.items))) if number is None else {number}
            self.begun, self.since = None, time.monotonic()
            item = None if number is None else job.items[number]
            if "error" in said:
                starved = said.get("starved") and self.memory
                why = self._starved() if starved else said["error"]
                yield Failed(job, item, why, bool(said.get("absent")))
                if not self.keep_going:
                    self.done = set(range(len(job.items)))
            elif item is not None:
                yield Found(
                    job, item, said["metrics"], said["series"],
                    said["seconds"], said["memory"], self.environment,
                )  # fmt: skip

    def _ended(self, job: Job, status: int) -> Iterator[Event]:
        """Deal with the end of the fork, whether or not it did all that it was asked."""
        if not set(range(len(job.items))) <= self.done:
            item = None if self.begun is None else job.items[self.begun]
            yield Failed(job, item, self.killed or self._crash(status))
            if self.keep_going and self.begun is not None:
                self.done.add(self.begun)
                self._ask()
                return
        self.job, self.fork = None, 0
        yield Ended(job)

    def _crash(self, status: int) -> str:
        lines = self.tail.decode("utf-8", errors="replace").strip().splitlines()
        last = f": {' '.join(lines[-1].split())[:200]}" if lines else ""
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"killed by {signal.Signals(-status).name}{last}"
        return f"ended before it was done, with status {status}{last}"

    def _starved(self) -> str:
        return f"out of memory: it may hold {megabytes(self.memory)}"

    def _watch(self, job: Job) -> None:
        limit = STARTUP if self.begun is None else job.limit
        if time.monotonic() - self.since > limit:
            self._kill(f"timed out after {limit:g} s")
        elif self.memory and self.fork and _held(self.fork) > self.memory:
            self._kill(self._starved())

    def _kill(self, why: str) -> None:
        self.killed = why
        with contextlib.suppress(OSError):
            if self.fork:
                os.killpg(self.fork, signal.SIGKILL)
            elif self.process is not None:
                self.process.kill()

    def _lost(self) -> Iterator[Event]:
        """Start another child in place of one that died; its job gets a second chance."""
        job, why = self.job, self.killed
        self.close()
        if job is None:
            return
        if why or self.retried:
            yield Failed(job, None, why or "the bench process died twice")
            self.job = None
            yield Ended(job)
            return
        self.retried = True
        self._ask()

    def close(self) -> None:
        """End the child and everything that it started."""
        if self.process is None:
            return
        if self.fork:
            with contextlib.suppress(OSError):
                os.killpg(self.fork, signal.SIGKILL)
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=2)  # it tidies up and goes
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for descriptor in (self.report, self.output):
            self.selector.unregister(descriptor)
            os.close(descriptor)
        self.process, self.fork = None, 0


def _held(pid: int) -> int:
    """Return the resident memory of a process and its descendants, in bytes; 0 if unknown."""
    total, waiting = 0, [pid]
    page = os.sysconf("SC_PAGE_SIZE")
    while waiting:
        each = waiting.pop()
        try:
            total += int(Path(f"/proc/{each}/statm").read_text().split()[1]) * page
            waiting += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
        except (OSError, IndexError, ValueError):
            continue
    return total


def megabytes(count: float) -> str:
    """Say a number of bytes."""
    return f"{count / (1 << 30):.3g} GB" if count >= 1 << 30 else f"{count / (1 << 20):.3g} MB"
