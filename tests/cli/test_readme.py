"""README says what happens: its transcript is run, its two commands are there."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anthology import relations
from tests.conftest import ROOT, Done
from tests.readme import commands

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def transcript() -> list[tuple[str, str]]:
    """Return each command of the console blocks, with what README says it prints."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


@pytest.mark.parametrize(
    ("command", "printed"),
    [pytest.param(*each, id=each[0]) for each in transcript()],
)
def test_the_transcript_is_real(
    anthology: Callable[..., Done], command: str, printed: str, tmp_path: Path
) -> None:
    for name in ("records", "experiments", "pyproject.toml"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    for earlier, _ in before(command):
        assert anthology(*shlex.split(earlier)[1:], cwd=tmp_path).code == 0
    done = anthology(*shlex.split(command)[1:], cwd=tmp_path)
    assert done.code == 0, done.err
    assert timeless(done.out) == timeless(printed)


def before(command: str) -> list[tuple[str, str]]:
    """Return the commands on which one rests: what makes the experiment that it runs."""
    return [each for each in transcript() if "new experiment" in each[0] and "271#C2" in command
            and each[0] != command]  # fmt: skip


def timeless(text: str) -> str:
    """Return a text without the seconds that a run took."""
    return re.sub(r"\d+\.\d+ s$", "… s", text, flags=re.MULTILINE)


def test_python_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("records", "experiments"):
        shutil.copytree(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    (last,) = re.findall(r"^anthology\.verify\.claim\(.*?\)", code, re.MULTILINE)
    verdict = eval(last, names)
    assert str(verdict) == "corroborated (20/20)"
    assert len(names["corpus"].records) == len(list((tmp_path / "records").rglob("*.md")))


def test_there_are_exactly_two_commands() -> None:
    found = commands(TEXT)
    assert len(found) == 2
    assert all(each.startswith("python3 -m venv .venv && ") for each in found)
    assert all("-c constraints.txt" in each for each in found)
    assert found[0].endswith("anthology verify --rerun 'NOTE-274#C1'")


def test_every_relation_is_in_the_table_with_its_advice() -> None:
    table = TEXT.split("## Relations", 1)[1].split("\n## ", 1)[0]
    for each in relations.RELATIONS:
        assert re.search(rf"\b{each.name}\b", table), each.name
        if each.use:
            assert f"| {each.name} | {each.inverse} | {each.use} |" in table
        if not each.symmetric:
            assert each.inverse in table
