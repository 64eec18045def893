"""From a file's parts to a `Record`: fields typed, claims merged, relations collected.

A value that its model refuses is a finding, and the record is built without it, so
that no fault in one field loses the others.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from anthology import body, ids, refusals, relations
from anthology.errors import nearest
from anthology.findings import Severity
from anthology.frontmatter import Fields, Items, Text
from anthology.records import KINDS, Claim, Concept, Record, Relation, Sense, Test

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from anthology.source import Document

_Model = TypeVar("_Model", bound=BaseModel)

# Keys of the public record's format that this tool keeps and has no use for.
KEPT = frozenset(
    """
    version history created consensus consensus_note influenced_by issue tier sources origin
    pseudonyms published first_author arxiv doi url keywords implementations fills imported
    """.split()  # noqa: SIM905 - a list of words reads as words
)
MANY = 200  # findings in one file, after which no near names are looked for
_OWN = frozenset({"claims", "relations", "senses", "test", "tests"})
_INNER = frozenset({"id", "path", "heading", "concepts", "extra", "shell"})  # never written
_TABLE = ("claim", "strength", "support")
_PARTED = frozenset({"claim", "sense", "*"})
_FRAGILE = ("arxiv", "doi", "first_author", "title")
_BOOLEANS = frozenset(["yes", "no", "on", "off", "true", "false", "null", "~"])
_NUMERIC = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_HEADED = re.compile(rf"({ids.CODE})\s*(?::|—|–|-)\s*")


def record(document: Document, schemes: Mapping[str, type[Record]] = KINDS) -> Record:
    """Build the record of a document, adding to `document.findings` what is wrong."""
    return _Reader(document, schemes).record()


class _Reader:
    """One document's way to a record."""

    def __init__(self, document: Document, schemes: Mapping[str, type[Record]]) -> None:
        self.document = document
        self.scheme = ids.scheme_of(document.name)
        self.model = schemes.get(self.scheme, Record)
        self.relations: list[Relation] = []

    # ---------------------------------------------------------------- the record

    def record(self) -> Record:
        document = self.document
        raw: dict[str, Any] = {"id": document.name, "path": document.path}
        heading = body.heading(document.body)
        if heading:
            raw["heading"] = self._heading(heading[0])
        if document.fields is None:
            return self.model.model_validate(raw | {"shell": True})
        fields = dict(document.fields)
        self._unquoted(fields)
        if self.scheme == "CLAIM":
            claims = [self._lone_claim(fields)]
        else:
            claims = self._claims(fields.pop(_key(fields, "claims"), None))
        raw["claims"] = claims
        raw["concepts"] = [
            Concept(term=each.term, definition=each.definition, line=each.line + document.body_line)
            for each in body.concepts(document.body)
        ] if "oncepts" in document.body else ()  # fmt: skip
        if self.scheme == "TERM":
            raw["senses"] = self._senses(fields.pop(_key(fields, "senses"), None))
        own: list[Relation] = list(self._relations(fields.pop(_key(fields, "relations"), None)))
        extra: dict[str, Any] = {}
        known = self.model.model_fields.keys() - _INNER
        for key, value in fields.items():
            if key in known and key not in _OWN and key not in raw:
                raw[key] = value
            elif (direction := relations.find(key)) is not None:
                own += self._edges(direction, key, value)
            else:
                extra[str(key)] = _unplaced(value)
                self._unknown(key, known)
        raw["relations"] = own
        raw["extra"] = extra
        if " — " in (status := str(raw.get("status", ""))):
            raw["status"], _, note = status.partition(" — ")
            raw.setdefault("status_note", note.strip())
        built: Record = self._build(self.model, raw, keep=("id", "path"))
        return built

    def _heading(self, written: str) -> str:
        """Return the heading without the record's own id; another's is kept, and a fault."""
        match = _HEADED.match(written)
        if match is None or ids.key(match[1]) != ids.key(self.document.name):
            return written
        return written[match.end() :]

    def _unquoted(self, fields: Mapping[Any, object]) -> None:
        """Warn of what other readers of YAML damage: `arxiv: 2103.10` is 2103.1 to them."""
        for key in _FRAGILE:
            value = fields.get(key)
            if isinstance(value, Text) and value.plain and _damaged(value):
                self._report(
                    value, "F121",
                    f"`{value}` is no text to other readers of YAML; quote it: {key}: '{value}'",
                    Severity.WARNING,
                )  # fmt: skip

    def _unknown(self, key: str, known: Iterable[str]) -> None:
        if key in KEPT or key.replace("-", "_") in KEPT:
            return
        names = [*known, *KEPT, "relations", *relations.DIRECTIONS]
        near = self._near(key, names)
        if near:
            said = f"the key `{key}` is kept, but nothing reads it{_meant(near)}"
            self._report(key, "F114", said, Severity.WARNING)
        else:
            said = f"the key `{key}` is kept, but nothing reads it"
            self._report(key, "F118", said, Severity.INFO)

    # ---------------------------------------------------------------- claims

    def _claims(self, value: object) -> list[Claim]:
        """Merge the front matter's claims with the table's: the table owns its columns."""
        written = self._parts(value, "claims", "C1")
        header: list[str] = []
        rows: list[body.Row] = []
        if "|" in self.document.body:
            header, rows = body.claims(self.document.body)
        if not header and "laims" in self.document.body:
            line = body.unread_table(self.document.body)
            if line is not None:
                said = "the table below Claims needs the columns `id` and `claim`; it is not read"
                self.document.report(line + self.document.body_line, 1, "C401", said)
        table: dict[str, body.Row] = {}
        for row in rows:
            self._row(row, table)
        merged: list[Claim] = []
        for part in [*table, *(each for each in written if each not in table)]:
            fields: dict[str, object] = dict(written[part]) if part in written else {}
            place = next((each for each in written if each == part), None)
            line, column = (place.line, place.column) if isinstance(place, Text) else (1, 1)
            if part in table:
                fields |= self._columns(part, table[part], fields, header)
                fields.pop("claim", None)  # the table's is kept
                if place is None:
                    line = table[part].line + self.document.body_line
                    column = table[part].cells["id"].column
            elif not any(each in fields for each in ("text", "claim")):
                self._report(
                    place, "C402",
                    f"the claim {part} has no words: add a row to the Claims table, or `text:`",
                )  # fmt: skip
            claim = self._claim(f"{self.document.name}#{part}", fields, line, column)
            if claim:
                merged.append(claim)
        return merged

    def _row(self, row: body.Row, table: dict[str, body.Row]) -> None:
        cell = row.cells["id"] if "id" in row.cells else body.Cell("", 1)
        part, line = body.plain(cell.text), row.line + self.document.body_line
        if not ids.is_part(part):
            if any(each.text for each in row.cells.values()):
                self.document.report(
                    line, cell.column, "C401",
                    f"{cell.text!r} cannot name a claim; write an id such as `C1`",
                )  # fmt: skip
        elif part in table:
            first = table[part].line + self.document.body_line
            self.document.report(
                line, cell.column, "C401",
                f"the claim {part} stands twice in the table, first on line {first}; "
                "give one of the two an id of its own",
            )  # fmt: skip
        else:
            table[part] = row

    def _columns(
        self, part: str, row: body.Row, fields: Mapping[str, object], header: list[str]
    ) -> dict[str, object]:
        """Return what the table says of a claim, reporting where front matter says otherwise."""
        line = row.line + self.document.body_line
        said: dict[str, object] = {}
        extra: dict[str, str] = {}
        for column in header:
            if column == "id" or column not in row.cells:
                continue
            cell = row.cells[column]
            text = cell.text if column == "claim" else body.plain(cell.text)
            if column not in _TABLE:
                extra[column] = text
                continue
            name = "text" if column == "claim" else column
            other = fields.get(column, fields.get(name))
            if isinstance(other, str) and " ".join(other.split()) != " ".join(text.split()):
                self._report(
                    other, "C403",
                    f"{part}: {column} is {refusals.short(other)} here and "
                    f"{refusals.short(text)} in the table (line {line}); "
                    "the table owns it, delete it here",
                )  # fmt: skip
            said[name] = Text(text, line, cell.column)
        said.setdefault("text", fields.get("claim", ""))
        if extra:
            said["extra"] = extra
        return said

    def _lone_claim(self, fields: dict[Any, object]) -> Claim:
        """Take a claim's own keys out of a CLAIM record's front matter."""
        names = {"claim", "text", "strength", "support", "form", "locator", "untested"}
        taken = {key: fields.pop(key) for key in list(fields) if key in names | {"test", "tests"}}
        if "text" not in taken and "claim" not in taken and "title" in fields:
            taken["text"] = fields["title"]
        line = next((key.line for key in taken if isinstance(key, Text)), 2)
        claim = self._claim(self.document.name, taken, line, 1)
        return claim or Claim(id=self.document.name, line=line)

    def _claim(self, name: str, fields: dict[Any, object], line: int, column: int) -> Claim | None:
        raw: dict[str, Any] = {"id": name, "line": line, "column": column}
        raw["relations"] = list(self._relations(fields.pop(_key(fields, "relations"), None)))
        tests = []
        if (one := fields.pop(_key(fields, "test"), None)) is not None:
            tests.append(self._test("", one))
        several = self._parts(fields.pop(_key(fields, "tests"), None), "tests", "rate")
        tests += [self._test(part, each) for part, each in several.items()]
        raw["tests"] = [each for each in tests if each is not None]
        columns = fields.pop("extra", None)
        extra: dict[str, Any] = dict(columns) if isinstance(columns, dict) else {}
        for key, value in fields.items():
            name_ = "text" if key == "claim" else str(key)
            if name_ in Claim.model_fields and name_ not in raw:
                raw[name_] = value
            elif (direction := relations.find(key)) is not None:
                raw["relations"] += self._edges(direction, key, value)
            else:
                extra[name_] = _unplaced(value)
                self._unknown_in("claim", key, (*Claim.model_fields, "test", "tests"))
        raw["extra"] = extra
        built: Claim | None = self._build(Claim, raw, keep=("id", "line", "column"))
        return built

    def _test(self, name: str, value: object) -> Test | None:
        if not isinstance(value, Fields):
            self._report(value, "C404", "a test is a mapping: `run:`, `expect:`, `control:` …")
            return None
        raw: dict[str, Any] = {"name": name, "line": value.line, "column": value.column}
        for key, each in value.items():
            field = key.replace("-", "_").replace("controls", "control")
            if field in Test.model_fields and field not in raw:
                raw[field] = each
            else:
                self._unknown_in("test", key, Test.model_fields, Severity.ERROR)
        for field in ("arms", "control"):
            given = raw.get(field)
            if isinstance(given, Fields):
                raw[field] = {k: ({} if v == "" else v) for k, v in given.items()}
        if isinstance(raw.get("params"), str) and not raw["params"]:
            del raw["params"]
        built: Test | None = self._build(Test, raw, keep=("name", "line", "column"), code="C404")
        return built

    # ---------------------------------------------------------------- senses

    def _senses(self, value: object) -> list[Sense]:
        senses = []
        for part, written in self._parts(value, "senses", "tokens").items():
            name = f"{self.document.name}#{part}"
            place = part if isinstance(part, Text) else Text(part)
            raw: dict[str, Any] = {"id": name, "line": place.line, "column": place.column}
            fields = dict(written)
            raw["relations"] = list(self._relations(fields.pop(_key(fields, "relations"), None)))
            extra: dict[str, Any] = {}
            for key, each in fields.items():
                field = key.replace("-", "_")
                if field in Sense.model_fields and field not in raw:
                    raw[field] = each
                elif (direction := relations.find(key)) is not None:
                    raw["relations"] += self._edges(direction, key, each)
                else:
                    extra[str(key)] = _unplaced(each)
                    self._unknown_in("sense", key, (*Sense.model_fields, "used_by"))
            raw["extra"] = extra
            sense = self._build(Sense, raw, keep=("id", "line", "column"))
            if sense:
                senses.append(sense)
        return senses

    # ---------------------------------------------------------------- relations

    def _relations(self, value: object) -> Iterator[Relation]:
        if value is None or value == "":
            return
        if not isinstance(value, Fields):
            self._report(value, "F113", "`relations` is a mapping: `refines:` and a list of ids")
            return
        for key, targets in value.items():
            direction = relations.find(key)
            if direction is None:
                near = self._near(key, relations.DIRECTIONS)
                self._report(key, "F115", f"no relation is named `{key}`{_meant(near)}")
                continue
            yield from self._edges(direction, key, targets)

    def _edges(
        self, direction: relations.Direction, key: object, value: object
    ) -> Iterator[Relation]:
        seen: dict[tuple[str, str], Text] = {}
        ends = direction.type.target if direction.forward else direction.type.source
        bare = not ends.isdisjoint(_PARTED)
        if value == "":
            return
        for each in value if isinstance(value, list) else [value]:
            raw: dict[str, Any] = {"relation": direction.type.name, "forward": direction.forward}
            target = each
            if isinstance(each, Fields):
                target = each.get("to", "")
                for name, qualifier in each.items():
                    field = name.replace("-", "_")
                    if field in _QUALIFIERS:
                        raw[field] = qualifier
                    else:
                        self._unknown_in("relation", name, _QUALIFIERS)
            else:
                raw["to"] = each
            if not isinstance(target, str) or not _is_target(target, bare=bare):
                said = f"{refusals.short(target)} names" if target else "what has no `to` names"
                said = said if isinstance(each, Fields) or target else "an empty item names"
                self._report(
                    target if isinstance(target, Text) else each, "F116",
                    f"{said} nothing: write an id (`LIT-530`, `NOTE-274#C1`, "
                    '`#C1`), or "?a-few-words" for what nobody has filed',
                )  # fmt: skip
                continue
            place = target if isinstance(target, Text) else key
            raw["line"], raw["column"] = getattr(place, "line", 1), getattr(place, "column", 1)
            if (twin := (target, str(raw.get("from", "")))) in seen:
                self._report(
                    target, "F117",
                    f"{target} stands twice under `{key}`, first on line {seen[twin].line}",
                    Severity.WARNING,
                )  # fmt: skip
                continue
            seen[twin] = Text(target, raw["line"], raw["column"])
            relation = self._build(
                Relation, raw, keep=("relation", "to", "forward", "line", "column")
            )
            if relation:
                yield relation

    # ---------------------------------------------------------------- helpers

    def _parts(self, value: object, key: str, example: str) -> dict[str, Fields]:
        """Return a mapping of part names to fields; a list of `{id: …}` is one too."""
        if value is None or value == "":
            return {}
        if isinstance(value, Items):
            listed = Fields()
            for each in value:
                if not isinstance(each, Fields):
                    self._report(each, "F113", f"an item of `{key}` needs an `id`")
                    continue
                name = each.get("id") or each.get("name")
                if isinstance(name, Text):
                    kept = [(k, v) for k, v in each.items() if k not in ("id", "name")]
                    listed[name] = Fields(kept)
                else:
                    self._report(each, "F113", f"an item of `{key}` needs an `id`")
            value = listed
        if not isinstance(value, Fields):
            self._report(value, "F113", f"`{key}` is a mapping: `{example}:` and its keys below")
            return {}
        parts: dict[str, Fields] = {}
        for name, fields in value.items():
            if not ids.is_part(name):
                self._report(name, "F113", f"{name!r} cannot name a part; write it as `{example}`")
            elif isinstance(fields, Fields):
                parts[name] = fields
            elif fields == "":
                parts[name] = Fields()
            else:
                self._report(name, "F113", f"`{name}` is a mapping: write its keys below it")
        return parts

    def _near(self, key: object, known: Iterable[str]) -> tuple[str, ...]:
        """Return what a key may have been meant for; not in a file that is wrong throughout."""
        return () if len(self.document.findings) > MANY else _nearest(str(key), tuple(known))

    def _unknown_in(
        self, what: str, key: object, known: Iterable[str], severity: Severity = Severity.WARNING
    ) -> None:
        code = "C404" if severity is Severity.ERROR else "F114"
        said = f"a {what} has no key `{key}`{_meant(self._near(key, known))}"
        self._report(key, code, said, severity)

    def _build(
        self, model: type[_Model], raw: dict[str, Any], keep: Iterable[str], code: str = "F112"
    ) -> Any:
        """Validate; what a field's type refuses is reported and left out.

        A test is built whole or not at all: what is measured must be what was written.
        """
        for _ in range(len(raw) + 1):
            try:
                return model.model_validate(raw)
            except ValidationError as error:
                dropped = False
                for top, place, said in refusals.each(error, raw):
                    self._report(place, code, said)
                    if top in raw and top not in keep and model is not Test:
                        raw = {k: v for k, v in raw.items() if k != top}
                        dropped = True
                if not dropped:
                    return None
        return None

    def _report(
        self,
        place: object,
        code: str,
        message: str,
        severity: Severity = Severity.ERROR,
    ) -> None:
        at = getattr(place, "line", None) or 1
        self.document.report(at, getattr(place, "column", 1), code, message, severity)


_QUALIFIERS = frozenset({"to", "from", "status", *relations.QUALIFIERS})


def _key(fields: Mapping[Any, object], name: str) -> str:
    return name if name in fields else name.replace("_", "-")


def _is_target(text: str, *, bare: bool) -> bool:
    """Whether a text can be an edge's end; a bare word only where a part can stand."""
    if ids.is_id(text) or ids.is_placeholder(text) or ids.is_foreign(text):
        return True
    return ids.is_part(text[1:]) if text.startswith("#") else bare and ids.is_part(text)


def _damaged(text: str) -> bool:
    """Whether YAML 1.1 reads a plain scalar as something that is written otherwise."""
    if text.lower() in _BOOLEANS:
        return True
    if not _NUMERIC.fullmatch(text):
        return False
    return text not in (str(float(text)), text.lstrip("0") if text.isdigit() else "")


@lru_cache(maxsize=1024)
def _nearest(key: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(nearest(key, known, 2))


def _meant(near: Sequence[str]) -> str:
    return f"; did you mean `{'` or `'.join(near)}`?" if near else ""


def _unplaced(value: object) -> Any:
    """Return plain text, lists and dictionaries, without places."""
    if isinstance(value, dict):
        return {str(key): _unplaced(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_unplaced(each) for each in value]
    return str(value)
