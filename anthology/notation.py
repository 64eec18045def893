"""How values are written as YAML, so that every reader of YAML reads back the same.

A text is left plain where that is safe everywhere, put in single quotes where not, and in
double quotes where it holds what has to be escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeGuard

import yaml

Value = str | int | float | bool | Sequence["Value"] | Mapping[str, "Value"]

STEP = 2  # columns that a mapping stands to the right of its key

_PLAIN = re.compile(r"[^\W_](?:[^\x00-\x1f]*[^\s:])?")
_BROKEN = re.compile(r": |\s#|:$")  # where a plain text would end
_FLOWING = re.compile(r"[\[\]{},?:]")  # what ends or changes a plain text inside brackets
_WORDS = frozenset("y n yes no on off true false null none nan inf".split())  # noqa: SIM905 - words
_ESCAPED = re.compile("[\x00-\x1f\x7f-\xa0\xad\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class Inline(dict[str, Value]):
    """A mapping that is written on one line: `{mask: causal}`."""


def inline(value: Value, *, flow: bool = False) -> str:
    """Write a value on one line; `flow` where it will stand inside brackets."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return _text(value, flow=flow)
    if isinstance(value, Mapping):
        pairs = (f"{_text(key, flow=True)}: {inline(each, flow=True)}".rstrip()
                 for key, each in value.items())  # fmt: skip
        return f"{{{', '.join(pairs)}}}"
    return f"[{', '.join(inline(each, flow=True) for each in value)}]"


def block(value: Mapping[str, Value] | Sequence[Value], indent: int) -> list[str]:
    """Write a mapping or a list on lines of its own."""
    if isinstance(value, Mapping):
        return [line for key, each in value.items() for line in _entry(key, each, indent)]
    lines = []
    for each in value:
        if deep(each):
            first, *rest = block(each, indent + STEP)
            lines += [f"{' ' * indent}- {first.lstrip(' ')}", *rest]
        else:
            lines.append(f"{' ' * indent}- {inline(each)}")
    return lines


def plainly(value: Value) -> object:
    """Return a value as it is read back: texts, lists and mappings."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {key: plainly(each) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [plainly(each) for each in value]
    return inline(value)


def _entry(key: str, value: Value, indent: int) -> list[str]:
    name = f"{' ' * indent}{_text(key, flow=False)}:"
    if not deep(value):
        return [f"{name} {inline(value)}"]
    below = indent + STEP if isinstance(value, Mapping) else indent
    return [name, *block(value, below)]


def deep(value: Value) -> TypeGuard[Mapping[str, Value] | Sequence[Value]]:
    """Whether a value is written on lines of its own."""
    if isinstance(value, str | Inline) or not isinstance(value, Mapping | Sequence):
        return False
    return bool(value)


def _text(text: str, *, flow: bool) -> str:
    if _ESCAPED.search(text):
        quoted = json.dumps(text, ensure_ascii=False)
        return _ESCAPED.sub(_escape, quoted)
    broken = _BROKEN.search(text) or (flow and _FLOWING.search(text))
    if _PLAIN.fullmatch(text) and not broken and not _fragile(text):
        return text
    return "'" + text.replace("'", "''") + "'"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 1 << 8 else f"\\u{code:04x}"


def _fragile(text: str) -> bool:
    """Whether some reader of YAML takes a plain text for a number, a date or a word of its own."""
    if text.lower() in _WORDS or text[0].isdigit():
        return True
    resolve: Callable[..., str] = _resolver().resolve
    return resolve(yaml.ScalarNode, text, (True, False)) != "tag:yaml.org,2002:str"


@cache
def _resolver() -> yaml.resolver.Resolver:
    return yaml.resolver.Resolver()
