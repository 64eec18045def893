"""Where a file states its relations: the items of its lists, each with the path to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from anthology import relations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.manuscript import Manuscript
    from anthology.nodes import Keys


class Item(NamedTuple):
    """One target as a file states it.

    Attributes:
        keys: The path to it.
        said: The target alone, or a mapping with `to`.

    """

    keys: Keys
    said: Any

    @property
    def target(self) -> str:
        """What it points at, as written."""
        said = self.said.get("to", "") if isinstance(self.said, dict) else self.said
        return said if isinstance(said, str) else ""

    @property
    def target_keys(self) -> Keys:
        """The path to what it points at."""
        return (*self.keys, "to") if isinstance(self.said, dict) else self.keys

    @property
    def qualified(self) -> dict[str, Any]:
        """What is said beside the target."""
        if not isinstance(self.said, dict):
            return {}
        return {key: value for key, value in self.said.items() if key != "to"}


class Stated(NamedTuple):
    """All that one place says under one relation.

    Attributes:
        keys: The path to it.
        relation: The name as written.
        items: Its targets.

    """

    keys: Keys
    relation: str
    items: tuple[Item, ...]


def of(manuscript: Manuscript) -> Iterator[Stated]:
    """Yield what a file states: of itself, its claims and its senses."""
    yield from _owned(manuscript, ())
    for section in ("claims", "senses"):
        parts = manuscript.plain(section)
        steps = range(len(parts)) if isinstance(parts, list) else list(parts or ())
        for step in steps:
            yield from _owned(manuscript, (section, step))


def _owned(manuscript: Manuscript, keys: Keys) -> Iterator[Stated]:
    plain = manuscript.plain(*keys)
    if not isinstance(plain, dict):
        return
    for key, value in plain.items():
        if key == "relations" and isinstance(value, dict):
            for name, each in value.items():
                if relations.find(name):
                    yield _stated((*keys, key, name), name, each)
        elif relations.find(key):
            yield _stated((*keys, key), key, value)


def _stated(keys: Keys, name: str, value: Any) -> Stated:
    if isinstance(value, list):
        items = tuple(Item((*keys, number), each) for number, each in enumerate(value))
    else:
        items = (Item(keys, value),) if value else ()
    return Stated(keys, name, items)
