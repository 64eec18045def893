"""What tests share: a way to make a small record, and to run the command line."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from anthology import corpus

ROOT = Path(__file__).parents[1]

Make = Callable[..., corpus.Corpus]


class Done(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Write files below a fresh root; a text is dedented."""

    def _write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8", newline="")
        return tmp_path

    return _write


@pytest.fixture
def make(write: Callable[[Mapping[str, str]], Path]) -> Make:
    """Make a corpus: `make(LIT_001="front matter", NOTE_001=...)`, a body after a `---` line."""

    def _make(**records: str) -> corpus.Corpus:
        (root := write({})).joinpath("records").mkdir(exist_ok=True)
        for name, text in records.items():
            head, _, body = textwrap.dedent(text).strip("\n").partition("\n---\n")
            (root / "records" / f"{name.replace('_', '-')}.md").write_text(
                f"---\n{head}\n---\n{body}\n", encoding="utf-8"
            )
        return corpus.load(root)

    return _make


@pytest.fixture
def anthology() -> Callable[..., Done]:
    """Run the command as a process, as a user would: `anthology("query", "LIT-530")`."""

    def _run(*arguments: str, cwd: Path = ROOT, **environment: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "litgraph", *arguments],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return _run


@pytest.fixture(scope="session")
def seed() -> corpus.Corpus:
    """Return this repository's own record."""
    return corpus.load(ROOT / "records")
