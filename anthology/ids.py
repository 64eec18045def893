"""Identifiers: `LIT-530`, `LIT-tmpcv53l`, `NOTE-274#C1`, `TERM-001#tokens`, `?slug`, arXiv ids."""

from __future__ import annotations

import re
from functools import lru_cache

SCHEME = r"[A-Z][A-Z0-9]{1,11}"
CODE = rf"{SCHEME}-(?:[0-9]{{1,9}}|tmp[a-z0-9]{{5}})"
PART = r"[A-Za-z0-9][A-Za-z0-9_.-]*"

_CODE = re.compile(CODE)
_ID = re.compile(rf"({CODE})(?:#({PART}))?")
_PART = re.compile(PART)
_FOREIGN = re.compile(r"[A-Z][A-Z0-9]+[-:]\S+")
_PLACEHOLDER = re.compile(r"\?[a-z0-9][a-z0-9-]*")
_NUMBERED = re.compile(rf"({SCHEME})-0*([0-9]{{1,18}})")

# Both schemes arXiv has used: 0704.0001 since April 2007, math.GT/0309136 before.
_ARXIV = re.compile(
    r"(?:https?://)?(?:www\.|export\.)?(?:arxiv\.org/(?:abs|pdf|html)/|(?:doi\.org/|doi:)?10\.48550/)?"
    r"(?:arxiv[:.-]\s*)?(?P<id>\d{4}[.:]\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?P<version>v\d+)?(?:\.pdf)?/?"
    r"(?:\s*\[[a-z.-]+\])?",
    re.IGNORECASE,
)


def is_code(text: str) -> bool:
    """Whether `text` is the id of a record: a scheme, a dash, a number or a temporary code."""
    return _CODE.fullmatch(text) is not None


def is_id(text: str) -> bool:
    """Whether `text` names a record, or a claim or sense of one."""
    return _ID.fullmatch(text) is not None


def is_part(text: str) -> bool:
    """Whether `text` can name a claim or a sense within its record."""
    return _PART.fullmatch(text) is not None


def is_foreign(text: str) -> bool:
    """Whether `text` names something of another record: `ANTH-LIT-123`, `DOI:10.1000/1`."""
    return _FOREIGN.fullmatch(text) is not None


def is_placeholder(text: str) -> bool:
    """Whether `text` is a target that nobody has filed yet, such as `?activation-collapse`."""
    return _PLACEHOLDER.fullmatch(text) is not None


def split(text: str) -> tuple[str, str]:
    """Split `NOTE-274#C1` into the record's id and the part; the part may be empty."""
    record, _, part = text.partition("#")
    return record, part


def record_of(text: str) -> str:
    """Return the id of the record that `text` is, or is a part of."""
    return text.partition("#")[0]


def scheme_of(text: str) -> str:
    """Return the scheme, `LIT` of `LIT-530`; empty for a placeholder."""
    return "" if text.startswith("?") else text.partition("-")[0]


@lru_cache(maxsize=1 << 16)
def key(text: str) -> str:
    """Return the spelling under which two ids are the same: number without leading zeros.

    `LIT-014`, `LIT-14` and `LIT-0014` are one record; `#part` is kept as it is.
    """
    record, mark, part = text.partition("#")
    match = _NUMBERED.fullmatch(record)
    if match:
        record = f"{match[1]}-{int(match[2])}"
    return f"{record}{mark}{part}"


def order(text: str) -> tuple[str, int, str]:
    """Sort key: by scheme, then number, then the rest; temporary codes come last."""
    record, _, part = text.partition("#")
    match = _NUMBERED.fullmatch(record)
    if match:
        # C10 after C2: a trailing number of the part is compared as one.
        digits = re.search(r"[0-9]+$", part)
        width = digits[0].lstrip("0").rjust(9, "0") if digits else ""
        return match[1], int(match[2]), part[: digits.start()] + width if digits else part
    return scheme_of(record), 1 << 60, text


def arxiv(text: str) -> tuple[str, str] | None:
    """Return an arXiv id and its version from any spelling, or None.

    >>> arxiv("https://arxiv.org/abs/2103.03404v2"), arxiv("10.48550/arXiv.2103.03404")
    (('2103.03404', 'v2'), ('2103.03404', ''))
    """
    match = _ARXIV.fullmatch(text.strip())
    if match is None:
        return None
    return match["id"].replace(":", ".").lower(), (match["version"] or "").lower()
