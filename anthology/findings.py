"""A fault in the records, as a value: what, where, how bad."""

from __future__ import annotations

import enum
from typing import NamedTuple


class Severity(enum.Enum):
    """How bad a finding is; only `ERROR` fails a check by default."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Order, worst first: 0 for an error."""
        return ("error", "warning", "info").index(self.value)


class Finding(NamedTuple):
    """One message about one place.

    Attributes:
        path: File, relative to the root, with `/`.
        line: First line is 1.
        column: First column is 1, counted in characters.
        code: The rule's code, as `anthology explain` takes it.
        message: What is wrong, and what would be right.
        severity: Error, warning or information.

    """

    path: str
    line: int
    column: int
    code: str
    message: str
    severity: Severity = Severity.ERROR

    @property
    def place(self) -> str:
        """`path:line:col`, as an editor takes it."""
        return f"{self.path}:{self.line}:{self.column}"

    def __str__(self) -> str:
        """One line, as compilers print it."""
        return f"{self.place}: {self.code} {self.message}"
