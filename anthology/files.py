"""Which files of a project are records, and when they last changed."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from anthology import ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from anthology.config import Config

_SKIPPED = frozenset({"tests", "node_modules", "__pycache__", "venv", "site-packages", "docs"})
_ALMOST = re.compile(
    r"(?P<scheme>[A-Z][A-Z0-9]{1,11}?)[-_ ]?(?P<rest>\d{1,9}|tmp[a-z0-9]{5})"
    r"(?:[^A-Z0-9].*|[A-Z])?\.(?:md|markdown|mdown)",
    re.IGNORECASE | re.DOTALL,
)


class File(NamedTuple):
    """A file that is a record by its name.

    Attributes:
        path: Relative to the root, with `/`.
        modified: Time of its last change, ns; 0 where the system does not say.
        size: Bytes.

    """

    path: str
    modified: int
    size: int


def scan(settings: Config) -> list[File]:
    """Return the record files in the order of their paths.

    `LIT-530.md` is a record; `_template.md`, `README.md` and what lies in a hidden folder
    or below `tests/` are not. Without a folder of records, the root itself is scanned.
    """
    return sorted(_walk(*_folders(settings), is_record))


def is_record(name: str) -> bool:
    """Whether a file is a record by its name."""
    return name.endswith(".md") and ids.is_code(name[:-3])


def strays(settings: Config) -> list[tuple[str, str]]:
    """Return the files that are named almost like records: path, and the id that was meant."""
    found = []
    for file in sorted(_walk(*_folders(settings), is_almost)):
        match = _ALMOST.fullmatch(file.path.rpartition("/")[2])
        if match:
            found.append((file.path, f"{match['scheme'].upper()}-{match['rest'].lower()}"))
    return found


def is_almost(name: str) -> bool:
    """Whether a file's name is a slip away from a record's: `lit-005.md`, `LIT-005 copy.md`."""
    return _ALMOST.fullmatch(name) is not None and not is_record(name)


def _folders(settings: Config) -> tuple[list[str], int]:
    """Return the folders to scan, and how much of their paths to cut off."""
    root = str(settings.root)
    folders = [os.path.join(root, each) for each in settings.records]  # noqa: PTH118 - a hot path
    folders = [each for each in folders if os.path.isdir(each)] or [root]  # noqa: PTH112 - same
    return folders, len(root.rstrip(os.sep)) + 1


def _walk(folders: Iterable[str], cut: int, accept: Callable[[str], bool]) -> Iterator[File]:
    waiting, seen = list(folders), set[tuple[int, int]]()
    while waiting:
        folder = waiting.pop()
        try:
            status = os.stat(folder)  # noqa: PTH116 - no Path is made for any of 100,000 files
            with os.scandir(folder) as found:
                entries = list(found)
        except OSError:
            continue
        if (status.st_dev, status.st_ino) in seen:
            continue  # a link that leads back here
        seen.add((status.st_dev, status.st_ino))
        for entry in entries:
            name = entry.name
            if name[0] in "._" or name in _SKIPPED:
                continue
            if accept(name):
                yield _file(entry, cut)
            elif _is_folder(entry):
                waiting.append(entry.path)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _file(entry: os.DirEntry[str], cut: int) -> File:
    path = entry.path[cut:].replace(os.sep, "/")
    try:
        status = entry.stat()
    except OSError:  # a link to nothing, or to itself; reading it will say so
        return File(path, 0, 0)
    return File(path, status.st_mtime_ns, status.st_size)
