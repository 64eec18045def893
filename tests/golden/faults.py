"""Golden cases of faults: one text file each, `faults/CODE.txt`.

A case says what is planted, then gives its files, each below a line of `=== path`, and at
the end, below `=== expected`, what is found as `validate --format concise` prints it. Ids
are the code's digits and one more, so that all cases fit in one project. After the path may
stand how the file is made: `(escaped)` with Python's escapes for bytes, `(utf-16)` in that
encoding, `(filled to 5 MiB)`, `(folder)`, `(link TARGET)`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "faults"
_HEAD = re.compile(r"^=== (?P<path>.+?)(?: \((?P<how>[^()]+)\))?\n", re.MULTILINE)


class Planted(NamedTuple):
    """One file of a case."""

    path: str
    how: str
    text: str

    def plant(self, root: Path) -> None:
        """Make the file below a root."""
        place = root / self.path
        place.parent.mkdir(parents=True, exist_ok=True)
        how, _, what = self.how.partition(" ")
        if how == "folder":
            place.mkdir()
        elif how == "link":
            place.symlink_to(what)
        else:
            place.write_bytes(self.data(how))

    def data(self, how: str) -> bytes:
        """Return the bytes of the file."""
        if how == "escaped":
            return self.text.encode("ascii").decode("unicode_escape").encode("latin-1")
        if how == "filled":
            return self.text.encode() + b"word " * (1 << 20)
        return self.text.encode(how or "utf-8")


class Case(NamedTuple):
    """What is planted for one code, and what must be found."""

    code: str
    files: tuple[Planted, ...]
    expected: list[str]

    def plant(self, root: Path) -> None:
        """Make its files below a root."""
        for each in self.files:
            each.plant(root)


def read(code: str) -> Case:
    """Read one case."""
    text = (FOLDER / f"{code}.txt").read_text(encoding="utf-8")
    _, *parts = _HEAD.split(text)
    triples = list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))
    files = tuple(Planted(path, how or "", body) for path, how, body in triples[:-1])
    assert triples[-1][0] == "expected", f"{code}.txt has no part `=== expected`"
    return Case(code, files, triples[-1][2].splitlines())


def codes() -> list[str]:
    """Return the codes that have a case."""
    return sorted(each.stem for each in FOLDER.glob("*.txt"))
