"""From the bytes of a file to its parts: front matter as placed text, and the body.

The only module that reads records. Nothing here raises over what a file holds: every
fault is a `Finding`, and whatever else can be read still is.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from anthology import body, frontmatter
from anthology.findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from anthology.frontmatter import Fields

LARGE = 4 << 20  # bytes; a record is prose that a person reads

_FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^# ", re.MULTILINE)
_CONFLICT = re.compile(r"^(?:<{7}|>{7}|\|{7})(?=[ \n]|$)", re.MULTILINE)
_MARKERS = ("<<<<<<<", ">>>>>>>", "|||||||")
_CONTROLS = bytes(each for each in (*range(32), 127) if each not in b"\t\n\r")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_BREAKS = re.compile("[\x85\u2028\u2029]")  # to YAML they end a line, to an editor not
_NONBLOCK = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(slots=True)
class Document:
    r"""One file, taken apart.

    Attributes:
        path: Relative to the root, with `/`.
        name: The file's stem.
        fields: The front matter; None where it could not be read.
        body: Everything after the front matter, with `\\n` line ends.
        body_line: The line of the file on which the body starts.
        findings: What is wrong with the file as a file.

    """

    path: str
    name: str
    fields: Fields | None = None
    body: str = ""
    body_line: int = 1
    findings: list[Finding] = field(default_factory=list)

    def report(
        self, line: int, column: int, code: str, message: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Add a finding at a place of this file."""
        self.findings.append(Finding(self.path, line, column, code, message, severity))


def read(path: Path, relative: str) -> Document:
    """Read a file. A file that cannot be opened yields a document with one finding."""
    document = Document(relative, path.stem)
    try:
        data, size = _bytes(path)
    except OSError as error:
        document.report(1, 1, "F101", f"cannot be read: {(error.strerror or str(error)).lower()}")
        return document
    if size > LARGE:
        document.report(
            1, 1, "F102",
            f"the file holds {size / 2**20:.1f} MiB, a record at most {LARGE >> 20} MiB; "
            "only its front matter was read, keep data in a file of its own",
        )  # fmt: skip
        data = _front_only(data)
    return parse(data, document)


def _bytes(path: Path) -> tuple[bytes, int]:
    """Read a regular file, up to the limit; a pipe of that name must not hold us up."""
    handle = os.open(path, os.O_RDONLY | _NONBLOCK)
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(0, "it is a folder")
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is no regular file")
        return os.read(handle, min(status.st_size, LARGE) + 1), status.st_size
    finally:
        os.close(handle)


def parse(data: bytes, document: Document) -> Document:
    """Take the bytes of a file apart into `document`."""
    text = _decode(data, document)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Looking for rare bytes is far cheaper than matching every character of every file.
    if len(data.translate(None, _CONTROLS)) != len(data) or b"\xc2" in data or b"\xef\xbf" in data:
        text = _printable(text, document)
    if any(each in text for each in _MARKERS):
        _conflicts(text, document)
    _divide(text, document)
    return document


def line(path: Path, number: int) -> str:
    """Return one line of a file, as findings count them; empty where there is none."""
    try:
        status = path.stat()
        found = _lines(path, status.st_mtime_ns, status.st_size)
    except OSError:
        return ""
    return found[number - 1] if 0 < number <= len(found) else ""


@lru_cache(maxsize=1)
def _lines(path: Path, _changed: int, _size: int) -> list[str]:
    text = _decode(_bytes(path)[0], Document("", ""))
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def locate(path: Path, keys: Sequence[str | int], *, name: bool = False) -> tuple[int, int]:
    """Return line and column of what a path of keys leads to in a file's front matter.

    Reads the file again: a record keeps no places, because only a finding needs one.
    """
    fields = _again(path).fields
    return frontmatter.locate(fields, keys, name=name) if fields else (1, 1)


def locate_heading(path: Path) -> tuple[int, int]:
    """Return line and column of the text of a file's first heading."""
    document = _again(path)
    found = body.heading(document.body)
    return (found[1] + document.body_line, 3) if found else (1, 1)


def _again(path: Path) -> Document:
    """Read a file anew, unless it was the last one and has not changed."""
    try:
        status = path.stat()
    except OSError:
        return Document("", "")
    return _cached(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1)
def _cached(path: Path, _changed: int, _size: int) -> Document:
    return read(path, "")


def _front_only(data: bytes) -> bytes:
    """Cut an outsized file after its front matter, or after its first 64 KiB."""
    end = data.find(b"\n---", 4, 1 << 16)
    cut = data[: end + 4] + b"\n" if end > 0 else data[: 1 << 16]
    return cut.decode("utf-8", errors="ignore").encode()


def _decode(data: bytes, document: Document) -> str:
    encoding = _wide(data)
    if encoding:
        document.report(1, 1, "F103", f"the file is {encoding[:6].upper()}; save it as UTF-8")
        return data.decode(encoding, errors="replace").removeprefix("\ufeff")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        document.report(
            line, column, "F103",
            f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8",
        )  # fmt: skip
        return data.decode(errors="replace")


def _wide(data: bytes) -> str:
    """Name an encoding of two or four bytes a character, with its mark or without."""
    if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "utf-32"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if b"\0" in data[:8]:
        start = data[:512]
        for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
            if len(start) > 7 and start[first::2].count(0) * 10 > len(start) * 4:
                return encoding
    return ""


def _printable(text: str, document: Document) -> str:
    match = _UNPRINTABLE.search(text)
    if match is None:
        return text
    line, column = _place(text, match.start())
    name = "a NUL" if match[0] == "\0" else f"the control character U+{ord(match[0]):04X}"
    document.report(line, column, "F104", f"the text holds {name}; delete it")
    return _UNPRINTABLE.sub(" ", text)


def _conflicts(text: str, document: Document) -> None:
    """Report each conflict once, and a closing marker that nothing opens."""
    opened = False
    for match in _CONFLICT.finditer(text):
        mark = match[0][0]
        if mark == "<" or not opened:
            document.report(
                _place(text, match.start())[0], 1, "F106",
                "an unresolved merge conflict starts here; keep one side, delete the markers"
                if mark == "<" else "a marker left over from a merge conflict; delete it",
            )  # fmt: skip
        opened = mark == "<" or (opened and mark == "|")


def _place(text: str, position: int) -> tuple[int, int]:
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def _divide(text: str, document: Document) -> None:
    """Split the text at its fences and read the front matter."""
    first, newline, _ = text.partition("\n")
    if first.rstrip(" \t") != "---" or not newline:
        document.body = text
        document.report(
            1, 1, "F105", "no front matter; start the file with `---`, the keys, and `---`"
        )
        return
    start = len(first) + 1
    close = _FENCE.search(text, start)
    if close is None:
        document.report(
            1, 1, "F105", "the front matter never ends; close it with a line that holds only `---`"
        )
        heading = _HEADING.search(text, start)
        end = heading.start() if heading else len(text)
        document.body, document.body_line = text[end:], text.count("\n", 0, end) + 1
        head = text[start:end]
    else:
        document.body = text[close.end() + 1 :]
        document.body_line = text.count("\n", 0, close.end()) + 2
        head = text[start : close.start()]
    if any(each in head for each in _MARKERS) and _CONFLICT.search(head):
        return  # already reported; neither side can be chosen for the writer
    if not head.isascii() and (match := _BREAKS.search(head)):
        line, column = _place(head, match.start())
        said = f"the text holds the line separator U+{ord(match[0]):04X}; delete it"
        document.report(line + 1, column, "F104", said)
        head = _BREAKS.sub(" ", head)
    document.fields = frontmatter.compose(head, document.report)
