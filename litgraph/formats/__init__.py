"""How rows are printed: one module here is one format.

A format module has `write(sheet, out)` and, where files of it have one, a `suffix`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TextIO

from anthology.errors import UnknownNameError

Row = Mapping[str, object]


class Sheet(NamedTuple):
    """An answer: rows, and what a person is shown of them.

    Attributes:
        kind: Names the schema, `anthology.edges/1`.
        rows: All fields of each row; machine formats print them all.
        columns: The fields that the table shows, in order.
        titles: Headings of columns where they differ from the field's name.
        note: A field of prose, printed below its row and indented.
        group: The field whose value is printed once, above its rows.
        empty: What the table says when there is nothing.

    """

    kind: str
    rows: Sequence[Row]
    columns: Sequence[str]
    titles: Mapping[str, str] = {}
    note: str = ""
    group: str = ""
    empty: str = "nothing found"


def names() -> list[str]:
    """Return the formats there are."""
    return sorted(each.name for each in pkgutil.iter_modules(__path__) if each.name[0] != "_")


def write(name: str, sheet: Sheet, out: TextIO) -> None:
    """Print a sheet.

    Raises:
        UnknownNameError: There is no such format.

    """
    if name not in names():
        raise UnknownNameError("format", name, names())
    importlib.import_module(f"{__name__}.{name}").write(sheet, out)
