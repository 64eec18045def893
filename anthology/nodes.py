"""The nodes of composed YAML: where they are, what they say, and what they would say instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

Keys = tuple[str | int, ...]


class Place(NamedTuple):
    """A place in the file; its first line and column are 0."""

    line: int
    column: int


def start(node: yaml.Node) -> Place:
    """Return where a node starts; the front matter starts on the file's second line."""
    return Place(node.start_mark.line + 1, node.start_mark.column)


def walk(node: yaml.Node, keys: Keys, *, entries: bool = False) -> Iterator[tuple[Keys, Any]]:
    """Yield a node and all below it; the keys of mappings too where `entries` are asked for."""
    yield keys, node
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if entries:
                yield keys, key
            yield from walk(value, (*keys, str(key.value)), entries=entries)
    elif isinstance(node, yaml.SequenceNode):
        for number, each in enumerate(node.value):
            yield from walk(each, (*keys, number), entries=entries)


def plain(node: yaml.Node | None) -> Any:
    """Return texts, lists and mappings; of keys that stand twice all are kept."""
    if isinstance(node, yaml.SequenceNode):
        return [plain(each) for each in node.value]
    if not isinstance(node, yaml.MappingNode):
        return node.value if node is not None else {}
    said: dict[str, Any] = {}
    for key, value in node.value:
        name = str(key.value)
        while name in said:
            name += "\0"
        said[name] = plain(value)
    return said


def put(said: Any, keys: Keys, value: Any) -> Any:
    """Return a copy with another value where a path of keys leads."""
    if not keys:
        return value
    step, rest = keys[0], keys[1:]
    if isinstance(said, list):
        number = position(said, step)
        return [put(each, rest, value) if n == number else each for n, each in enumerate(said)]
    name = next((each for each in said if spelt(each) == spelt(step)), str(step))
    return {**said, name: put(said.get(name, {}), rest, value)}


def position(items: list[Any], step: str | int) -> int | None:
    """Return which item a step leads to: its position, or the `id` or `name` that it has."""
    if isinstance(step, int):
        return step if step < len(items) else None
    named = (n for n, each in enumerate(items)
             if isinstance(each, dict) and step in (each.get("id"), each.get("name")))  # fmt: skip
    return next(named, None)


def spelt(key: object) -> str:
    """Return the spelling under which two keys are the same."""
    return str(key).replace("-", "_")


def without_html(lines: list[str]) -> list[str]:
    """Blank the HTML comments that stand on lines of their own, as reading does."""
    inside, kept = False, []
    for line in lines:
        comment = inside or line.lstrip().startswith("<!--")
        inside = comment and "-->" not in line
        kept.append("" if comment else line)
    return kept
