"""Slips of YAML that have one reading: a value with a bare colon, an HTML comment, a bare number.

The repair works on lines, because until it is done nothing else can: other readers of YAML
lose the whole front matter over the first, and a text over the second.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from anthology import reader, source
from anthology.manuscript import EditError, Manuscript
from anthology.notation import inline
from anthology.source import Document

if TYPE_CHECKING:
    from anthology.findings import Finding

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_REMARK = re.compile(r"\s+#(?=\s)")
_TEXT_BELOW = re.compile(r"\s*(?:- +)*[^\s#][^#]*:[ \t]+[|>][-+0-9]*[ \t]*(?:#.*)?[\r\n]*")
_LIMIT = 100  # comments of one file; no person writes more


def mend(path: str, data: bytes) -> tuple[bytes, list[str], list[str]]:
    """Mend the slips of a file: its bytes, what was done, and what was left, in words."""
    done: list[str] = []
    left: list[str] = []
    data = _colons(path, data, done)
    data = _comments(path, data, done, left)
    return _quotes(path, data, done, left), done, left


def _read(path: str, data: bytes) -> Document:
    return source.parse(data, Document(path, PurePosixPath(path).stem))


def _faults(document: Document, code: str) -> list[Finding]:
    return [each for each in document.findings if each.code == code]


def _colons(path: str, data: bytes, done: list[str]) -> bytes:
    """Quote the values that hold a colon and a space."""
    document = _read(path, data)
    faults = _faults(document, "F109")
    if not faults or document.fields is None:
        return data
    mark, lines = _lines(data)
    for fault in faults:
        line = lines[fault.line - 1]
        head, value = line[: fault.column - 1], line[fault.column - 1 :]
        remark = _REMARK.search(value)
        text = value[: remark.start()] if remark else value.rstrip()
        lines[fault.line - 1] = head + inline(text) + value[len(text) :]
        key = head.strip(" -").rstrip(": \t")
        done.append(f"quoted the value of `{key}`, which holds a colon")
    return (mark + "".join(lines)).encode()


def _comments(path: str, data: bytes, done: list[str], left: list[str]) -> bytes:
    """Make HTML comments inside the front matter comments of YAML."""
    passed = 0
    for _ in range(_LIMIT):
        document = _read(path, data)
        faults = _faults(document, "F108")[passed:]
        if not faults or document.fields is None:
            break
        number = faults[0].line - 1
        for moved in (False, True):
            text = _commented(data, number, document.body_line, moved=moved)
            if text and _said(_read(path, text).fields) == _said(document.fields):
                data = text
                done.append("made an HTML comment a comment of YAML" + " above its text" * moved)
                break
        else:
            passed += 1
            what = "stands inside a value; move it" if text else "never ends; close it with `-->`"
            left.append(f"{path}:{number + 1}:1: the HTML comment {what}")
    return data


def _commented(data: bytes, number: int, end: int, *, moved: bool) -> bytes:
    """Return a file with a comment of YAML in the place of an HTML one, or above its text.

    Nothing is returned where the comment does not end within the front matter.
    """
    mark, lines = _lines(data)
    last = next((n for n in range(number, end - 1) if "-->" in lines[n]), None)
    if last is None:
        return b""
    made = []
    for line in lines[number : last + 1]:
        ending = line[len(line.rstrip("\r\n")) :]
        text = line.strip().removeprefix("<!--").replace("-->", "", 1).strip()
        indent = line[: len(line) - len(line.lstrip(" "))]
        made.append(f"{indent}# {text}".rstrip() + ending)
    above = next((n for n in range(number - 1, 0, -1) if _TEXT_BELOW.fullmatch(lines[n])), 0)
    if moved and above:
        lines[number : last + 1] = []
        lines[above:above] = made
    else:
        lines[number : last + 1] = made
    return (mark + "".join(lines)).encode()


def _quotes(path: str, data: bytes, done: list[str], left: list[str]) -> bytes:
    """Quote what other readers of YAML take for a number or a word of its own."""
    document = _read(path, data)
    if document.fields is None:
        return data
    reader.record(document)
    faults = _faults(document, "F121")
    if not faults:
        return data
    places = {(each.line - 1, each.column - 1) for each in faults}
    manuscript = Manuscript(path, data)
    for keys, node in list(manuscript.walk()):
        if keys and manuscript.span(node)[0] in places:
            try:
                manuscript.set(keys, str(node.value))
            except EditError as error:
                left.append(str(error))
            else:
                done.append(f"quoted the value of `{keys[-1]}`, which other readers damage")
    return manuscript.data


def _lines(data: bytes) -> tuple[str, list[str]]:
    text = data.decode("utf-8")
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark, _LINE.findall(text.removeprefix(mark))


def _said(value: object) -> object:
    """Return fields without what the shape of a text in several lines adds."""
    if isinstance(value, dict):
        return {str(key): _said(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_said(each) for each in value]
    return " ".join(value.split()) if isinstance(value, str) else value
