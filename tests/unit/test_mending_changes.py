"""What would be written is what git would apply, and writing is whole or not at all."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from anthology import config
from litgraph.mending import changes
from litgraph.mending.changes import Change, WriteError

if TYPE_CHECKING:
    from pathlib import Path

CASES = {
    "changed": Change("a.md", b"1\n2\n3\n", b"1\nzwei\n3\n"),
    "no end": Change("a.md", b"1\n2", b"1\n3"),
    "an end": Change("a.md", b"1\n2", b"1\n2\n"),
    "returns": Change("a.md", b"1\r\n2\r\n", b"1\r\n3\r\n"),
    "separators": Change("a.md", "1\x0b2\u2028\n3\n".encode(), "1\x0b2\u2028\n4\n".encode()),
    "new": Change("b/c/new.md", None, "ä\n".encode()),
    "emptied": Change("a.md", b"1\n", b""),
    "moved": Change("b/new.md", b"1\n2\n", b"1\n2\n", was="a.md"),
    "moved and changed": Change("b/new.md", b"1\n2\n3\n4\n", b"1\n2\n3\n5\n", was="a.md"),
}


def prepared(root: Path, change: Change) -> config.Config:
    root.mkdir()
    (root / "b").mkdir()
    if change.before is not None:
        (root / (change.was or change.path)).write_bytes(change.before)
    return config.load(root)


def held(root: Path) -> dict[str, bytes]:
    files = (each for each in root.rglob("*.md") if each.is_file())
    return {each.relative_to(root).as_posix(): each.read_bytes() for each in files}


@pytest.mark.parametrize("change", CASES.values(), ids=CASES)
def test_git_applies_the_diff_to_what_is_written(tmp_path: Path, change: Change) -> None:
    settings = prepared(tmp_path / "one", change)
    changes.apply(settings, [change])
    assert held(tmp_path / "one") == {change.path: change.after}
    prepared(tmp_path / "two", change)
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    subprocess.run(
        ["git", "apply", "-"],
        input=changes.diff([change]).encode(),
        cwd=tmp_path / "two",
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)},
        check=True,
    )
    assert held(tmp_path / "two") == held(tmp_path / "one")


def test_what_changes_nothing_is_neither_shown_nor_written(tmp_path: Path) -> None:
    change = Change("a.md", b"1", b"1")
    settings = prepared(tmp_path / "one", change)
    before = (tmp_path / "one/a.md").stat().st_mtime_ns
    changes.apply(settings, [change])
    assert changes.diff([change]) == ""
    assert (tmp_path / "one/a.md").stat().st_mtime_ns == before
    assert not (tmp_path / "one/.anthology").exists()


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    settings = prepared(tmp_path / "one", CASES["changed"])
    real = tmp_path / "one/a.md"
    real.chmod(0o640)
    (tmp_path / "one/link.md").symlink_to(real)
    changes.apply(settings, [Change("link.md", b"1\n2\n3\n", b"x\n")])
    assert (tmp_path / "one/link.md").is_symlink()
    assert real.read_bytes() == b"x\n"
    assert real.stat().st_mode & 0o777 == 0o640
    moved = Change("b/a.md", b"x\n", b"y\n", was="a.md")
    changes.apply(settings, [moved])
    assert (tmp_path / "one/b/a.md").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change("a.md", b"other", b"x"), "a.md changed while it was being read; nothing"),
        (Change("a.md", None, b"x"), "a.md is there already; nothing"),
        (Change("gone.md", b"1", b"x"), "gone.md changed while"),
        (Change("b.md", b"1\n2\n3\n", b"x", was="a.md"), "b.md is there already; nothing"),
        (Change("b", b"1", b"x"), "b cannot be read: is a directory"),
    ],
)
def test_a_file_that_is_not_as_it_was_stops_everything(
    tmp_path: Path, change: Change, said: str
) -> None:
    settings = prepared(tmp_path / "one", CASES["changed"])
    (tmp_path / "one/b.md").write_bytes(b"b")
    with pytest.raises(WriteError, match=said):
        changes.apply(settings, [CASES["changed"], change])
    assert (tmp_path / "one/a.md").read_bytes() == b"1\n2\n3\n"


def test_a_file_that_cannot_be_written_is_said_and_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = prepared(tmp_path / "one", CASES["changed"])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(WriteError, match=r"a\.md cannot be written: no space left"):
        changes.apply(settings, [CASES["changed"]])
    assert held(tmp_path / "one") == {"a.md": b"1\n2\n3\n"}
    assert [each.name for each in (tmp_path / "one/.anthology").iterdir()] == [".gitignore"]
