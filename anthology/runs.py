"""The run files: what was measured of each claim, committed beside the records like a lock file.

One file a claim, `records/runs/NOTE-274.C1.json`. The verdict in it is for people who read
the file: whoever asks is told what the numbers say, judged again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from anthology.journal import scratch
from anthology.runfile import Run, RunFileError, TestRun, dumps, loads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from anthology.config import Config
    from anthology.records import Claim

__all__ = [
    "Claims",
    "Named",
    "Run",
    "RunFileError",
    "TestRun",
    "claim_of",
    "files",
    "path",
    "read",
    "write",
]


class Claims(Protocol):
    """What this needs of a corpus."""

    @property
    def config(self) -> Config:
        """Where things are."""

    @property
    def claims(self) -> Mapping[str, Claim]:
        """Full id to claim."""

    def find(self, name: str) -> str | None:
        """Return the id of today for any spelling of an id, or None."""


class Named(Claims, Protocol):
    """What looking claims up by other ids needs, too."""

    def resolve(self, name: str) -> str:
        """Return the id of today, or raise `UnknownNameError`."""

    def parts(self, name: str) -> Sequence[str]:
        """Return the ids of a record's claims and senses."""


def folder(config: Config) -> Path:
    """Return where the run files are."""
    return config.root / config.runs


def path(config: Config, claim: str) -> Path:
    """Return the run file of a claim, whether there is one or not."""
    return folder(config) / f"{claim.replace('#', '.')}.json"


def claim_of(file: Path) -> str:
    """Return the id in a run file's name: `NOTE-274.C1.json` is `NOTE-274#C1`."""
    record, dot, part = file.name.removesuffix(".json").partition(".")
    return f"{record}#{part}" if dot else record


def files(corpus: Claims) -> dict[str, Path]:
    """Return the run file of each claim that has one; former ids count, today's id first."""
    found: dict[str, Path] = {}
    for file in sorted(folder(corpus.config).glob("*.json")):
        name = claim_of(file)
        claim = corpus.find(name)
        if claim is not None and claim in corpus.claims and (claim not in found or name == claim):
            found[claim] = file
    return found


def read(file: Path) -> Run:
    """Read a run file.

    Raises:
        RunFileError: It is no run file, or one of a schema that is not known here.

    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise RunFileError(f"cannot be read: {error.strerror}") from None
    return loads(data)


def write(config: Config, run: Run) -> Path:
    """Write a claim's run file whole: a reader sees the old one or the new one, never a part."""
    target = path(config, run.claim)
    target.parent.mkdir(parents=True, exist_ok=True)
    text = dumps(run).encode()
    if target.is_file() and target.read_bytes() == text:
        return target
    # Not beside the target: what a kill leaves behind must not lie among the records.
    draft = scratch(config) / f"{target.name}.{os.getpid()}"
    try:
        draft.write_bytes(text)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target
