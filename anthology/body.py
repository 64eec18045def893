"""The parts of a record's Markdown body that carry data: heading, Claims table, Concepts."""

from __future__ import annotations

import re
from typing import NamedTuple

HEADING = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
_SECTION = re.compile(r"^#{2,6}[ \t]+(\S.*)$", re.MULTILINE)
_FENCED = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?(?:^\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^[ \t]*\|")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_CONCEPT = re.compile(r"^[-*+] \*\*(?P<term>.+?)\*\*\s*(?:[—–:]|--?)\s*(?P<text>.*)", re.DOTALL)
_ITEM = re.compile(r"^[-*+] .*(?:\n(?![-*+] |#|\n).*)*", re.MULTILINE)
_MARKS = ("**", "__", "*", "_", "`")


class Cell(NamedTuple):
    """One cell of a table; `column` is where its text starts, the first being 1."""

    text: str
    column: int


class Row(NamedTuple):
    """One row of a Claims table, cells by the header's names, lower case."""

    line: int
    cells: dict[str, Cell]


class Concept(NamedTuple):
    """A term as one note defines it."""

    line: int
    term: str
    definition: str


def without_code(body: str) -> str:
    """Blank the fenced code blocks, keeping every line where it is."""
    if "```" not in body and "~~~" not in body:
        return body
    return _FENCED.sub(lambda match: "\n" * match[0].count("\n"), body)


def heading(body: str) -> tuple[str, int] | None:
    """Return the first level-1 heading and its line within the body, 0 the first."""
    match = HEADING.search(body)
    if match and ("```" in body[: match.start()] or "~~~" in body[: match.start()]):
        body = without_code(body)
        match = HEADING.search(body)
    return (_unclosed(match[1]), body.count("\n", 0, match.start())) if match else None


def _unclosed(heading: str) -> str:
    """Take off the marks that may close a heading; `About C#` keeps its own."""
    text = heading.rstrip()
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else text


def cells(line: str) -> list[Cell]:
    r"""Split a table row at its pipes: not at `\|`, and not inside a code span."""
    parts: list[Cell] = []
    start = position = 0
    while position < len(line):
        char = line[position]
        if char == "\\":
            position += 2
            continue
        if char == "`":
            run = len(line) - position - len(line[position:].lstrip("`"))
            close = _closing(line, position + run, run)
            position = close or position + run
            continue
        if char == "|":
            parts.append(_cell(line, start, position))
            start = position + 1
        position += 1
    parts.append(_cell(line, start, len(line)))
    if line.lstrip().startswith("|"):
        parts = parts[1:]
    return parts[:-1] if parts and not parts[-1].text and line.rstrip().endswith("|") else parts


def _closing(line: str, position: int, run: int) -> int:
    """Return where the code span that was opened by `run` back-ticks ends, or 0."""
    for match in re.compile("`+").finditer(line, position):
        if len(match[0]) == run:
            return match.end()
    return 0


def _cell(line: str, start: int, end: int) -> Cell:
    raw = line[start:end]
    text = raw.strip().replace("\\|", "|")
    return Cell(text, start + len(raw) - len(raw.lstrip()) + 1)


def plain(text: str) -> str:
    """Take off the marks of emphasis or code that enclose the whole of a cell."""
    for mark in _MARKS:
        inner = text[len(mark) : -len(mark)]
        if text.startswith(mark) and text.endswith(mark) and inner and mark not in inner:
            return plain(inner.strip())
    return text


def claims(body: str) -> tuple[list[str], list[Row]]:
    """Find the table of claims by its header and return its columns and rows.

    The header has a cell `id` and a cell `claim`; more columns are kept. Line 0 is
    the body's first.
    """
    rows: list[Row] = []
    lines = without_code(body).split("\n")
    for number, line in enumerate(lines[:-1]):
        if not _ROW.match(line) or not _RULE.fullmatch(lines[number + 1].strip()):
            continue
        header = [plain(each.text).lower() for each in cells(line)]
        if "id" not in header or "claim" not in header:
            continue
        for below in range(number + 2, len(lines)):
            if not _ROW.match(lines[below]):
                break
            found = cells(lines[below])
            rows.append(Row(below, dict(zip(header, found, strict=False))))
        return header, rows
    return [], rows


def unread_table(body: str) -> int | None:
    """Return the line of a table below the heading Claims, the first being 0, or None.

    Asked where no table has the header that makes it the table of claims.
    """
    lines = without_code(body).split("\n")
    below = False
    for number, line in enumerate(lines[:-1]):
        heading = _SECTION.match(line)
        if heading:
            below = _unclosed(heading[1]).lower() == "claims"
        elif below and _ROW.match(line) and _RULE.fullmatch(lines[number + 1].strip()):
            return number
    return None


def concepts(body: str) -> list[Concept]:
    """Return the items `- **Term** — definition` of the Concepts section."""
    start = next(
        (m for m in _SECTION.finditer(body) if _unclosed(m[1]).lower() == "concepts"), None
    )
    if start is None:
        return []
    following = _SECTION.search(body, start.end())
    section = body[start.end() : following.start() if following else len(body)]
    first = body.count("\n", 0, start.end())
    found = []
    line, counted = first, 0
    for item in _ITEM.finditer(section):
        match = _CONCEPT.match(item[0])
        if match:
            line += section.count("\n", counted, item.start())
            counted = item.start()
            found.append(Concept(line, plain(match["term"]), " ".join(match["text"].split())))
    return found
