"""One JSON document: a versioned envelope around the rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from litgraph.formats import Sheet

suffix = ".json"


def write(sheet: Sheet, out: TextIO) -> None:
    """Print `{"schema", "count", "rows"}`, a row a line."""
    head = json.dumps(sheet.kind)
    if not sheet.rows:
        out.write(f'{{"schema": {head}, "count": 0, "rows": []}}\n')
        return
    out.write(f'{{"schema": {head}, "count": {len(sheet.rows)}, "rows": [\n')
    lines = (json.dumps(row, ensure_ascii=False) for row in sheet.rows)
    out.write(",\n".join(lines) + "\n")
    out.write("]}\n")
