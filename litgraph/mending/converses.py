"""The other sides of relations, where the project's configuration asks for both in the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from anthology import relations
from litgraph.mending import declared

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from anthology.corpus import Corpus
    from anthology.records import Record


class Missing(NamedTuple):
    """What a record does not say although another says it of it.

    Attributes:
        record: The one that is silent.
        key: The key that is to say it.
        target: The one that says it.

    """

    record: Record
    key: str
    target: str


def missing(corpus: Corpus) -> Iterator[Missing]:
    """Yield the sides that are not written, in the order of the records that say the other.

    Raises:
        ConfigError: The configuration cannot be read.

    """
    sides = _declared(corpus.root)
    for record in corpus.records.values():
        for field, converse in sides.get(record.kind, {}).items():
            for name in _stated(corpus, record, field):
                other = corpus.records.get(name)
                if other is not None and record.id not in _stated(corpus, other, converse):
                    yield Missing(other, converse, record.id)


def _stated(corpus: Corpus, record: Record, field: str) -> list[str]:
    """Return the records that a record names under a key."""
    direction = relations.find(field)
    if direction is None:
        return []
    wanted = (direction.type.name, direction.forward)
    either = direction.type.symmetric
    return [
        corpus.find(each.to) or each.to
        for each in record.relations
        if (each.relation, each.forward or either) == wanted and each.status == "active"
    ]


def _declared(root: Path) -> dict[str, dict[str, str]]:
    """Return scheme to key to the key of its other side."""
    found: dict[str, dict[str, str]] = {}
    for scheme, said in declared.schemes(root).items():
        references = said.get("references")
        for field, each in (references if isinstance(references, dict) else {}).items():
            if isinstance(each, dict) and isinstance(each.get("converse"), str):
                found.setdefault(scheme, {})[str(field)] = each["converse"]
    return found
