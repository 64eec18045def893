"""Seeds that are measured and not yet in a run file: an append-only file below `.anthology/`.

A line is written when a seed is reported, so that whatever ends the process, no finished
seed is lost. Each line says what its numbers rest on: a line of an older experiment is
never used. Folding the journal into the run file and deleting it may be cut short anywhere.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from anthology.errors import AnthologyError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from anthology.config import Config

FOLDER = ".anthology"


class Entry(NamedTuple):
    """One measured seed of one arm."""

    test: str
    identity: str
    control: str
    arm: str
    seed: int
    metrics: Mapping[str, float]
    series: Mapping[str, Any]
    seconds: float
    memory: int
    environment: Mapping[str, str | int]


class BusyError(AnthologyError):
    """Another process measures the same claim."""


def scratch(config: Config) -> Path:
    """Return the project's own folder for what can be made again, which git ignores."""
    folder = config.root / FOLDER
    folder.mkdir(exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n")
    return folder


def path(config: Config, claim: str) -> Path:
    """Return where a claim's journal is, while there is one."""
    return config.root / FOLDER / "runs" / f"{claim.replace('#', '.')}.jsonl"


class Journal:
    """The journal of one claim, held by one process at a time."""

    def __init__(self, config: Config, claim: str) -> None:
        scratch(config)
        self.path = path(config, claim)
        self.path.parent.mkdir(exist_ok=True)
        self._file = _hold(self.path, claim)

    def entries(self) -> Iterator[Entry]:
        """Yield what is written; a line that was cut short is passed over."""
        self._file.seek(0)
        for line in self._file.read().split(b"\n"):
            with contextlib.suppress(ValueError, TypeError):
                yield Entry(*json.loads(line))

    def append(self, entry: Entry) -> None:
        """Write one seed. It starts on a line of its own, whatever stands before it."""
        self._file.write(b"\n" + json.dumps(entry).encode() + b"\n")
        self._file.flush()

    def close(self, *, delete: bool = False) -> None:
        """Let go of it; `delete` where the run file holds all of it."""
        if delete:
            self.path.unlink(missing_ok=True)
        self._file.close()


def _hold(path: Path, claim: str) -> IO[bytes]:
    """Open and lock a file; a file that its holder deleted meanwhile is not the one."""
    import fcntl

    while True:
        file = path.open("a+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise BusyError(f"another process measures {claim} now") from None
        with contextlib.suppress(OSError):
            if os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                return file
        file.close()
