"""Which number a record gets next, how it is written, and where its file stands."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

from anthology import ids
from litgraph.mending import declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.corpus import Corpus

WIDTH = 3  # digits that a number has at least
MARK = "tmp"  # a code that gets its number when it is merged
_LETTERS = string.ascii_lowercase + string.digits


def is_temporary(name: str) -> bool:
    """Whether an id is a code that waits for its number."""
    return name.partition("-")[2].startswith(MARK)


def taken(corpus: Corpus, scheme: str) -> set[int]:
    """Return the numbers that records of a scheme have, or had: an old id stays theirs."""
    names = (*corpus.records, *corpus.aliases, *(each.id for each in corpus.duplicates))
    ours = (ids.order(each) for each in names if ids.scheme_of(each) == scheme)
    return {number for _, number, _ in ours if number < 1 << 60}


def following(corpus: Corpus, scheme: str) -> Iterator[str]:
    """Yield the next free ids of a scheme: after the greatest, never in a gap."""
    number = max(taken(corpus, scheme), default=0)
    while True:
        number += 1
        yield f"{scheme}-{number:0{WIDTH}d}"


def temporary(corpus: Corpus, scheme: str) -> str:
    """Return a temporary id of a scheme that no record has."""
    while True:
        name = f"{scheme}-{MARK}{''.join(random.choices(_LETTERS, k=5))}"
        if corpus.find(name) is None:
            return name


def folder(corpus: Corpus, scheme: str) -> str:
    """Return where the records of a scheme are: most of them, or as declared, or by its name."""
    found: dict[str, int] = {}
    for record in corpus.records.values():
        if record.kind == scheme:
            place = record.path.rpartition("/")[0]
            found[place] = found.get(place, 0) + 1
    if found:
        return max(found, key=lambda each: found[each])
    if said := declared.folder(corpus.root, scheme):
        return said
    first = corpus.config.records
    top = next((each for each in first if (corpus.root / each).is_dir()), first[0])
    return f"{top}/{scheme.lower()}"
