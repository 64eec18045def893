"""The index: what was read, kept under `.anthology/`, so that an answer need not read it again.

A file is looked at by its time and size first, and by its content where those changed or
are too fresh to trust; only what really changed is read again. The index holds records as
JSON and the joined graph as rows, in one SQLite file that is written aside and published
by a rename: a reader never waits, and sees one whole state. It can be deleted at any time,
and never changes an answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import sys
import time
import weakref
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from anthology import files, ids
from anthology.edge import Edge
from anthology.errors import UnknownNameError
from anthology.findings import Finding, Severity

if TYPE_CHECKING:
    from anthology.config import Config
    from anthology.corpus import Corpus
    from anthology.files import File
    from anthology.records import Claim, Record, Sense

FOLDER = ".anthology"
FRESH = 2 * 10**9  # ns: a file changed this shortly before it was read may change unseen

_T = TypeVar("_T")

_SCHEMA = """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE files (
        path TEXT PRIMARY KEY, modified INTEGER, size INTEGER, read INTEGER,
        digest BLOB, kind TEXT, record TEXT, findings TEXT
    );
    CREATE TABLE nodes (
        id TEXT PRIMARY KEY, kind TEXT, label TEXT, record TEXT, path TEXT, line INTEGER,
        column INTEGER, part INTEGER
    );
    CREATE TABLE names (key TEXT PRIMARY KEY, id TEXT) WITHOUT ROWID;
    CREATE TABLE edges (
        number INTEGER PRIMARY KEY, subject TEXT, relation TEXT, object TEXT, status TEXT,
        because TEXT, evidence TEXT, aspect TEXT, component TEXT, "by" TEXT, filed TEXT,
        quoted TEXT, says TEXT, was TEXT, path TEXT, line INTEGER, column INTEGER, also TEXT
    );
"""
_INDICES = (
    "CREATE INDEX nodes_record ON nodes (record)",
    "CREATE INDEX edges_subject ON edges (subject)",
    "CREATE INDEX edges_object ON edges (object)",
    "CREATE INDEX edges_relation ON edges (relation)",
)
EVIDENCE = Edge._fields.index("evidence")
_EDGE = ", ".join(f'"{name}"' for name in Edge._fields)


class _Kept(NamedTuple):
    """What the index knows of one file."""

    modified: int
    size: int
    read: int
    digest: bytes
    kind: str
    record: str
    findings: str


def graph(settings: Config, *, cache: bool = True) -> Corpus | Indexed:
    """Return the record to be asked: from the index where that is current, else read."""
    if not wanted(cache):
        from anthology import corpus

        return corpus.read(settings)
    listing = files.scan(settings)
    found = _open(settings)
    if found is not None:
        if _current(found, listing):
            return Indexed(settings, found)
        found.close()
    return _refresh(settings, listing)


def corpus(settings: Config, *, cache: bool = True) -> Corpus:
    """Return all records, reading only the files that changed since they were indexed."""
    if not wanted(cache):
        from anthology import corpus as whole

        return whole.read(settings)
    return _refresh(settings, files.scan(settings))


def wanted(cache: bool) -> bool:
    """Whether to use an index: not where a stranger may have put one into the checkout."""
    return cache and not os.environ.get("CI")


def current(settings: Config, listing: list[File]) -> bool:
    """Whether the index is there and as the files are."""
    found = _open(settings)
    if found is None:
        return False
    with contextlib.closing(found):
        return _current(found, listing)


# ---------------------------------------------------------------- where, and whether


def place(settings: Config) -> Path:
    """Return the file of the index: one for each version of this code and configuration."""
    return settings.root / FOLDER / f"index-{stamp(settings)}.sqlite"


def stamp(settings: Config) -> str:
    """Name what an index depends on besides the records."""
    digest = hashlib.sha256(repr(settings).encode())
    digest.update(f"{sys.version_info[:2]} {sqlite3.sqlite_version}".encode())
    code = Path(files.__file__).parent
    for folder in (code, Path(__file__).parent):
        for entry in sorted(os.scandir(folder), key=lambda each: each.name):
            if entry.name.endswith(".py"):
                status = entry.stat()
                digest.update(f"{entry.name} {status.st_mtime_ns} {status.st_size}\n".encode())
    return digest.hexdigest()[:16]


def _open(settings: Config) -> sqlite3.Connection | None:
    path = place(settings)
    try:
        found = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
        if found.execute("SELECT value FROM meta WHERE name = 'complete'").fetchone() == ("yes",):
            return found
        found.close()
    except (sqlite3.Error, ValueError):
        pass  # there is none, or it is damaged: read the records
    return None


def _current(found: sqlite3.Connection, listing: list[File]) -> bool:
    """Whether every file is as it was when it was indexed, by time and size."""
    try:
        rows = found.execute(
            "SELECT path, modified, size, read FROM files ORDER BY path"
        ).fetchall()
    except sqlite3.Error:
        return False
    if len(rows) != len(listing):
        return False
    return all(
        path == file.path and modified == file.modified and size == file.size
        and modified < read - FRESH
        for (path, modified, size, read), file in zip(rows, listing, strict=True)
    )  # fmt: skip


# ---------------------------------------------------------------- bringing it up to date


def _refresh(settings: Config, listing: list[File]) -> Corpus:
    """Read what changed, join all, publish the new index, and return the corpus."""
    from anthology import corpus as whole
    from anthology.records import KINDS, Record

    old = _kept(settings)
    kept: dict[str, _Kept] = {}
    records: list[Record] = []
    findings: list[Finding] = []
    changed = len(old) != len(listing)
    for file in listing:
        before = old.get(file.path)
        if before is not None and _same(settings, file, before):
            model = KINDS.get(before.kind, Record)
            records.append(model.model_validate_json(before.record))
            findings += _unpack(file.path, before.findings)
            if before.modified == file.modified and before.modified < before.read - FRESH:
                kept[file.path] = before
                continue
            changed = True
            kept[file.path] = before._replace(modified=file.modified, read=time.time_ns())
            continue
        changed = True
        read = time.time_ns()
        digest = _digest(settings, file)
        record, found = whole.read_file(settings, file.path)
        records.append(record)
        findings += found
        kept[file.path] = _Kept(
            file.modified, file.size, read, digest, record.kind,
            record.model_dump_json(exclude_defaults=True, by_alias=True), _pack(found),
        )  # fmt: skip
    joined = whole.join(settings, records, findings)
    if changed:
        with contextlib.suppress(OSError, sqlite3.Error):  # a read-only or full disk: no index
            _publish(settings, kept, joined)
    return joined


def _kept(settings: Config) -> dict[str, _Kept]:
    found = _open(settings)
    if found is None:
        return {}
    try:
        rows = found.execute(
            "SELECT path, modified, size, read, digest, kind, record, findings FROM files"
        )
        return {row[0]: _Kept(*row[1:]) for row in rows}
    except sqlite3.Error:
        return {}
    finally:
        found.close()


def _same(settings: Config, file: File, before: _Kept) -> bool:
    if file.size != before.size:
        return False
    if file.modified == before.modified and before.modified < before.read - FRESH:
        return True
    return _digest(settings, file) == before.digest


def _digest(settings: Config, file: File) -> bytes:
    try:
        return hashlib.sha256((settings.root / file.path).read_bytes()).digest()
    except OSError:
        return b""


def _pack(findings: list[Finding]) -> str:
    if not findings:
        return ""
    return json.dumps([(*each[1:5], each.severity.value) for each in findings])


def _unpack(path: str, text: str) -> Iterator[Finding]:
    if text:
        for line, column, code, message, severity in json.loads(text):
            yield Finding(path, line, column, code, message, Severity(severity))


def _publish(settings: Config, kept: Mapping[str, _Kept], corpus: Corpus) -> None:
    """Write a whole index aside and put it in place by a rename."""
    folder = settings.root / FOLDER
    folder.mkdir(exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n")
    target = place(settings)
    aside = folder / f"{target.name}.{os.getpid()}"
    try:
        _write(aside, kept, corpus)
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    for other in folder.glob("index-*.sqlite*"):
        # An index of other code or settings, or what a killed process left: old enough to go.
        if other != target and other.stat().st_mtime < time.time() - 3600:
            other.unlink(missing_ok=True)


def _write(path: Path, kept: Mapping[str, _Kept], corpus: Corpus) -> None:
    path.unlink(missing_ok=True)
    made = sqlite3.connect(path, isolation_level=None)
    try:
        made.execute("PRAGMA journal_mode = OFF")  # nobody sees it before it is whole
        made.execute("PRAGMA synchronous = OFF")
        made.executescript(_SCHEMA)
        made.execute("BEGIN")
        made.executemany(
            "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((path, *each) for path, each in kept.items()),
        )
        made.executemany("INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _nodes(corpus))
        made.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", corpus.names.items())
        marks = ", ".join("?" * len(Edge._fields))
        made.executemany(
            f"INSERT INTO edges ({_EDGE}) VALUES ({marks})",
            map(_columns, corpus.edges),
        )
        for each in _INDICES:
            made.execute(each)
        made.execute("INSERT INTO meta VALUES ('complete', 'yes')")
        made.execute("COMMIT")
    finally:
        made.close()


def _columns(edge: Edge) -> tuple[object, ...]:
    """Return an edge as a row; lists are JSON, and empty ones nothing."""
    return tuple(
        json.dumps(each) if isinstance(each, tuple) and each else each or "" for each in edge
    )


def _nodes(corpus: Corpus) -> Iterator[tuple[object, ...]]:
    names = (*corpus.records, *corpus.claims, *corpus.senses, *corpus.placeholders)
    for order, name in enumerate(names, 1):
        path, line, column = corpus.place(name)
        part = order if "#" in name else 0
        record = ids.record_of(name)
        yield name, corpus.kind(name), corpus.label(name), record, path, line, column, part


# ---------------------------------------------------------------- the record, from the index


class _Lazy(Mapping[str, _T], Generic[_T]):
    """A mapping whose keys are known and whose values are built when they are looked at."""

    def __init__(self, index: Indexed, query: str) -> None:
        self._index, self._query = index, query
        self._values: dict[str, _T] = {}

    @cached_property
    def _names(self) -> dict[str, None]:
        return dict.fromkeys(row[0] for row in self._index.rows(self._query))

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> _T:
        if name not in self._values:
            self._values[name] = self._build(name)
        return self._values[name]

    def _build(self, name: str) -> _T:
        raise NotImplementedError


class _Records(_Lazy["Record"]):
    def _build(self, name: str) -> Record:
        from anthology.records import KINDS, Record

        row = self._index.row(
            "SELECT files.kind, files.record FROM nodes JOIN files USING (path) WHERE id = ?", name
        )
        if row is None:
            raise KeyError(name)
        model: type[Record] = KINDS.get(row[0], Record)
        return model.model_validate_json(row[1])


class _Claims(_Lazy["Claim"]):
    def _build(self, name: str) -> Claim:
        record = self._index.records[ids.record_of(name)]
        return next(each for each in record.claims if each.id == name)


class _Senses(_Lazy["Sense"]):
    def _build(self, name: str) -> Sense:
        record = self._index.records[ids.record_of(name)]
        senses: tuple[Sense, ...] = getattr(record, "senses", ())
        return next(each for each in senses if each.id == name)


class Indexed:
    """A record as the index holds it: answers as a `Corpus` would, and reads only what is asked."""

    def __init__(self, settings: Config, found: sqlite3.Connection) -> None:
        self.config = settings
        self._found = found
        weakref.finalize(self, found.close)
        self.records: Mapping[str, Record] = _Records(
            self, "SELECT id FROM nodes WHERE part = 0 AND kind != 'placeholder' ORDER BY rowid"
        )
        self.claims: Mapping[str, Claim] = _Claims(
            self, "SELECT id FROM nodes WHERE kind = 'claim' ORDER BY rowid"
        )
        self.senses: Mapping[str, Sense] = _Senses(
            self, "SELECT id FROM nodes WHERE kind = 'sense' ORDER BY rowid"
        )

    @property
    def root(self) -> Path:
        """The project's root."""
        return self.config.root

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query on the index."""
        return self._found.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of a query on the index."""
        found: tuple[Any, ...] | None = self._found.execute(query, values).fetchone()
        return found

    # ---------------------------------------------------------------- as a Corpus

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every edge once, in the table's direction."""
        return tuple(self._edges("ORDER BY number"))

    @cached_property
    def _ends(self) -> tuple[dict[str, list[Edge]], dict[str, list[Edge]]]:
        out: dict[str, list[Edge]] = {}
        into: dict[str, list[Edge]] = {}
        for edge in self.edges:
            out.setdefault(edge.subject, []).append(edge)
            into.setdefault(edge.object, []).append(edge)
        return out, into

    @cached_property
    def schemes(self) -> frozenset[str]:
        """The schemes that have a record here."""
        return frozenset(ids.scheme_of(each) for each in self.records)

    @cached_property
    def placeholders(self) -> tuple[str, ...]:
        """What edges point at and nobody has filed, `?slug`."""
        query = "SELECT id FROM nodes WHERE kind = 'placeholder' ORDER BY rowid"
        return tuple(str(row[0]) for row in self.rows(query))

    def _edges(self, rest: str, *values: object) -> Iterator[Edge]:
        for row in self.rows(f"SELECT {_EDGE} FROM edges {rest}", *values):
            *head, also = row
            evidence = head[EVIDENCE]
            head[EVIDENCE] = tuple(json.loads(evidence)) if evidence else ()
            places = tuple(tuple(each) for each in json.loads(also)) if also else ()
            yield Edge._make((*head, places))

    def find(self, name: str) -> str | None:
        """Return the id of today for any spelling of an id, or None."""
        record, mark, part = name.partition("#")
        for each in (name, record) if mark else (name,):
            row = self.row("SELECT id FROM names WHERE key = ?", ids.key(each))
            if row is not None:
                if each is name:
                    return str(row[0])
                row = self.row("SELECT id FROM names WHERE key = ?", ids.key(f"{row[0]}#{part}"))
                return str(row[0]) if row else None
        return name if name.startswith("?") and name in self.placeholders else None

    def resolve(self, name: str) -> str:
        """Return the id of today for any spelling of an id.

        Raises:
            UnknownNameError: Nothing has that id; the message names the near ones.

        """
        found = self.find(name.strip()) or self.find(name.strip().upper())
        if found is None:
            known = [str(row[0]) for row in self.rows("SELECT id FROM nodes")]
            raise UnknownNameError("record, claim or sense", name, known)
        return found

    def kind(self, name: str) -> str:
        """Return `LIT` and the like, `claim`, `sense`, `placeholder`, `foreign` or `unknown`."""
        row = self.row("SELECT kind FROM nodes WHERE id = ?", name)
        if row is not None:
            return str(row[0])
        if name.startswith("?"):
            return "placeholder"
        return "unknown" if ids.scheme_of(name) in self.schemes else "foreign"

    def label(self, name: str) -> str:
        """Return what a person would call it."""
        row = self.row("SELECT label FROM nodes WHERE id = ?", name)
        return str(row[0]) if row else ""

    def out(self, name: str) -> list[Edge]:
        """Return the edges of which it is the subject."""
        if "edges" in self.__dict__:
            return self._ends[0].get(name, [])
        return list(self._edges("WHERE subject = ? ORDER BY number", name))

    def into(self, name: str) -> list[Edge]:
        """Return the edges of which it is the object."""
        if "edges" in self.__dict__:
            return self._ends[1].get(name, [])
        return list(self._edges("WHERE object = ? ORDER BY number", name))

    @cached_property
    def _parts(self) -> dict[str, list[str]]:
        parts: dict[str, list[str]] = {}
        query = "SELECT record, id FROM nodes WHERE part > 0 ORDER BY part"
        for record, part in self.rows(query):
            parts.setdefault(str(record), []).append(str(part))
        return parts

    def parts(self, name: str) -> list[str]:
        """Return the ids of a record's claims and senses."""
        if "edges" in self.__dict__:
            return self._parts.get(name, [])
        query = "SELECT id FROM nodes WHERE record = ? AND part > 0 ORDER BY part"
        return [str(row[0]) for row in self.rows(query, name)]

    def place(self, name: str) -> tuple[str, int, int]:
        """Return path, line and column of a record, claim or sense."""
        row = self.row("SELECT path, line, column FROM nodes WHERE id = ?", name)
        if row is None:
            row = self.row("SELECT path, 1, 1 FROM nodes WHERE id = ?", ids.record_of(name))
        return (str(row[0]), int(str(row[1])), int(str(row[2]))) if row else ("", 1, 1)
