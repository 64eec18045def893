"""`rename` and `renumber`, as a user types them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.conftest import Done

Run = Callable[..., Done]
Write = Callable[[Mapping[str, str]], Path]

FILES = {
    "records/lit/LIT-001.md": "---\nnumber: 1\nextends: LIT-tmpab1cd\n---\n# LIT-001: A\n",
    "records/lit/LIT-tmpab1cd.md": "---\ntitle: B\n---\n# LIT-tmpab1cd: B\n",
    "records/note/NOTE-001.md": "---\npaper: LIT-1\nclaims: {C1: {text: x}, C2: {text: C1}}\n---\n"
    "Of C1.\n",
}


def test_a_record(anthology: Run, write: Write) -> None:
    root = write(FILES)
    shown = anthology("rename", "LIT-1", "LIT-7", "--diff", cwd=root)
    assert "rename from records/lit/LIT-001.md\nrename to records/lit/LIT-007.md\n" in shown.out
    assert "-paper: LIT-1\n+paper: LIT-007\n" in shown.out
    assert (root / "records/lit/LIT-001.md").exists()
    done = anthology("rename", "LIT-1", "LIT-7", cwd=root)
    assert done == Done(
        0,
        "records/note/NOTE-001.md: 1 reference\n"
        "records/lit/LIT-007.md: was LIT-001\n"
        "records/lit/LIT-007.md: 1 reference\n",
        "",
    )
    assert "formerly:\n- LIT-001\n" in (root / "records/lit/LIT-007.md").read_text()


def test_a_claim(anthology: Run, write: Write) -> None:
    root = write(FILES)
    done = anthology("rename", "NOTE-1#C1", "#C9", cwd=root)
    assert (done.code, done.out) == (
        0,
        "records/note/NOTE-001.md: NOTE-001#C1 is NOTE-001#C9 now\n",
    )
    assert done.err == (
        "records/note/NOTE-001.md:5:4: left as it is, look whether the claim is meant: C1\n"
    )


def test_a_file(anthology: Run, write: Write) -> None:
    root = write({**FILES, "records/LIT-01.md": "---\nnumber: 1\n---\n# LIT-01: twin\n"})
    refused = anthology("rename", "LIT-1", "LIT-2", cwd=root)
    assert (refused.code, refused.out) == (2, "")
    assert "have one id; name the file" in refused.err
    done = anthology("rename", "./records/LIT-01.md", "LIT-2", cwd=root)
    assert done.out.startswith("records/LIT-002.md: was LIT-01\n")
    assert (root / "records/LIT-002.md").read_text() == "---\nnumber: 2\n---\n# LIT-002: twin\n"


def test_what_is_not_there_or_taken(anthology: Run, write: Write) -> None:
    root = write(FILES)
    assert anthology("rename", "LIT-9", "LIT-8", cwd=root).code == 2
    taken = anthology("rename", "LIT-1", "LIT-tmpab1cd", cwd=root)
    assert taken == Done(2, "", "error: LIT-tmpab1cd is the id of records/lit/LIT-tmpab1cd.md\n")


def test_temporary_codes_get_their_numbers(anthology: Run, write: Write) -> None:
    root = write(FILES)
    assert anthology("renumber", "NOTE", cwd=root).err == "no code waits for its number\n"
    assert anthology("renumber", "LOT", cwd=root).code == 2
    done = anthology("renumber", cwd=root)
    assert done.out.splitlines()[1] == "records/lit/LIT-002.md: was LIT-tmpab1cd"
    assert "extends: LIT-002\n" in (root / "records/lit/LIT-001.md").read_text()
    assert anthology("validate", "--ignore", "F118,R317", cwd=root).code == 0
    assert anthology("renumber", cwd=root) == Done(0, "", "no code waits for its number\n")
