"""One line a finding, `path:line:col: CODE message`, as editors and `grep` take it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from litgraph.reports import printable

if TYPE_CHECKING:
    from litgraph.reports import Report


def write(report: Report, out: TextIO) -> None:
    """Print every finding, whatever its severity."""
    out.writelines(f"{printable(str(each))}\n" for each in report.findings)
