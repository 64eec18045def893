"""Literals of RDF: their datatypes and the one form in which each value is written."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from urllib.parse import quote

from litgraph.iris import expand

STRING = expand("xsd:string")
INTEGER = expand("xsd:integer")
BOOLEAN = expand("xsd:boolean")
DATE = expand("xsd:date")
DECIMAL = expand("xsd:decimal")

_PERIOD = re.compile(r"[1-9]\d{3}(?:-(?P<month>0[1-9]|1[0-2])(?P<day>-\d{2})?)?")
_NOTHING = frozenset({"", "-", "–", "—", "n/a"})


def said(text: str) -> str:
    """Return what a table's cell says; a dash says nothing."""
    return "" if text.strip() in _NOTHING else text


def period(text: str) -> str:
    """Return the datatype of `2021`, `2021-03` or `2021-03-05`; of anything else, text's.

    >>> period("2021-03"), period("2021-13")
    ('http://www.w3.org/2001/XMLSchema#gYearMonth', 'http://www.w3.org/2001/XMLSchema#string')
    """
    match = _PERIOD.fullmatch(text)
    if match is None:
        return STRING
    if match["day"]:
        return DATE if _day(text) else STRING
    return expand("xsd:gYearMonth" if match["month"] else "xsd:gYear")


@lru_cache(maxsize=4096)
def days(filed: str) -> tuple[str, str]:
    """Return the first and last day of `2026-09-21/22` or of one day; empty where unknown.

    >>> days("2026-09-21/22"), days("2026-09-21")
    (('2026-09-21', '2026-09-22'), ('2026-09-21', '2026-09-21'))
    """
    first, slash, end = filed.partition("/")
    last = first[: len(first) - len(end)] + end if slash else first
    return _day(first), _day(last)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""


def folded(text: str) -> str:
    """Return a word as it is compared: lower case, single blanks."""
    return " ".join(text.casefold().split())


def slug(text: str) -> str:
    """Return a text as a part of an IRI: `Rank collapse` → `rank-collapse`."""
    return quote(folded(text).replace(" ", "-"), safe="", errors="replace")


def printable(path: str) -> str:
    """Return a path as text, whatever bytes the file system holds."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


_INTEGERS = frozenset(
    expand(f"xsd:{each}") for each in ("integer", "int", "long", "nonNegativeInteger", "short")
)
_REALS = frozenset(expand(f"xsd:{each}") for each in ("decimal", "double", "float"))


def value(text: str, datatype: str) -> object:
    """Return the Python value of a literal: a number, a truth value, else its text."""
    if datatype == BOOLEAN:
        return text in {"true", "1"}
    try:
        if datatype in _INTEGERS:
            return int(text)
        if datatype in _REALS:
            return float(text)
    except ValueError:
        pass  # an ill-typed literal is shown as it is written
    return text
