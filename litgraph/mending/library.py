"""What a library file says of works, brought into their records; what people wrote stays theirs.

A record keeps, below `imported`, a digest of each value that an import wrote. A value that
still has that digest was not touched since, and a later import may renew it; any other was
written or changed by hand, and so was one that is gone.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anthology import body
from anthology.manuscript import EditError, Manuscript
from anthology.notation import Inline
from litgraph.mending import drafts, numbers, works
from litgraph.mending.changes import Change, Outcome
from litgraph.mending.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable

    from anthology.corpus import Corpus
    from litgraph.mending.bibtex import Cited
    from litgraph.mending.works import Work

IMPORTED = "imported"  # the key below which the digests stand

Said = str | list[str]


@dataclass
class Import:
    """One import, entry by entry.

    Attributes:
        corpus: The records.
        date: Day of filing for new records.
        overwrite: Whether to write over what people wrote.
        clobber: Whether to write over anything.

    """

    corpus: Corpus
    date: str
    overwrite: bool = False
    clobber: bool = True
    _known: dict[str, str] = field(init=False)
    _files: dict[str, tuple[bytes, Manuscript, list[str]]] = field(init=False, default_factory=dict)
    _made: dict[str, Change] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._known = works.recorded(self.corpus)
        self._free = numbers.following(self.corpus, "LIT")

    def bring(self, cited: Iterable[Cited]) -> Outcome:
        """Return what bringing entries into the records would change. Nothing is written."""
        outcome = Outcome()
        entered: dict[str, str] = {}
        for entry in cited:
            found = self._find(entry.work)
            try:
                if found in entered:
                    first = entered[found]
                    outcome.left.append(f"{entry.key} is left: {first} is the same work, {found}")
                elif found is None:
                    entered[self._make(entry.work)] = entry.key
                else:
                    entered[found] = entry.key
                    self._renew(found, entry, outcome)
            except (EditError, OSError) as error:
                outcome.refused.append(f"{entry.key}: {error}")
        for path, (data, manuscript, said) in self._files.items():
            outcome.changes.append(Change(path, data, manuscript.data, said=tuple(said)))
        outcome.changes += self._made.values()
        return outcome

    def _find(self, work: Work) -> str | None:
        """Return the record of a work: by what identifies it, else by its title."""
        names = work.names()
        found = next((self._known[each] for each in names if each in self._known), None)
        if found is not None or not (plain := works.title(work.title)):
            return found
        twin = self._known.get(f"title:{plain}")
        # Two works may have one title; two ids of one kind are two works.
        kinds = {each.partition(":")[0] for each in names}
        others = {name.partition(":")[0] for name, each in self._known.items() if each == twin}
        return None if kinds & others else twin

    def _make(self, work: Work) -> str:
        name = next(self._free)
        folder = numbers.folder(self.corpus, "LIT")
        draft = Draft(name=name, folder=folder, date=self.date, work=work)
        change = drafts.record(self.corpus, draft)
        manuscript = Manuscript(change.path, change.after)
        digests = {key: digest(value) for key, value in work.fields().items()}
        manuscript.set((IMPORTED,), Inline(digests))
        self._made[name] = change._replace(after=manuscript.data)
        for each in (*work.names(), f"title:{works.title(work.title)}"):
            self._known.setdefault(each, name)
        return name

    def _renew(self, name: str, entry: Cited, outcome: Outcome) -> None:
        path = self.corpus.records[name].path
        if path not in self._files:
            data = (self.corpus.root / path).read_bytes()
            self._files[path] = data, Manuscript(path, data), []
        _, manuscript, said = self._files[path]
        seen = manuscript.plain(IMPORTED) or {}
        for key, value in entry.work.fields().items():
            current = manuscript.plain(key)
            if key == "title" and str(current).endswith(drafts.UNTITLED):
                current, seen = "", {each: seen[each] for each in seen if each != key}
            if current and _same(key, current, value):
                continue
            before = seen.get(key, "")
            mine = digest(current) == before if current else not before
            if before == digest(value) and not mine and not self.overwrite:
                continue  # changed by hand since, and the file says nothing new
            if not mine and not self.overwrite and _alike(current, value):
                continue
            if self.overwrite or (mine and (self.clobber or not current)):
                self._write(manuscript, key, value)
                said.append(f"{key}: {_short(value)}" + f" (was {_short(current)})" * bool(current))
            else:
                place = ":".join(map(str, manuscript.locate((key,))))
                what = _short(current) if current else "deleted by hand"
                outcome.left.append(
                    f"{path}:{place}: {key} is kept, {what}; {entry.key} says {_short(value)}"
                )

    @staticmethod
    def _write(manuscript: Manuscript, key: str, value: Said) -> None:
        if key == "title":
            _entitle(manuscript, str(value))
        manuscript.set((key,), value, after=_above(manuscript, key))
        if manuscript.plain(IMPORTED):
            manuscript.set((IMPORTED, key), digest(value))
        else:
            manuscript.set((IMPORTED,), Inline({key: digest(value)}))


def digest(value: object) -> str:
    """Return the digest of a value; the shape of a text in several lines does not count."""
    plain = " ".join(value.split()) if isinstance(value, str) else value
    text = json.dumps(plain, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:8]


def _same(key: str, current: object, value: Said) -> bool:
    """Whether two values say one thing; the less exact of two dates says nothing new."""
    if isinstance(current, str) and isinstance(value, str):
        if key in ("arxiv", "doi", "url"):
            return bool(one := works.name(current)) and one == works.name(value)
        if key == "published":
            return current.startswith(value)
        return " ".join(current.split()) == " ".join(value.split())
    return current == value


def _alike(current: object, value: Said) -> bool:
    """Whether two texts differ in capitals and marks alone."""
    both = isinstance(current, str) and isinstance(value, str)
    return both and works.title(str(current)) == works.title(str(value))


def _above(manuscript: Manuscript, key: str) -> str:
    """Return the key below which a new one belongs."""
    order = works.FIELDS
    before = order[: order.index(key)][::-1]
    return next((each for each in before if manuscript.find(each) is not None), "")


def _entitle(manuscript: Manuscript, title: str) -> None:
    """Change the heading with the title, where the two say the same."""
    found = body.heading("\n".join(manuscript.lines[manuscript.body_line :]))
    old = " ".join(str(manuscript.plain("title") or "").split())
    if found is None or not old or not found[0].endswith(old):
        return
    line = manuscript.body_line + found[1]
    start = manuscript.lines[line].rindex(old)
    manuscript.reword(line, start, start + len(old), title)


def _short(value: object) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return f"“{text if len(text) <= 60 else text[:59] + '…'}”"
