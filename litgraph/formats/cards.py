"""Cards for people: one row below the other, a field a line, for answers too wide for a table."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, TextIO

from litgraph.formats.table import GAP, cell, columns, decorated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litgraph.formats import Row, Sheet


def write(sheet: Sheet, out: TextIO) -> None:
    """Print each row under its first column; a field that is empty is left out."""
    if not sheet.rows:
        out.write(sheet.empty + "\n")
        return
    width = shutil.get_terminal_size((80, 24)).columns
    bold, plain = ("\x1b[1m", "\x1b[0m") if decorated(out) else ("", "")
    head, *fields = (each for each in sheet.columns if each not in (sheet.group, sheet.note))
    names = {each: sheet.titles.get(each, each.replace("_", " ")) for each in fields}
    used = [len(names[each]) for each in fields if any(cell(row.get(each)) for row in sheet.rows)]
    margin = GAP if sheet.group else ""
    last: object = None
    for number, row in enumerate(sheet.rows):
        if sheet.group and (group := cell(row.get(sheet.group))) != last:
            out.write("\n" * (number > 0) + f"{bold}{group}{plain}\n")
            last = group
        elif number:
            out.write("\n" * (not sheet.group))
        out.write(f"{margin}{bold}{cell(row.get(head))}{plain}\n")
        indent = margin + GAP
        if sheet.note and (note := cell(row.get(sheet.note))):
            out.writelines(line + "\n" for line in _wrap(note, indent, indent, width))
        out.writelines(
            line + "\n" for line in _fields(row, names, max(used, default=0), indent, width)
        )


def _fields(row: Row, names: dict[str, str], label: int, indent: str, width: int) -> Iterator[str]:
    for name, title in names.items():
        if text := cell(row.get(name)):
            first = indent + title + " " * (label - columns(title)) + GAP
            yield from _wrap(text, first, " " * len(first), width)


def _wrap(text: str, first: str, rest: str, width: int) -> list[str]:
    room = max(width, len(first) + 20)
    return textwrap.wrap(
        text, room, initial_indent=first, subsequent_indent=rest,
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip
