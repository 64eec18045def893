"""YAML front matter as placed text: composed, never typed, never raised over.

Scalars stay text, each with its line and column, because every typed YAML loader damages
something that curators write: an unquoted `2103.10`, `no`, `12e4567`, a date. What YAML
itself would lose in silence (a `#C5` taken for a comment, a second key of one name) is
a finding.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

import yaml

from anthology.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

MANY = 100_000  # YAML nodes after aliases are followed; no person writes more
DEEP = 100  # levels of nesting
MENDED = 20  # values with a bare colon that are quoted before the rest is given up
FIRST = 2  # the line of the file on which front matter starts

_COLON = re.compile(
    r"(?P<head>[ \t]*(?:- +)*[^\s:#'\"\[{&*!|>-][^:\n]*:[ \t]+)(?P<value>[^\s'\"\[{|>&*!#].*)"
)
_NESTED = re.compile(rf"(?:[-?:] ){{{2 * DEEP},}}|^ {{{4 * DEEP},}}", re.MULTILINE)
_HASH = re.compile(r"[ \t]+#(?=[^\s#!])\S*")
_ANCHOR = re.compile(r"(?:^|[:,\[{-])[ \t]*&", re.MULTILINE)
_MARKED = re.compile(r"[ \t]*(?:- +)*(?:[^\s:][^:]*:[ \t]+)?([*&!%@`])")
_TRAILING = re.compile(r"""[^'"]*?(?:: +|- +)(?P<quote>['"]).*(?P=quote)[ \t]*[^\s,#]""")


class Text(str):
    """A scalar of the front matter as it was written, with its place in the file."""

    __slots__ = ("column", "line", "plain")
    line: int
    column: int
    plain: bool

    def __new__(cls, text: str, line: int = 1, column: int = 1, *, plain: bool = False) -> Text:
        """Place a text."""
        self = super().__new__(cls, text)
        self.line, self.column, self.plain = line, column, plain
        return self


class Items(list[object]):
    """A YAML sequence, with its place."""

    line = 1
    column = 1


class Fields(dict[str, object]):
    """A YAML mapping whose keys are `Text`, with its place."""

    line = 1
    column = 1


class Report(Protocol):
    """Takes a finding at a place of the file."""

    def __call__(
        self, line: int, column: int, code: str, message: str, severity: Severity = ...
    ) -> None:
        """Take it."""


class _Loader(yaml.CBaseLoader):
    """The C parser, untyped: the tag of a node is what was written, or empty."""

    def resolve(self, *_: object) -> str:
        return ""

    def descend_resolver(self, *_: object) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


def compose(head: str, report: Report) -> Fields | None:
    """Read front matter; None where it is no YAML mapping, which is then reported.

    A value that holds `: ` is reported, quoted, and read: it is the commonest slip.
    """
    if "<!--" in head:
        head = _without_comments(head, report)
    if _too_deep(head):
        said = f"the front matter nests more than {DEEP} levels; write it plainly"
        report(FIRST, 1, "F107", said)
        return None
    lines = head.split("\n")
    for _ in range(MENDED + 1):
        try:
            node = yaml.compose(head, Loader=_Loader)
        except yaml.YAMLError as error:
            if not _mend_colon(error, lines, report):
                _explain(error, lines, report)
                return None
            head = "\n".join(lines)
            continue
        except ValueError:  # an escape such as "\UFFFFFFFF"
            report(FIRST, 1, "F107", "the front matter holds an escape that is no character")
            return None
        if node is None:
            return Fields()
        if not isinstance(node, yaml.MappingNode):
            mark = node.start_mark
            kind = "a list" if isinstance(node, yaml.SequenceNode) else "one value"
            said = f"the front matter is {kind}; write `key: value` lines"
            report(mark.line + FIRST, mark.column + 1, "F107", said)
            return None
        if "&" in head and _ANCHOR.search(head):
            _anchors(head, report)
        watched = lines if " #" in head or "!" in head else None
        return _Converter(report, watched).mapping(node)
    report(FIRST, 1, "F107", f"more than {MENDED} values hold a bare colon; quote them")
    return None


def locate(fields: Fields, keys: Sequence[str | int], *, name: bool = False) -> tuple[int, int]:
    """Return line and column of what a path of keys leads to, or of its last step found.

    With `name`, those of the last key itself. `_` and `-` spellings of a key are one; a list
    of `{id: C1, ...}` is entered by its ids.
    """
    place = (1, 1)
    current: object = fields
    for step in keys:
        found: tuple[object, object] | None = None
        if isinstance(current, Fields):
            spelt = {key.replace("-", "_"): (key, each) for key, each in current.items()}
            wanted = str(step).replace("-", "_")
            found = spelt.get(wanted) or spelt.get(f"{wanted}s")
        elif isinstance(current, Items):
            found = _item(current, step)
        elif step == 0:
            continue  # one value where a list may stand
        if found is None:
            break
        key, current = found
        named = current
        if name or isinstance(current, dict) or not getattr(current, "line", 0):
            named = key
        place = (getattr(named, "line", place[0]), getattr(named, "column", place[1]))
    return place


def _item(items: Items, step: str | int) -> tuple[object, object] | None:
    if isinstance(step, int):
        return (items[step], items[step]) if step < len(items) else None
    for each in items:
        if isinstance(each, Fields) and step in (each.get("id"), each.get("name"), each.get("to")):
            return each, each
        if each == step:
            return each, each
    return None


def _without_comments(head: str, report: Report) -> str:
    """Blank the HTML comments that stand on lines of their own, keeping every line."""
    lines, inside = head.split("\n"), False
    for number, line in enumerate(lines):
        starts = line.lstrip().startswith("<!--")
        if not inside and not starts:
            continue
        if not inside:
            report(
                number + FIRST, len(line) - len(line.lstrip()) + 1, "F108",
                "an HTML comment inside the front matter is not a comment to YAML; "
                "other readers take it for a key. Start the line with `#`, or move it to the body",
                Severity.WARNING,
            )  # fmt: skip
        inside = "-->" not in line
        lines[number] = ""
    return "\n".join(lines)


def _too_deep(head: str) -> bool:
    """Whether composing could exhaust the C stack: libyaml composes each level by a call."""
    if head.count("[") + head.count("{") > DEEP:
        depth = 0
        for mark in re.findall(r"[\[\]{}]", head):
            depth += 1 if mark in "[{" else -1
            if depth > DEEP:
                return True
    # Block nesting needs no closing mark: `- - - -`, `? ? ? ?`, or ever deeper indentation.
    longest = len(head) > 2 * DEEP and max(map(len, head.split("\n")))
    return bool(longest and longest > 4 * DEEP and _NESTED.search(head))


def _anchors(head: str, report: Report) -> None:
    """Report an anchor that nothing refers to: the first word of a value, lost."""
    used: set[str] = set()
    defined: list[tuple[str, int, int]] = []
    for event in yaml.parse(head, Loader=_Loader):
        name, mark = getattr(event, "anchor", None), event.start_mark
        if isinstance(event, yaml.AliasEvent):
            used.add(str(name))
        elif name and mark:
            defined.append((name, mark.line + FIRST, mark.column + 1))
    for name, line, column in defined:
        if name not in used:
            said = f"`&{name}` is lost: YAML takes `&` for the mark of an anchor; quote the value"
            report(line, column, "F120", said)


def _mend_colon(error: yaml.YAMLError, lines: list[str], report: Report) -> bool:
    mark = getattr(error, "problem_mark", None)
    if mark is None or mark.line >= len(lines):
        return False
    if "mapping values are not allowed" not in str(getattr(error, "problem", "")):
        return False
    match = _COLON.fullmatch(lines[mark.line])
    if match is None:
        return False
    quoted = match["value"].rstrip().replace("'", "''")
    lines[mark.line] = f"{match['head']}'{quoted}'"
    report(
        mark.line + FIRST, match.start("value") + 1, "F109",
        f"a value that holds a colon and a space must be quoted: {lines[mark.line].strip()}",
    )  # fmt: skip
    return True


def _explain(error: yaml.YAMLError, lines: list[str], report: Report) -> None:
    """Say in a curator's words where the YAML breaks off."""
    context, problem = (str(getattr(error, each, "") or "") for each in ("context", "problem"))
    mark, opened = (getattr(error, each, None) for each in ("problem_mark", "context_mark"))
    problem = problem.split("\n")[0] or str(error).split("\n")[0]
    if opened is not None and (mark is None or mark.line > opened.line):
        if "quoted scalar" in context:
            mark, problem = opened, "the quote that opens here never closes"
        elif "flow" in context:
            mark, problem = opened, "the bracket that opens here never closes"
    line, column = (mark.line, mark.column) if mark else (0, 0)
    text = lines[line] if line < len(lines) else ""
    if "\t" in text[: column + 1] or "'\\t'" in problem:
        column = text.index("\t") if "\t" in text else column
        said = "a tab in the front matter's indentation; use spaces"
    else:
        said = f"the front matter is not YAML here: {problem}{_hint(problem, text)}"
    report(line + FIRST, column + 1, "F107", said)


def _hint(problem: str, text: str) -> str:
    if marked := _MARKED.match(text):
        return f"; a value that starts with {marked[1]} must be quoted"
    if "<!--" in text:
        return "; a comment starts with `#`"
    if "expected ',' or ']'" in problem and "[" in text:
        return "; inside [ ] quote a value that holds brackets, or write the list with dashes"
    if _TRAILING.match(text):
        return "; text follows the closing quote, so quote the whole value"
    if "block end" in problem or "expected key" in problem:
        return "; look at the indentation of this line and the one above"
    return "; write `key: value`" if "':'" in problem else ""


class _Converter:
    """From YAML nodes to `Fields`, `Items` and `Text`; follows aliases with a limit."""

    def __init__(self, report: Report, watched: list[str] | None) -> None:
        self.report = report
        self.watched = watched  # the lines, where something in them may be lost
        self.count = 0
        self.open: set[int] = set()
        self.ended = False

    def value(self, node: yaml.Node) -> object:
        self.count += 1
        mark = node.start_mark
        if isinstance(node, yaml.ScalarNode):
            text = str.__new__(Text, node.value)  # a third of the time of Text(...)
            text.line, text.column = mark.line + FIRST, mark.column + 1
            text.plain = not node.style
            if self.watched is not None:
                self._lost(node)
            return text
        if self.count > MANY or len(self.open) > DEEP or id(node) in self.open:
            self._endless(node)
            return Text("", mark.line + FIRST, mark.column + 1)
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node)
        self.open.add(id(node))
        items = Items([self.value(each) for each in node.value])
        items.line, items.column = mark.line + FIRST, mark.column + 1
        self.open.discard(id(node))
        return items

    def mapping(self, node: yaml.MappingNode) -> Fields:
        fields = Fields()
        fields.line, fields.column = node.start_mark.line + FIRST, node.start_mark.column + 1
        self.open.add(id(node))
        for key_node, value_node in node.value:
            key = self._key(key_node)
            value = self.value(value_node)
            if key in fields:
                self._twice(key, fields)
                old = fields[key]
                if isinstance(old, Items) and isinstance(value, Items):
                    old.extend(value)
                    continue
                if isinstance(old, Fields) and isinstance(value, Fields):
                    old.update(value)
                    continue
                del fields[key]  # so that the key kept is the one whose value is
            fields[key] = value
        self.open.discard(id(node))
        return fields

    def _key(self, node: yaml.Node) -> Text:
        mark = node.start_mark
        line, column = mark.line + FIRST, mark.column + 1
        if isinstance(node, yaml.ScalarNode):
            text = str.__new__(Text, node.value)
            text.line, text.column, text.plain = line, column, False
            return text
        self.report(line, column, "F107", "a key of the front matter must be one word")
        return Text(f"key at line {line}", line, column)

    def _twice(self, key: Text, fields: Fields) -> None:
        first = next(each for each in fields if each == key)
        place = f" (first on line {first.line})" if isinstance(first, Text) else ""
        self.report(
            key.line, key.column, "F110",
            f"the key `{key}` stands twice{place}; YAML readers keep only the last, keep one",
        )  # fmt: skip

    def _lost(self, node: Any) -> None:
        """Report what YAML drops around a scalar: a tag, or text after an unspaced `#`."""
        if node.tag:
            self.report(
                node.start_mark.line + FIRST, node.start_mark.column + 1, "F120",
                f"`{node.tag}` is lost: YAML takes `!` for the mark of a type; quote the value",
            )  # fmt: skip
        end = node.end_mark
        if not node.style and self.watched and end.line < len(self.watched):
            match = _HASH.match(self.watched[end.line], end.column)
            if match:
                lost = match[0].strip()
                self.report(
                    end.line + FIRST, match.end() - len(lost) + 1, "F119",
                    f"`{lost}` is lost: YAML takes it for a comment; quote the value, "
                    "or write a space after `#` if it is one",
                )  # fmt: skip

    def _endless(self, node: yaml.Node) -> None:
        if not self.ended:
            self.ended = True
            self.report(
                node.start_mark.line + FIRST, node.start_mark.column + 1, "F111",
                "aliases make the front matter endless, or it nests too deep; write the values out",
            )  # fmt: skip
