"""`fix`, as a user types it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.conftest import Done

Run = Callable[..., Done]
Write = Callable[[Mapping[str, str]], Path]

FILES = {
    "records/LIT-001.md": "---\r\ntitle: A: b\r\nextends: [LIT-2, LIT-2]\r\n---\r\n",
    "records/LIT-002.md": "---\ntitle: B\n---\n",
}


def test_it_prints_what_it_changed_and_does_it_once(anthology: Run, write: Write) -> None:
    root = write(FILES)
    shown = anthology("fix", "--diff", cwd=root)
    assert shown.code == 0
    assert "-title: A: b\n-extends: [LIT-2, LIT-2]\n+title: 'A: b'\n" in shown.out
    assert (root / "records/LIT-001.md").read_bytes() == FILES["records/LIT-001.md"].encode()
    done = anthology("fix", cwd=root)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "records/LIT-001.md: quoted the value of `title`, which holds a colon\n"
        "records/LIT-001.md: dropped LIT-2, which stood twice under `extends`\n"
    )
    data = (root / "records/LIT-001.md").read_bytes()
    assert data == b"---\r\ntitle: 'A: b'\r\nextends: [LIT-2]\r\n---\r\n"
    assert anthology("fix", cwd=root) == Done(0, "", "")


def test_a_file_that_cannot_be_read_fails_it_and_stops_nothing(
    anthology: Run, write: Write
) -> None:
    root = write({**FILES, "records/LIT-003.md": "---\na: [\n---\n"})
    done = anthology("fix", "--root", str(root))
    assert done.code == 1
    assert done.err.startswith("records/LIT-003.md:3:1: F107 ")
    assert "records/LIT-001.md: quoted" in done.out
    assert anthology("fix", "LIT-2", cwd=root) == Done(0, "", "")


def test_help_says_how_a_placeholder_is_filled(anthology: Run) -> None:
    said = " ".join(anthology("fix", "--help").out.split())
    assert 'fills: "?slug"' in said
    assert "--converses" in said
