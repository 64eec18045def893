"""Exceptions: the caller asked for something that cannot be done.

Faults in the *records* are never raised; they are returned as `Finding` values.
Every exception carries the exit code with which the command line reports it.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


FEW = 12  # names that an error lists where none is near


class AnthologyError(Exception):
    """Base of every error this project raises on purpose."""

    exit_code = 2


class UnknownNameError(AnthologyError):
    """A record, claim, relation, rule, question or format was named that does not exist."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.what, self.name = what, name
        there = list(known)
        self.near = nearest(name, there)
        hint = f"; did you mean {' or '.join(self.near)}?" if self.near else ""
        if not hint and 0 < len(there) <= FEW:
            hint = f"; there is {', '.join(there)}"
        super().__init__(f"no {what} named {name!r}{hint}")


class NothingFoundError(AnthologyError):
    """A path or selector matched nothing, or no record was found."""

    exit_code = 4


class ConfigError(AnthologyError):
    """The configuration cannot be read, so nothing can be judged by it."""


class QueryError(AnthologyError):
    """A query cannot be parsed or answered as it stands."""


class ExperimentError(AnthologyError):
    """An experiment could not be found, read or run to its end; says nothing about its claim."""

    exit_code = 3


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return up to `count` of the known names that a reader may have meant, best first."""
    folded: dict[str, str] = {}
    for each in known:
        folded.setdefault(each.casefold(), each)
    close = difflib.get_close_matches(name.casefold(), folded, n=count, cutoff=0.6)
    return [folded[each] for each in close]
