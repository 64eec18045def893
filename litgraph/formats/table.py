"""A table for people: aligned, wrapped to the terminal, undecorated where it is piped.

Laid out here and not by a library: the ones there are take longer to import than most
answers take to find.
"""

from __future__ import annotations

import os
import shutil
import textwrap
import unicodedata
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from litgraph.formats import Sheet

GAP = "  "
INDENT = "    "
NARROW = 6  # no column gets fewer characters


def write(sheet: Sheet, out: TextIO) -> None:
    """Print the sheet's columns; what is empty in every row is left out."""
    if not sheet.rows:
        out.write(sheet.empty + "\n")
        return
    width = shutil.get_terminal_size((80, 24)).columns
    shown = [
        name
        for name in sheet.columns
        if name not in (sheet.group, sheet.note) and any(cell(row.get(name)) for row in sheet.rows)
    ]
    heads = [sheet.titles.get(name, name.replace("_", " ")) for name in shown]
    table = [[cell(row.get(name)) for name in shown] for row in sheet.rows]
    widths = fit([heads, *table], width)
    bold, plain = ("\x1b[1m", "\x1b[0m") if decorated(out) else ("", "")
    out.writelines(f"{bold}{line}{plain}\n" for line in lines(heads, widths))
    out.write(GAP.join("─" * each for each in widths) + "\n")
    last: object = None
    for row, cells in zip(sheet.rows, table, strict=True):
        if sheet.group and (head := cell(row.get(sheet.group))) != last:
            out.write(f"{bold}{head}{plain}\n")
            last = head
        out.writelines(line + "\n" for line in lines(cells, widths))
        if sheet.note and (note := cell(row.get(sheet.note))):
            out.write(textwrap.fill(note, width, initial_indent=INDENT, subsequent_indent=INDENT))
            out.write("\n")


def decorated(out: TextIO) -> bool:
    """Whether colour may be used: a terminal, and nobody asked for plain text."""
    return out.isatty() and not os.environ.get("NO_COLOR") and not os.environ.get("CI")


def cell(value: object) -> str:
    """Return the text of one value; a list is joined by commas."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(cell(each) for each in value)
    return " ".join(str(value).split())


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


def fit(rows: Sequence[Sequence[str]], total: int) -> list[int]:
    """Share the width out: short columns keep theirs, the longest give way."""
    shown = range(len(rows[0]))
    natural = [max(columns(row[i]) for row in rows) for i in shown]
    room = total - len(GAP) * (len(natural) - 1)
    # A word is not broken where that can be helped: an id is copied from the screen.
    whole = [max(columns(word) for row in rows for word in [*row[i].split(), ""]) for i in shown]
    widths = list(natural)
    for floor in (max(NARROW, total // 3), 2 * NARROW, NARROW):
        _shrink(widths, [min(each, floor) for each in whole], room)
    _shrink(widths, [min(each, NARROW) for each in natural], room)
    return widths


def _shrink(widths: list[int], least: list[int], room: int) -> None:
    """Narrow the widest column, step by step, until all fit or none can give way."""
    while (over := sum(widths) - room) > 0:
        able = [i for i, width in enumerate(widths) if width > least[i]]
        if not able:
            return
        widest = max(able, key=lambda i: widths[i])
        second = max((widths[i] for i in able if widths[i] < widths[widest]), default=0)
        step = max(1, min(over, widths[widest] - second))
        widths[widest] = max(least[widest], widths[widest] - step)


def lines(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Wrap one row and yield its lines."""
    wrapped = [
        textwrap.wrap(text, width, break_on_hyphens=False) or [""]
        for text, width in zip(cells, widths, strict=True)
    ]
    for number in range(max(map(len, wrapped))):
        line = []
        for part, width in zip(wrapped, widths, strict=True):
            text = part[number] if number < len(part) else ""
            line.append(text + " " * (width - columns(text)))
        yield GAP.join(line).rstrip()
