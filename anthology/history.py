"""Earlier states of run files, from git: what was measured, and when."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from anthology import runfile, runs
from anthology.errors import NothingFoundError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from anthology.runfile import Run
    from anthology.runs import Claims

MOST = 20  # states that a person looks at


class State(NamedTuple):
    """A run file as it was at a commit; `run` is None where it cannot be read now."""

    commit: str
    date: str
    run: Run | None


def states(corpus: Claims, claim: str) -> Iterator[State]:
    """Yield the committed states of a claim's run file, newest first; none outside git."""
    file = runs.files(corpus).get(claim, runs.path(corpus.config, claim))
    root = corpus.config.root
    name = file.relative_to(root).as_posix()
    log = git(root, "log", "--follow", "--name-only", f"-{MOST}", "--format=%x00%H %cs", "--", name)
    for each in filter(None, log.split("\0")):
        head, *names = each.split("\n")
        commit, date = head.split(" ")
        path = next(filter(None, names), "")
        text = git(root, "show", f"{commit}:{path}") if path else ""
        yield State(commit, date, _read(text))


def find(corpus: Claims, name: str) -> tuple[str, Run]:
    """Return the run that `CLAIM` or `CLAIM@REVISION` names, and the claim's id.

    Raises:
        NothingFoundError: There is no such claim, or no run of it there.

    """
    written, _, revision = name.partition("@")
    claim = corpus.find(written)
    if claim is None or claim not in corpus.claims:
        raise UnknownNameError("claim", written, corpus.claims)
    file = runs.files(corpus).get(claim, runs.path(corpus.config, claim))
    if not revision:
        if not file.exists():
            raise NothingFoundError(f"{claim} has no run; `anthology verify '{claim}'` makes one")
        return claim, runs.read(file)
    root = corpus.config.root
    run = _read(git(root, "show", f"{revision}:./{file.relative_to(root).as_posix()}"))
    if run is None:
        raise NothingFoundError(f"{claim} has no run that can be read at {revision}")
    return claim, run


def _read(text: str) -> Run | None:
    try:
        return runfile.loads(text.encode())
    except runfile.RunFileError:
        return None


def git(root: Path, *arguments: str) -> str:
    """Return what git says; empty where it says nothing, or is not there."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        return subprocess.run(
            ["git", "-C", str(root), "-c", "core.quotepath=off", *arguments],
            capture_output=True, text=True, encoding="utf-8", errors="replace", check=True,
            env=environment, timeout=60,
        ).stdout  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
