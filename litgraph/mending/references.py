"""Codes in running text, wherever they stand, and what they are to become.

`LIT-53` is not in `LIT-530`, `ANTH-LIT-53` or `LIT-53-2`; what an address of the web says is
another record's business. All else of a text stays byte for byte.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from anthology import ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CODE = re.compile(
    r"https?://[^\s<>\"')\]]+"
    rf"|(?<![A-Za-z0-9_-])(?P<code>{ids.CODE})(?![A-Za-z0-9_]|-[0-9])"
    rf"(?:(?P<mark>(?:\.md)?\#)(?P<part>{ids.PART}))?"
)
# What these keys hold is kept: former names, and the names in a test that its runs rest on.
_KEPT = re.compile(r"[ \t]*(?:- +)*(?P<key>formerly|was|controls?|arms|params)[ \t]*:")
_INLINE = re.compile(r"\b(?:was|formerly): *[^,}]*")


class Found(NamedTuple):
    """A piece of a text, and what is to stand there."""

    start: int
    end: int
    text: str


class Names:
    """Old ids to new ones: of records, or of the parts of records."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = {ids.key(old): new for old, new in names.items()}

    def find(self, text: str) -> Iterator[Found]:
        """Yield where a text names something that gets another name."""
        for match in _CODE.finditer(text):
            code, part = match["code"], (match["part"] or "").rstrip(".-")
            if not code:
                continue
            if part and (new := self.names.get(ids.key(f"{code}#{part}"))):
                start = match.start("part")
                yield Found(start, start + len(part), ids.split(new)[1])
            elif new := self.names.get(ids.key(code)):
                yield Found(*match.span("code"), new)

    def replace(self, text: str) -> tuple[str, int]:
        """Return a text with the new names, and how many they are."""
        found = list(self.find(text))
        return _written(text, found), len(found)

    def record(self, text: str) -> tuple[str, int]:
        """As `replace`, of a record's file: what it says of former names is kept."""
        found = list(self.find(text))
        if found:
            kept = list(_former(text))
            found = [each for each in found if not any(a <= each.start < b for a, b in kept)]
        return _written(text, found), len(found)


def _written(text: str, found: list[Found]) -> str:
    parts, position = [], 0
    for start, end, new in found:
        parts += [text[position:start], new]
        position = end
    return "".join((*parts, text[position:]))


def _former(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of front matter that are kept."""
    depth = position = fences = 0
    inside = False
    for line in text.splitlines(keepends=True):
        plain = line.strip()
        fences += plain.lstrip("\ufeff") == "---"
        if fences > 1:
            return
        indent = len(line) - len(line.lstrip(" "))
        listed = plain.startswith("-") and indent == depth
        inside = inside and (not plain or indent > depth or listed)
        if not inside and (match := _KEPT.match(line)):
            inside, depth = True, match.start("key")
        if inside:
            yield position, position + len(line)
        else:
            yield from ((position + each.start(), position + each.end())
                        for each in _INLINE.finditer(line))  # fmt: skip
        position += len(line)
