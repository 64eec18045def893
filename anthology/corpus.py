"""All records of a project, joined: ids looked up, converses folded, edges stored once.

`load` is the whole pipeline: files → `source` → `reader` → `Corpus`. A corpus is
frozen; what is wrong with the records is in `findings`, never raised.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from anthology import config, files, ids, reader, relations, source
from anthology.edge import Edge
from anthology.errors import UnknownNameError
from anthology.records import Claim, Record, Relation, Sense, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from anthology.config import Config
    from anthology.findings import Finding


@dataclass(frozen=True)
class Corpus:
    """The records of one project.

    Attributes:
        config: Where things are.
        records: Id to record, in the order of ids.
        claims: Full id (`NOTE-274#C1`, `CLAIM-001`) to claim.
        senses: Full id (`TERM-001#tokens`) to sense.
        edges: Every edge once, in the table's direction.
        duplicates: Records whose id an earlier file already has.
        findings: What is wrong with the files and their fields.
        aliases: Former id to the id of today.

    """

    config: Config
    records: Mapping[str, Record]
    claims: Mapping[str, Claim]
    senses: Mapping[str, Sense]
    edges: tuple[Edge, ...]
    duplicates: tuple[Record, ...] = ()
    findings: tuple[Finding, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        """The project's root."""
        return self.config.root

    @cached_property
    def schemes(self) -> frozenset[str]:
        """The schemes that have a record here."""
        return frozenset(each.kind for each in self.records.values())

    @cached_property
    def names(self) -> dict[str, str]:
        """Every spelling's key, former ids too, to the id of today."""
        names = {ids.key(each): each for each in (*self.records, *self.claims, *self.senses)}
        for old, new in self.aliases.items():
            names.setdefault(ids.key(old), new)
        return names

    @cached_property
    def _ends(self) -> tuple[dict[str, list[Edge]], dict[str, list[Edge]]]:
        out: dict[str, list[Edge]] = {}
        into: dict[str, list[Edge]] = {}
        for edge in self.edges:
            out.setdefault(edge.subject, []).append(edge)
            into.setdefault(edge.object, []).append(edge)
        return out, into

    @cached_property
    def _parts(self) -> dict[str, list[str]]:
        parts: dict[str, list[str]] = {}
        for each in (*self.claims, *self.senses):
            if "#" in each:
                parts.setdefault(ids.record_of(each), []).append(each)
        return parts

    @cached_property
    def placeholders(self) -> tuple[str, ...]:
        """What edges point at and nobody has filed, `?slug`."""
        found = (end for edge in self.edges for end in (edge.subject, edge.object))
        return tuple(dict.fromkeys(each for each in found if each.startswith("?")))

    def find(self, name: str) -> str | None:
        """Return the id of today for any spelling of an id, or None."""
        record, mark, part = name.partition("#")
        if mark and record in self.aliases:
            name = f"{self.aliases[record]}#{part}"
        return self.names.get(ids.key(name)) or (name if name in self.placeholders else None)

    def resolve(self, name: str) -> str:
        """Return the id of today for any spelling of an id.

        Raises:
            UnknownNameError: Nothing has that id; the message names the near ones.

        """
        found = self.find(name.strip()) or self.find(name.strip().upper())
        if found is None:
            known = (*self.records, *self.claims, *self.senses, *self.placeholders)
            raise UnknownNameError("record, claim or sense", name, known)
        return found

    def kind(self, name: str) -> str:
        """Return `LIT` and the like, `claim`, `sense`, `placeholder`, `foreign` or `unknown`."""
        if name in self.claims:
            return "claim"
        if name in self.senses:
            return "sense"
        if name in self.records:
            return self.records[name].kind
        if name.startswith("?"):
            return "placeholder"
        return "unknown" if ids.scheme_of(name) in self.schemes else "foreign"

    def label(self, name: str) -> str:
        """Return what a person would call it: title, claim text, what a sense refers to."""
        if name in self.claims and self.claims[name].text:
            return self.claims[name].text
        if name in self.senses:
            return self.senses[name].refers_to or ids.split(name)[1]
        if name in self.records:
            return self.records[name].title or self.records[name].heading
        return ""

    def out(self, name: str) -> list[Edge]:
        """Return the edges of which it is the subject."""
        return self._ends[0].get(name, [])

    def into(self, name: str) -> list[Edge]:
        """Return the edges of which it is the object."""
        return self._ends[1].get(name, [])

    def parts(self, name: str) -> list[str]:
        """Return the ids of a record's claims and senses."""
        return self._parts.get(name, [])

    def place(self, name: str) -> tuple[str, int, int]:
        """Return path, line and column of a record, claim or sense."""
        record = self.records.get(ids.record_of(name))
        part = self.claims.get(name) or self.senses.get(name)
        path = record.path if record else ""
        return (path, part.line, part.column) if part else (path, 1, 1)


def load(path: Path | str = ".") -> Corpus:
    """Read every record of the project that `path` belongs to.

    Raises:
        NothingFoundError: There is no such folder.
        ConfigError: The project's settings cannot be read.

    """
    start = Path(path)
    root = start if config.is_root(start) else config.find_root(start)
    return read(config.load(root if start.exists() else start))


def read(settings: Config) -> Corpus:
    """Read every record below a root."""
    records: list[Record] = []
    findings: list[Finding] = []
    for file in files.scan(settings):
        record, found = read_file(settings, file.path)
        records.append(record)
        findings += found
    return join(settings, records, findings)


def read_file(settings: Config, path: str) -> tuple[Record, list[Finding]]:
    """Read one record; `path` is relative to the root."""
    document = source.read(settings.root / path, path)
    return reader.record(document), document.findings


def join(settings: Config, found: Iterable[Record], findings: Iterable[Finding] = ()) -> Corpus:
    """Join records into a corpus: look ids up, fold converses, keep each edge once."""
    records: dict[str, Record] = {}
    duplicates: list[Record] = []
    aliases: dict[str, str] = {}
    taken: set[str] = set()
    for record in sorted(found, key=lambda each: (ids.order(each.id), each.path)):
        if (key := ids.key(record.id)) in taken:
            duplicates.append(record)
            continue
        taken.add(key)
        records[record.id] = record
        for old in record.formerly:
            aliases[old] = record.id
    claims: dict[str, Claim] = {}
    senses: dict[str, Sense] = {}
    for record in (*records.values(), *duplicates):
        for claim in record.claims:
            claims.setdefault(claim.id, claim)
        if isinstance(record, Term):
            for sense in record.senses:
                senses.setdefault(sense.id, sense)
    corpus = Corpus(settings, records, claims, senses, (), aliases=aliases)
    edges = _fold(_edges(corpus, (*records.values(), *duplicates)))
    return Corpus(
        settings, records, claims, senses, edges, tuple(duplicates), tuple(findings), aliases
    )


def _edges(corpus: Corpus, found: Iterable[Record]) -> Iterator[Edge]:
    for record in found:
        # What a second file of one id says is said of that id.
        own = record.id if record.id in corpus.records else corpus.find(record.id) or record.id
        owners: list[tuple[str, Iterable[Relation]]] = [(own, record.relations)]
        owners += [(claim.id, claim.relations) for claim in record.claims]
        if isinstance(record, Term):
            owners += [(sense.id, sense.relations) for sense in record.senses]
        for owner, stated in owners:
            for each in stated:
                yield _edge(corpus, record, owner, each)


def _edge(corpus: Corpus, record: Record, owner: str, stated: Relation) -> Edge:
    near = _end(corpus, record, stated.subject) if stated.subject else owner
    far = _end(corpus, record, stated.to)
    subject, object_ = (near, far) if stated.forward else (far, near)
    status: str = stated.status
    if status == "active" and object_.startswith("?"):
        status = "target-absent"
    return Edge(
        subject, stated.relation, object_, status, stated.because, stated.evidence,
        stated.aspect, stated.component, stated.by, stated.filed, stated.quoted, stated.says,
        stated.was, record.path, stated.line, stated.column,
    )  # fmt: skip


def _end(corpus: Corpus, record: Record, written: str) -> str:
    """Look up one end as a record wrote it."""
    if written.startswith("?"):
        return written
    if written.startswith("#"):
        return f"{record.id}{written}"
    if ids.is_id(written):
        return corpus.find(written) or written
    part = f"{record.id}#{written}"
    known = part in corpus.claims or part in corpus.senses
    return written if ids.is_foreign(written) and not known else part


def _fold(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Keep each edge once; what one place says of it and another does not is kept too."""
    kept: dict[tuple[str, str, str], Edge] = {}
    for edge in edges:
        key = (edge.relation, edge.subject, edge.object)
        if relations.BY_NAME[edge.relation].symmetric:
            twin = (edge.relation, edge.object, edge.subject)
            key = twin if twin in kept else key
        first = kept.get(key)
        kept[key] = edge if first is None else _merge(first, edge)
    return tuple(kept.values())


def _merge(first: Edge, second: Edge) -> Edge:
    filled = {
        name: getattr(second, name)
        for name in relations.QUALIFIERS
        if not getattr(first, name) and getattr(second, name)
    }
    if "proposed" in (first.status, second.status) and "active" in (first.status, second.status):
        filled["status"] = "active"
    place = (second.path, second.line, second.column)
    return first._replace(also=(*first.also, place, *second.also), **filled)


__all__ = ["Corpus", "Edge", "join", "load", "read", "read_file"]
