"""For people: each finding with the line that it is about, and a count at the end.

Where one code repeats, its first findings stand for the others, so that the first look at
a large record fits a screen. Nothing is hidden silently: what is left out is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TextIO

from anthology import source
from anthology.findings import Severity
from litgraph.formats.table import columns, decorated
from litgraph.reports import counted, printable

if TYPE_CHECKING:
    from pathlib import Path

    from anthology.findings import Finding
    from litgraph.reports import Report

FEW = 20  # findings that are always shown one by one
WIDTH = 100  # characters of a source line
BEFORE = 40  # of them before the place, where the line is longer
COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_TOKEN = re.compile(r"""'(?:[^'])*'|"(?:[^"])*"|`[^`]*`|[^\s,\]})|]+""")


class _Paint(NamedTuple):
    """Escape codes, or nothing."""

    on: bool

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on else text


def write(report: Report, out: TextIO) -> None:
    """Print the findings, what was left out, and the count."""
    paint = _Paint(decorated(out))
    listed = [f for f in report.findings if not (report.quiet and f.severity is Severity.INFO)]
    cut = report.limit if report.limit and len(listed) > FEW else len(listed)
    seen: Counter[str] = Counter()
    rest: list[Finding] = []
    for each in listed:
        seen[each.code] += 1
        if seen[each.code] > cut:
            rest.append(each)
            continue
        head = paint(f"{each.path}:{each.line}:{each.column}:", "1")
        word = paint(each.severity.value, COLOURS[each.severity])
        out.write(f"{head} {word}: {each.code} {printable(each.message)}\n")
        out.writelines(f"{line}\n" for line in excerpt(report.root, each))
    out.writelines(f"{line}\n" for line in _left_out(rest))
    hidden = len(report.findings) - len(listed)
    if hidden:
        what = "1 more is" if hidden == 1 else f"{hidden:,} more are"
        out.write(f"{what} information; --format concise lists it\n")
    if listed:
        out.write(f"{counted(report)}; `anthology explain CODE` says what to do\n")
    else:
        out.write(f"{counted(report)}\n")


def excerpt(root: Path, finding: Finding) -> list[str]:
    """Return the line of the file, and a second that points at the place in it."""
    line = source.line(root / finding.path, finding.line)
    if not line.strip():
        return []
    text = line.replace("\t", " ")
    at = min(finding.column - 1, len(text))
    match = _TOKEN.match(text, at)
    length = max(1, len(match[0]) if match else 1)
    start = 0 if len(text) <= WIDTH else max(0, min(at - BEFORE, len(text) - WIDTH))
    shown = printable(text[start : start + WIDTH])
    at -= start
    length = min(length, max(1, len(shown) - at))
    lead, tail = "…" if start else "", "…" if start + WIDTH < len(text) else ""
    number = str(finding.line)
    pad = " " * (columns(shown[:at]) + len(lead))
    mark = "^" * max(1, columns(shown[at : at + length]))
    return [f"  {number} | {lead}{shown}{tail}", f"  {' ' * len(number)} | {pad}{mark}"]


def _left_out(rest: list[Finding]) -> list[str]:
    files: dict[str, set[str]] = {}
    for each in rest:
        files.setdefault(each.code, set()).add(each.path)
    counts = Counter(each.code for each in rest)
    lines = [
        f"{code}: {count:,} more in {len(files[code]):,} file{'s' if len(files[code]) > 1 else ''}"
        for code, count in sorted(counts.items())
    ]
    return [*lines, "--limit 0 shows them all, --format concise a line each"] if lines else []
