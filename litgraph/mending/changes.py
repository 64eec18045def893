"""What would be written: shown as a diff that git can apply, or applied whole."""

from __future__ import annotations

import contextlib
import difflib
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from anthology import journal
from anthology.errors import AnthologyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from anthology.config import Config

NOWHERE = "/dev/null"


class WriteError(AnthologyError):
    """A file could not be written, or is not as it was when it was read."""

    exit_code = 1


class Change(NamedTuple):
    """One file and what it is to hold.

    Attributes:
        path: Relative to the root, with `/`.
        before: Its bytes when it was read; None where there was no file.
        after: What it is to hold.
        was: Where it was, if it moves.
        said: What is changed, in words, one line each.

    """

    path: str
    before: bytes | None
    after: bytes
    was: str = ""
    said: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        """Whether it changes anything."""
        return self.before != self.after or bool(self.was)


@dataclass
class Outcome:
    """What mending came to.

    Attributes:
        changes: The files that it would change.
        refused: Which file was left as it is because it cannot be read, and why.
        left: What only a person can decide, and where.

    """

    changes: list[Change] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def diff(changes: Iterable[Change]) -> str:
    """Return a unified diff, as `git apply` takes it."""
    return "".join(line for change in changes if change.needed for line in _lines(change))


def _lines(change: Change) -> Iterator[str]:
    old, new = change.was or change.path, change.path
    yield f"diff --git a/{old} b/{new}\n"
    if change.was:
        yield f"rename from {old}\nrename to {new}\n"
    if change.before is None:
        yield "new file mode 100644\n"
    if change.before == change.after:
        return
    before, after = (_split(each or b"") for each in (change.before, change.after))
    source = f"a/{old}" if change.before is not None else NOWHERE
    yield f"--- {source}\n+++ b/{new}\n"
    for line in list(difflib.unified_diff(before, after, n=3))[2:]:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _split(data: bytes) -> list[str]:
    """Divide at line feeds alone, so that a carriage return stays a part of its line."""
    text = data.decode("utf-8", errors="surrogateescape")
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [text.rpartition("\n")[2]] * (
        not text.endswith("\n") and bool(text)
    )


def apply(settings: Config, changes: Iterable[Change]) -> None:
    """Write what is needed, each file whole: a reader sees the old one or the new one.

    A file keeps its mode, and a link stays one. The new place of a file that moves is written
    before the old one goes, so that whatever ends the process loses nothing.

    Raises:
        WriteError: A file cannot be written, or changed since it was read; what was written
            before it stays.

    """
    wanted = [each for each in changes if each.needed]
    for change in wanted:
        _unchanged(settings.root, change)
    for change in wanted:
        try:
            _write(settings, change)
        except OSError as error:
            said = (error.strerror or str(error)).lower()
            raise WriteError(f"{change.path} cannot be written: {said}") from None


def _unchanged(root: Path, change: Change) -> None:
    place = root / (change.was or change.path)
    try:
        found: bytes | None = place.read_bytes()
    except FileNotFoundError:
        found = None
    except OSError as error:
        raise WriteError(
            f"{change.path} cannot be read: {(error.strerror or '').lower()}"
        ) from None
    if found != change.before:
        what = "is there already" if change.before is None else "changed while it was being read"
        raise WriteError(f"{change.path} {what}; nothing was written")
    if change.was and (root / change.path).exists():
        raise WriteError(f"{change.path} is there already; nothing was written")


def _write(settings: Config, change: Change) -> None:
    target = settings.root / change.path
    old = settings.root / (change.was or change.path)
    mode = old.stat().st_mode & 0o7777 if old.exists() else None
    if not change.was:
        target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    # Not beside the target: what a kill leaves behind must not lie among the records.
    draft = journal.scratch(settings) / f"{target.name}.{os.getpid()}"
    try:
        draft.write_bytes(change.after)
        if mode is not None:
            draft.chmod(mode)
        draft.replace(target)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    if change.was:
        old.unlink()
