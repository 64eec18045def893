"""What a model refused, in a curator's words and at its place in the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from anthology.errors import nearest
from anthology.frontmatter import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import ValidationError

_CHOICES = frozenset({"str", "list[str]"})  # of a type with alternatives, in an error's place


def each(error: ValidationError, raw: Mapping[str, Any]) -> Iterator[tuple[str, object, str]]:
    """Yield the top field of each refusal, the placed text that caused it, and a sentence."""
    told: set[tuple[int | str, ...]] = set()
    for one in error.errors(include_url=False):
        steps = tuple(step for step in one["loc"] if step not in _CHOICES)
        if steps in told:
            continue  # once for each type that the value could have had
        told.add(steps)
        top = str(steps[0]) if steps else ""
        at = place(raw, steps)
        if at is None:
            at = Text("", raw.get("line", 1), raw.get("column", 1))
        yield top, at, sentence({**one, "loc": steps}, top)


def place(raw: Mapping[str, Any], loc: tuple[int | str, ...]) -> object:
    """Walk an error's location down to the placed text that caused it."""
    found: object = None
    value: object = raw
    for step in loc:
        if isinstance(value, Mapping) and step in value:
            key = next((each for each in value if each == step), None)
            found = key if isinstance(key, Text) else found
            value = value[step]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            break
        if hasattr(value, "line"):
            found = value
    return found


def sentence(error: Any, top: str) -> str:
    """Say what a model refused in a curator's words."""
    kind, given = error["type"], error.get("input")
    name = ".".join(str(each) for each in error["loc"] if not isinstance(each, int)) or top
    if kind == "missing":
        return f"`{name}` is missing"
    if kind == "literal_error":
        allowed = error["ctx"]["expected"].replace("'", "`").replace("``, ", "")
        near = nearest(str(given), re.findall(r"`([^`]+)`", allowed), 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        return f"`{name}` is {short(given)}; it can be {allowed}{hint}"
    if kind.startswith("int"):
        return f"`{name}` is {short(given)}; it must be a whole number"
    if kind in {"greater_than_equal", "less_than_equal"}:
        bound = next(iter(error["ctx"].values()))
        side = "least" if kind.startswith("greater") else "most"
        return f"`{name}` is {short(given)}; it must be at {side} {bound}"
    if kind == "string_type":
        what = "a list" if isinstance(given, list) else "a mapping"
        return f"`{name}` is {what}; it must be one value"
    if kind in {"dict_type", "mapping_type"}:
        return f"`{name}` is {short(given)}; it must be a mapping of names to values"
    message = str(error["msg"])
    return f"`{name}`: " * bool(name) + message.removeprefix("Value error, ")


def short(value: object) -> str:
    """Quote a value as it was written, as much of it as a message can hold."""
    text = " ".join(str(value).split())
    return f"`{text if len(text) <= 60 else text[:57] + '…'}`"
