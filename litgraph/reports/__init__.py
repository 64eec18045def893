"""How findings are printed: one module here is one format of findings alone.

The formats of `litgraph.formats` print findings, too: as a sheet like any other.
A module here has `write(report, out)`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, NamedTuple, TextIO

from anthology.errors import UnknownNameError
from anthology.findings import Finding, Severity
from litgraph import formats

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SCHEMA = "anthology.findings/1"
FULL = "full"


class Report(NamedTuple):
    """What was found, and in what.

    Attributes:
        root: Findings name their files relative to it.
        findings: By place.
        records: How many records were looked at.
        limit: Findings of one code that `full` shows; 0 shows all.
        quiet: Whether `full` only counts what is information.

    """

    root: Path
    findings: Sequence[Finding]
    records: int = 0
    limit: int = 0
    quiet: bool = False


def names() -> list[str]:
    """Return the formats that findings can be printed in."""
    own = (each.name for each in pkgutil.iter_modules(__path__) if each.name[0] != "_")
    return sorted({*own, *formats.names()})


def write(name: str, report: Report, out: TextIO) -> None:
    """Print findings.

    Raises:
        UnknownNameError: There is no such format.

    """
    if name not in names():
        raise UnknownNameError("format", name, names())
    if name in formats.names():
        formats.write(name, sheet(report), out)
    else:
        importlib.import_module(f"{__name__}.{name}").write(report, out)


def sheet(report: Report) -> formats.Sheet:
    """Return findings as rows."""
    from litgraph.rules import rules

    called = {rule.code: rule.name for rule in rules()}
    rows = [
        {
            "code": each.code,
            "name": called.get(each.code, ""),
            "severity": each.severity.value,
            "message": each.message,
            "file": each.path,
            "line": each.line,
            "column": each.column,
        }
        for each in report.findings
    ]
    columns = ("line", "column", "code", "severity", "message")
    return formats.Sheet(SCHEMA, rows, columns, group="file", empty=counted(report))


def counted(report: Report) -> str:
    """Say how many of what were found in how many records."""
    many = "1 record" if report.records == 1 else f"{report.records:,} records"
    words = {Severity.ERROR: "error", Severity.WARNING: "warning"}
    found = []
    for severity, word in words.items():
        count = sum(each.severity is severity for each in report.findings)
        if count:
            found.append(f"{count:,} {word}{'s' if count > 1 else ''}")
    return f"{' and '.join(found) or 'nothing wrong'} in {many}"


def printable(text: str) -> str:
    """Replace what a terminal would obey rather than show."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)
