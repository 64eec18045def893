"""The command as a whole: help, version, endings."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, Done
from tests.generate import make

Run = Callable[..., Done]

COMMANDS = sorted(
    path.stem.rstrip("_")
    for path in (ROOT / "litgraph" / "cli").glob("*.py")
    if not path.stem.startswith("_")
)


def test_help_names_every_command_and_fits_80_columns(anthology: Run) -> None:
    done = anthology("--help")
    assert done.code == 0
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", done.out, re.MULTILINE), name
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_says_what_it_does(anthology: Run, name: str) -> None:
    done = anthology(name, "--help")
    assert done.code == 0, done.err
    assert done.out.startswith(("Usage:", "\nUsage:"))
    assert max(map(len, done.out.splitlines())) <= 80


def test_version(anthology: Run) -> None:
    from anthology import __version__

    assert anthology("--version").out == f"anthology {__version__}\n"


def test_an_unknown_command_or_option_is_exit_2(anthology: Run) -> None:
    assert anthology("qery").code == 2
    done = anthology("query", "--formt", "json")
    assert (done.code, done.out) == (2, "")
    assert "--format" in done.err


def test_ctrl_c_is_130(tmp_path: Path) -> None:
    make(tmp_path, 2000)
    running = subprocess.Popen(
        [sys.executable, "-m", "litgraph", "validate", "--no-cache", "--root", str(tmp_path)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(0.8)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate()
    assert running.returncode == 130
    assert "Traceback" not in err


def test_a_fault_of_the_tool_is_exit_3(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from litgraph import cli, index

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(index, "graph", broken)
    monkeypatch.setattr(sys, "argv", ["anthology", "query", "--root", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 3
