"""Another name for a record, claim or sense: in its file, in every file that names it, in runs."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from anthology import body, ids, source
from anthology.errors import AnthologyError, UnknownNameError
from anthology.manuscript import Manuscript
from anthology.source import Document
from litgraph.mending import numbers, statements, traces
from litgraph.mending.changes import Change, Outcome
from litgraph.mending.references import Names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from anthology.config import Config
    from anthology.corpus import Corpus
    from anthology.records import Record

_NUMBERED = re.compile(r"[A-Z]+[0-9]+")
_SKIPPED = frozenset({"tests", "docs", "node_modules", "venv", "site-packages", "__pycache__"})


class RenameError(AnthologyError):
    """A name cannot be given."""


def records(corpus: Corpus, names: Mapping[str, str]) -> Outcome:
    """Give records other names.

    Args:
        corpus: The records.
        names: Ids of today to new ids of the same scheme.

    Raises:
        RenameError: A new name is taken, or no name of its scheme.
        EditError: The file of one of the records cannot be read.

    """
    for old, new in names.items():
        _check(corpus, old, new)
    given = Names(names)
    outcome = _texts(corpus, given, {corpus.records[old].path for old in names})
    for old, new in names.items():
        outcome.changes.append(_moved(corpus, corpus.records[old], new, given))
    outcome.changes += traces.runs_of(corpus, names, given)
    outcome.changes += traces.experiments(corpus.config, given)
    return outcome


def file(corpus: Corpus, path: str, new: str) -> Outcome:
    """Give a file whose id another file has, too, an id of its own.

    What names the old id is left: it may mean the other file.

    Raises:
        UnknownNameError: There is no such record.
        RenameError: The new name is taken, or no name of its scheme.
        EditError: The file cannot be read.

    """
    found = {each.path: each for each in (*corpus.records.values(), *corpus.duplicates)}
    if path not in found:
        raise UnknownNameError("record file", path, found)
    record = found[path]
    _check(corpus, record.id, new, alone=False)
    return Outcome([_moved(corpus, record, new, Names({record.id: new}), former=False)])


def part(corpus: Corpus, old: str, new: str) -> Outcome:
    """Give a claim or sense another name within its record.

    Where the body names a claim by its bare id, that is left: a `C4` in prose may be a data set.

    Raises:
        RenameError: The new name is taken, or none of the same record.
        EditError: The record's file cannot be read.

    """
    record, name = ids.split(new)
    home, before = ids.split(old)
    if ids.key(record) != ids.key(home) or not ids.is_part(name):
        raise RenameError(f"{old} stays a part of {home}: write {home}#NEW")
    new = f"{home}#{name}"
    if new in corpus.claims or new in corpus.senses:
        raise RenameError(f"{new} is there already: {corpus.label(new)}")
    given = Names({old: new})
    path = corpus.records[home].path
    outcome = _texts(corpus, given, {path})
    data = (corpus.root / path).read_bytes()
    manuscript = Manuscript(path, data)
    count = _part(manuscript, before, name)
    text, more = given.record(manuscript.data.decode())
    said = (f"{old} is {new} now", *traces.counted(count + more))
    outcome.changes.append(Change(path, data, text.encode(), said=said))
    outcome.left += _bare(manuscript, before)
    outcome.changes += traces.runs_of(corpus, {old: new}, given)
    outcome.changes += traces.experiments(corpus.config, given)
    return outcome


def numbered(corpus: Corpus, schemes: list[str]) -> dict[str, str]:
    """Return the number that each temporary code is to get, by date and then by code."""
    waiting = [each for each in corpus.records.values() if numbers.is_temporary(each.id)]
    waiting.sort(key=lambda each: (each.date or "9999", each.id))
    names: dict[str, str] = {}
    for scheme in schemes or sorted({each.kind for each in waiting}):
        free = numbers.following(corpus, scheme)
        names |= {each.id: next(free) for each in waiting if each.kind == scheme}
    return names


def _check(corpus: Corpus, old: str, new: str, *, alone: bool = True) -> None:
    if not ids.is_code(new) or ids.scheme_of(new) != ids.scheme_of(old):
        scheme = ids.scheme_of(old)
        raise RenameError(f"{new!r} is no id of a {scheme}: write {scheme}- and a number")
    holder = corpus.find(new)
    if holder is not None and not (holder == old and new in corpus.aliases):
        what = "is" if holder in corpus.records and ids.key(holder) == ids.key(new) else "was"
        raise RenameError(f"{new} {what} the id of {corpus.records[holder].path}")
    twins = [each.path for each in corpus.duplicates if ids.key(each.id) == ids.key(old)]
    if alone and twins:
        paths = " and ".join((corpus.records[old].path, *twins))
        raise RenameError(f"{paths} have one id; name the file that is to get another")


# ---------------------------------------------------------------- files


def _texts(corpus: Corpus, given: Names, own: set[str]) -> Outcome:
    """Change every text among the records that names what gets another name, but `own`."""
    outcome = Outcome()
    for path in _documents(corpus.config):
        if path in own:
            continue
        try:
            data = (corpus.root / path).read_bytes()
            replaced, count = given.record(data.decode("utf-8"))
        except OSError:
            continue  # `validate` says so
        except UnicodeDecodeError:
            outcome.refused.append(f"{path}:1:1: it is not UTF-8; left as it is")
            continue
        if count:
            name = path.rpartition("/")[2].removesuffix(".md")
            document = source.parse(data, Document(path, name))
            if ids.is_code(name) and document.fields is None:
                outcome.refused.append(f"{document.findings[0]}; left as it is")
            else:
                said = traces.counted(count)
                outcome.changes.append(Change(path, data, replaced.encode(), said=said))
    return outcome


def _documents(settings: Config) -> Iterator[str]:
    """Yield every Markdown file among the records: journals name records, too."""
    folders = [settings.root / each for each in settings.records]
    for folder in [each for each in folders if each.is_dir()] or [settings.root]:
        for place, below, names in os.walk(folder):
            below[:] = sorted(each for each in below if each[0] != "." and each not in _SKIPPED)
            for name in sorted(names):
                if name.endswith(".md") and name[0] != ".":
                    full = os.path.join(place, name)  # noqa: PTH118 - walk gives texts
                    yield os.path.relpath(full, settings.root).replace(os.sep, "/")


def _moved(
    corpus: Corpus, record: Record, new: str, given: Names, *, former: bool = True
) -> Change:
    data = (corpus.root / record.path).read_bytes()
    text, count = given.record(Manuscript(record.path, data).data.decode())
    manuscript = Manuscript(record.path, text.encode())
    tail = new.partition("-")[2]
    if manuscript.find("number") is not None or numbers.is_temporary(record.id):
        manuscript.set(("number",), int(tail) if tail.isdigit() else tail, after="^")
    if former and record.id not in record.formerly:
        manuscript.append(("formerly",), record.id, after="number")
    path = f"{record.path.rpartition('/')[0]}/{new}.md".lstrip("/")
    said = (f"was {record.id}", *traces.counted(count))
    return Change(path, data, manuscript.data, was=record.path, said=said)


def _part(manuscript: Manuscript, old: str, new: str) -> int:
    """Rename a part where its own record names it without the record's id."""
    count = 0
    for section in ("claims", "senses"):
        parts = manuscript.plain(section)
        if isinstance(parts, dict) and old in parts:
            manuscript.rename((section, old), new)
        elif isinstance(parts, list):
            for number, each in enumerate(parts):
                if isinstance(each, dict) and each.get("id") == old:
                    manuscript.set((section, number, "id"), new)
    for stated in list(statements.of(manuscript)):
        for item in stated.items:
            pairs = [(item.target_keys, item.target)]
            pairs += [((*item.keys, "from"), item.qualified.get("from", ""))]
            for keys, written in pairs:
                if written in (old, f"#{old}"):
                    manuscript.set(keys, f"#{new}" if written[0] == "#" else new)
                    count += 1
    _row(manuscript, old, new)
    return count


def _bare(manuscript: Manuscript, name: str) -> Iterator[str]:
    """Yield where the body names a claim by its bare id."""
    if not _NUMBERED.fullmatch(name):
        return  # a sense's is a word like others
    bare = re.compile(rf"(?<![A-Za-z0-9_#-]){name}(?![A-Za-z0-9_-])")
    for number, line in enumerate(manuscript.lines[manuscript.body_line :], manuscript.body_line):
        for each in bare.finditer(line):
            place = f"{manuscript.path}:{number + 1}:{each.start() + 1}"
            yield f"{place}: left as it is, look whether the claim is meant: {name}"


def _row(manuscript: Manuscript, old: str, new: str) -> None:
    """Rename a claim in the first cell of its row of the Claims table."""
    text = "\n".join(manuscript.lines[manuscript.body_line :])
    for row in body.claims(text)[1]:
        cell = row.cells.get("id")
        if cell is not None and body.plain(cell.text) == old:
            start = cell.column - 1 + cell.text.index(old)
            manuscript.reword(manuscript.body_line + row.line, start, start + len(old), new)
