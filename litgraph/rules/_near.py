"""Ids one slip away from one that nobody has: cheap however many records there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import ids
from anthology.errors import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.corpus import Corpus


def records(corpus: Corpus, name: str) -> list[str]:
    """Return the records that may have been meant: one digit off, or of another scheme."""
    scheme, _, number = ids.record_of(name).partition("-")
    slips = (f"{scheme}-{each}" for each in _slips(number) if each)
    others = (f"{each}-{number}" for each in sorted(corpus.schemes))
    found = (corpus.find(each) for each in (*slips, *others))
    return list(dict.fromkeys(each for each in found if each is not None))[:3]


def parts(corpus: Corpus, name: str) -> list[str]:
    """Return the parts of the same record that look like the one written."""
    record, part = ids.split(name)
    there = [ids.split(each)[1] for each in corpus.parts(record)]
    return [f"{record}#{each}" for each in nearest(part, there)]


def hint(names: list[str]) -> str:
    """Return `; did you mean A or B?`, or nothing."""
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _slips(text: str) -> Iterator[str]:
    """Yield every text that one slip of the hand makes of digits."""
    if not text.isdigit():
        return
    for i in range(len(text) - 1):
        yield text[:i] + text[i + 1] + text[i] + text[i + 2 :]
    for i in range(len(text)):
        yield text[:i] + text[i + 1 :]
    for i in range(len(text) if len(text) > 1 else 0):
        yield from (text[:i] + digit + text[i + 1 :] for digit in "0123456789")
    for i in range(len(text) + 1):
        yield from (text[:i] + digit + text[i:] for digit in "0123456789")
