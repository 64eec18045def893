"""A record's file as its writer left it, changed only at the places that must change.

All else stays byte for byte: line ends, a byte order mark, comments, quotes, the order of
keys. After each change the front matter is read again; where it then says anything but
what it should, the change is taken back and refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import yaml

from anthology import nodes, source
from anthology.errors import AnthologyError
from anthology.nodes import Keys, Place
from anthology.notation import STEP, Value, block, deep, inline, plainly
from anthology.source import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ENDS = re.compile(r"\r\n|\n|\r")
_FENCE = re.compile(r"---[ \t]*")
MENDABLE = "F109"  # the code of a bare colon
_UNCLEAR = frozenset({"F103", "F105", "F107", MENDABLE, "F111"})  # what was read is not what stands


class EditError(AnthologyError):
    """A file cannot be changed without changing more of it than must be."""

    exit_code = 1


class Manuscript:
    """One file.

    Attributes:
        path: Relative to the root, with `/`.
        text: The whole file, line ends as they are, without a byte order mark.
        newline: How its lines end.
        body_line: The line on which the body starts; the file's first is 0.

    """

    def __init__(self, path: str, data: bytes) -> None:
        """Take a file.

        Raises:
            EditError: It cannot be read, or not without guessing; the message says where.

        """
        self.path = path
        document = source.parse(data, Document(path, PurePosixPath(path).stem))
        faults = [each for each in document.findings if each.code in _UNCLEAR]
        faults.sort(key=lambda each: each.code == MENDABLE)
        if faults or document.fields is None:
            fault = (faults or document.findings)[0]
            hint = "; `anthology fix` does it" if fault.code == MENDABLE else ""
            raise EditError(f"{fault}{hint}")
        text = data.decode("utf-8")
        self.text = text.removeprefix("\ufeff")
        self._mark = text[: len(text) - len(self.text)]
        first = _ENDS.search(self.text)
        self.newline = first[0] if first else "\n"
        self._lay()

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return (self._mark + self.text).encode("utf-8")

    def _lay(self) -> None:
        """Find the lines, and the nodes of the front matter, anew."""
        self._starts = [0, *(each.end() for each in _ENDS.finditer(self.text))]
        self.lines = _ENDS.split(self.text)
        close = next((n for n, line in enumerate(self.lines) if n and _FENCE.fullmatch(line)), 0)
        self.body_line = close + 1
        head = "\n".join((*nodes.without_html(self.lines[1:close]), ""))
        try:
            self._root = yaml.compose(head, Loader=yaml.CBaseLoader)
        except (yaml.YAMLError, ValueError) as error:
            said = getattr(error, "problem", error)
            raise EditError(f"{self.path}:2:1: the front matter cannot be read: {said}") from None

    # ---------------------------------------------------------------- looking

    def find(self, *keys: str | int) -> yaml.Node | None:
        """Return what a path of keys leads to; a list is entered by position or by `id`.

        `_` and `-` spellings of a key are one.

        Raises:
            EditError: A key on the way stands twice.

        """
        node: yaml.Node | None = self._root
        for step in keys:
            if isinstance(node, yaml.MappingNode):
                pair = self._pair(node, step)
                node = pair[1] if pair else None
            elif isinstance(node, yaml.SequenceNode):
                number = nodes.position(nodes.plain(node), step)
                node = node.value[number] if number is not None else None
            else:
                return None
        return node

    def _pair(self, node: yaml.MappingNode, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
        found = [pair for pair in node.value if nodes.spelt(pair[0].value) == nodes.spelt(step)]
        if len(found) > 1:
            raise self._refused(found[1][0], f"the key `{step}` stands twice, keep one")
        return found[0] if found else None

    def plain(self, *keys: str | int) -> Any:
        """Return what a path of keys leads to as texts, lists and mappings; None if nothing."""
        node = self.find(*keys)
        return None if node is None else nodes.plain(node)

    def walk(self, *keys: str | int) -> Iterator[tuple[Keys, yaml.Node]]:
        """Yield a node, every node below it, and the paths to them, in the order of the file."""
        node = self.find(*keys)
        if node is not None:
            yield from nodes.walk(node, keys)

    def locate(self, keys: Keys) -> tuple[int, int]:
        """Return line and column of what a path of keys leads to, the first being 1."""
        node = self.find(*keys)
        line, column = nodes.start(node) if node is not None else (0, 0)
        return line + 1, column + 1

    def span(self, node: yaml.Node) -> tuple[Place, Place]:
        """Return where a node starts and ends."""
        return nodes.start(node), self._end(node)

    def _end(self, node: yaml.Node) -> Place:
        """Return where a node ends; YAML's own mark of a block is where the next thing starts."""
        if isinstance(node, yaml.CollectionNode):
            if node.value and not node.flow_style:
                last = node.value[-1]
                return self._end(last[1] if isinstance(last, tuple) else last)
        elif isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            line = node.end_mark.line  # of the head, so this is the file's line above it
            while line > node.start_mark.line + 1 and not self.lines[line].strip():
                line -= 1
            return Place(line, len(self.lines[line]))
        return Place(node.end_mark.line + 1, node.end_mark.column)

    # ---------------------------------------------------------------- changing

    def set(self, keys: Keys, value: Value, *, after: str = "") -> None:
        """Write a value where a path of keys leads, making what is missing on the way.

        Args:
            keys: The path. Its last step may be the position of an item that is there.
            value: What to write.
            after: A new key is put below this one; else below the last. `^` is the top.

        Raises:
            EditError: More would change than this.

        """
        node, parent = self.find(*keys), self.find(*keys[:-1])
        if node is not None:
            known = node
            self._change(keys, plainly(value), lambda: self._overwrite(keys, known, value))
        elif isinstance(parent, yaml.MappingNode) or len(keys) == 1:
            name = str(keys[-1])
            self._change(keys, plainly(value), lambda: self._insert(parent, name, value, after))
        elif isinstance(parent, yaml.SequenceNode):  # a list of `{id: …}`
            below = value if isinstance(value, Mapping) else {"text": value}
            self.append(keys[:-1], {"id": str(keys[-1]), **below})
        elif parent is None or not nodes.plain(parent):
            self.set(keys[:-1], {str(keys[-1]): value}, after=after)
        else:
            raise self._refused(parent, f"`{keys[-2]}` is no mapping")

    def append(self, keys: Keys, item: Value, *, after: str = "") -> None:
        """Add an item to a list; one value becomes a list of two, nothing a list of one.

        Raises:
            EditError: More would change than this.

        """
        node = self.find(*keys)
        if isinstance(node, yaml.SequenceNode) and node.value:
            sequence, want = node, [*nodes.plain(node), plainly(item)]
            self._change(keys, want, lambda: self._add(sequence, item))
        elif node is None or not nodes.plain(node):
            self.set(keys, [item], after=after)
        elif isinstance(node, yaml.ScalarNode):
            self.set(keys, [node.value, item])
        else:
            raise self._refused(node, "one mapping stands where a list is meant")

    def drop(self, keys: Keys) -> None:
        """Delete an item of a list of several; the path ends with its position.

        Raises:
            EditError: More would change than this, such as a comment of the item's own.

        """
        sequence, number = self.find(*keys[:-1]), keys[-1]
        if not isinstance(sequence, yaml.SequenceNode) or not isinstance(number, int):
            raise EditError(f"{self.path}:1:1: no list leads to {keys}")
        want = nodes.plain(sequence)
        del want[number]
        item = sequence.value[number]
        start, end = self.span(item)
        if not sequence.flow_style:  # whole lines; a comment above the item may be another's
            start, end = Place(start.line, 0), Place(end.line + 1, 0)
        elif number:
            start = self._end(sequence.value[number - 1])
        elif want:
            end = nodes.start(sequence.value[1])
        self._without_comment(item, start, end)
        self._change(keys[:-1], want, lambda: self.splice(start, end, ""))

    def rename(self, keys: Keys, name: str) -> None:
        """Give the key that a path ends with another name.

        Raises:
            EditError: There is no such key, or more would change than this.

        """
        parent = self.find(*keys[:-1])
        pair = self._pair(parent, keys[-1]) if isinstance(parent, yaml.MappingNode) else None
        if pair is None:
            raise EditError(f"{self.path}:1:1: no key leads to {keys}")
        span, old = self.span(pair[0]), pair[0].value
        want = {name if key == old else key: each for key, each in nodes.plain(parent).items()}
        self._change(keys[:-1], want, lambda: self.splice(*span, inline(name)))

    def reword(self, line: int, start: int, end: int, text: str) -> None:
        """Change a piece of a line of the body.

        Raises:
            EditError: The line is none of the body's, or more would change than this.

        """
        if line < self.body_line:
            raise EditError(f"{self.path}:{line + 1}:{start + 1}: this is no line of the body")
        span = Place(line, start), Place(line, end)
        self._change((), nodes.plain(self._root), lambda: self.splice(*span, text))

    def splice(self, start: Place, end: Place, text: str) -> None:
        """Put a text in the place of another, unchecked, with this file's line ends."""
        first, last = self._offset(start), self._offset(end)
        self.text = self.text[:first] + text.replace("\n", self.newline) + self.text[last:]

    # ---------------------------------------------------------------- how

    def _change(self, keys: Keys, want: Any, act: Callable[[], None]) -> None:
        """Act, and take it back if anything changed but what `keys` lead to."""
        before, expected = self.text, nodes.put(nodes.plain(self._root), keys, want)
        try:
            act()
            self._lay()
            done = nodes.plain(self._root) == expected
        except EditError:
            self.text = before
            self._lay()
            raise
        if not done:
            self.text = before
            self._lay()
            name = ".".join(map(str, keys)) or "the front matter"
            raise self._refused(self.find(*keys), f"`{name}` cannot be changed alone")

    def _refused(self, node: yaml.Node | None, why: str) -> EditError:
        line, column = nodes.start(node) if node is not None else (0, 0)
        return EditError(f"{self.path}:{line + 1}:{column + 1}: {why}; edit it by hand")

    def _overwrite(self, keys: Keys, node: yaml.Node, value: Value) -> None:
        start, end = self.span(node)
        flow = self._flowing(keys)
        if isinstance(node, yaml.CollectionNode):
            self._without_comment(node, start, end)
        below = isinstance(node, yaml.CollectionNode) and not node.flow_style
        flow = flow or (isinstance(node, yaml.CollectionNode) and bool(node.flow_style))
        item = isinstance(keys[-1], int)
        if flow or not deep(value):
            if below and not item:
                start = self._after_colon(keys)
            gap = "" if self.text[self._offset(start) - 1] in " [{(,\n\r" else " "
            self.splice(start, end, gap + inline(value, flow=flow))
        elif item:
            self.splice(start, end, "\n".join(block(value, start.column)).lstrip(" "))
        else:
            indent = self._key(keys).start_mark.column
            lines = "\n".join(block(value, indent + STEP * isinstance(value, Mapping)))
            if below:
                self.splice(Place(start.line, 0), end, lines)
            else:
                self.splice(self._after_colon(keys), end, f"\n{lines}")

    def _insert(self, parent: yaml.Node | None, key: str, value: Value, after: str) -> None:
        if not isinstance(parent, yaml.MappingNode):  # an empty front matter
            self.splice(Place(1, 0), Place(1, 0), "\n".join((*block({key: value}, 0), "")))
            return
        pair = self._pair(parent, after) or (parent.value[-1] if parent.value else None)
        start = nodes.start(parent)
        if parent.flow_style:
            text = inline({key: value})[1:-1]
            spot = self._end(pair[1]) if pair else Place(start.line, start.column + 1)
            self.splice(spot, spot, f", {text}" if pair else text)
            return
        text = "\n".join((*block({key: value}, start.column), ""))
        assert pair is not None  # a block has an entry
        line = start.line if after == "^" else self._end(pair[1]).line + 1
        self.splice(Place(line, 0), Place(line, 0), text)

    def _add(self, sequence: yaml.SequenceNode, item: Value) -> None:
        spot = self._end(sequence.value[-1])
        if sequence.flow_style:
            self.splice(spot, spot, f", {inline(item, flow=True)}")
            return
        spot = Place(spot.line + 1, 0)
        self.splice(spot, spot, "\n".join((*block([item], sequence.start_mark.column), "")))

    def _key(self, keys: Keys) -> yaml.Node:
        parent = self.find(*keys[:-1])
        pair = self._pair(parent, keys[-1]) if isinstance(parent, yaml.MappingNode) else None
        if pair is None:
            raise EditError(f"{self.path}:1:1: no key leads to {keys}")
        return pair[0]

    def _after_colon(self, keys: Keys) -> Place:
        line, column = self._end(self._key(keys))
        return Place(line, self.lines[line].index(":", column) + 1)

    def _flowing(self, keys: Keys) -> bool:
        """Whether what a path leads to stands inside brackets."""
        above = (self.find(*keys[:count]) for count in range(len(keys)))
        return any(each.flow_style for each in above if isinstance(each, yaml.CollectionNode))

    def _without_comment(self, node: yaml.Node, start: Place, end: Place) -> None:
        """Refuse where a stretch of the file holds a comment beside the scalars of a node."""
        position, rest = self._offset(start), ""
        for _, each in nodes.walk(node, (), entries=True):
            if isinstance(each, yaml.ScalarNode):
                first, last = map(self._offset, self.span(each))
                rest += self.text[position:first]
                position = max(position, last)
        if "#" in rest + self.text[position : self._offset(end)]:
            raise self._refused(node, "a comment stands there, which would be lost")

    def _offset(self, place: Place) -> int:
        return self._starts[place.line] + place.column
