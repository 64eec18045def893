"""Everything that can be repaired without asking a person; doing it again changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import ids
from anthology.manuscript import EditError, Manuscript
from litgraph.mending import converses, slips, statements
from litgraph.mending.changes import Change, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from anthology.corpus import Corpus
    from anthology.notation import Value
    from anthology.records import Record
    from litgraph.mending.converses import Missing
    from litgraph.mending.statements import Item, Stated

FILLS = "fills"  # the key by which a record says which placeholder it, or a part of it, is
ABSENT = "target-absent"


def repair(
    corpus: Corpus, wanted: Iterable[Record] | None = None, *, both_sides: bool = False
) -> Outcome:
    """Repair records; all of them by default. Nothing is written.

    Args:
        corpus: The records.
        wanted: Those to repair.
        both_sides: Whether to write the other side of a relation, where the project's
            configuration asks for both.

    """
    outcome = Outcome()
    filled = _filled(corpus, outcome.left)
    chosen = (*corpus.records.values(), *corpus.duplicates) if wanted is None else tuple(wanted)
    sides: dict[str, list[Missing]] = {}
    for each in converses.missing(corpus) if both_sides else ():
        sides.setdefault(each.record.path, []).append(each)
    concerned = _concerned(corpus) | set(sides)
    for record in sorted(chosen, key=lambda each: each.path):
        if record.path not in concerned:
            continue
        try:
            data = (corpus.root / record.path).read_bytes()
            change = _file(corpus, record, data, filled, outcome.left, sides)
        except OSError as error:
            said = (error.strerror or str(error)).lower()
            outcome.refused.append(f"{record.path}:1:1: cannot be read: {said}")
        except EditError as error:
            outcome.refused.append(str(error))
        else:
            if change.needed:
                outcome.changes.append(change)
    return outcome


def _concerned(corpus: Corpus) -> set[str]:
    """Return the files that may need something; the others are not even read again."""
    paths = {each.path for each in corpus.findings}
    for edge in corpus.edges:
        if edge.status == ABSENT or edge.subject.startswith("?") or edge.object.startswith("?"):
            paths |= {edge.path, *(path for path, _, _ in edge.also)}
    return paths


def _filled(corpus: Corpus, left: list[str]) -> dict[str, str]:
    """Return which record, claim or sense fills each placeholder."""
    filled: dict[str, str] = {}
    for record in corpus.records.values():
        for owner, slug in _fills(record):
            first = filled.setdefault(slug, owner)
            if first != owner:
                said = f"{first} fills {slug}, too; let one of the two do it"
                left.append(f"{record.path}:1:1: {said}")
                filled[slug] = ""
    return {slug: owner for slug, owner in filled.items() if owner}


def _fills(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the placeholders that a record or, in a mapping, its parts fill."""
    given = record.extra.get(FILLS, ())
    for part, slugs in given.items() if isinstance(given, dict) else [("", given)]:
        owner = f"{record.id}#{part}" if part else record.id
        yield from ((owner, str(each)) for each in ([slugs] if isinstance(slugs, str) else slugs))


def _file(
    corpus: Corpus,
    record: Record,
    before: bytes,
    filled: Mapping[str, str],
    left: list[str],
    sides: Mapping[str, list[Missing]],
) -> Change:
    data, said, undone = slips.mend(record.path, before)
    left += undone
    manuscript = Manuscript(record.path, data)
    for stated in list(statements.of(manuscript)):
        for item in stated.items:
            said += _fill(manuscript, record, item, filled)
            said += _present(corpus, manuscript, item)
    for stated in list(statements.of(manuscript)):
        said += _once(manuscript, stated, left)
    for each in sides.get(record.path, ()):
        manuscript.append((each.key,), each.target)
        said.append(f"{each.key} names {each.target}, which names it")
    return Change(record.path, before, manuscript.data, said=tuple(said))


def _fill(
    manuscript: Manuscript, record: Record, item: Item, filled: Mapping[str, str]
) -> list[str]:
    """Point an edge at what was filed in the stead of its placeholder; say what it was."""
    slug = item.target
    target = filled.get(slug)
    if target is None:
        return []
    if item.qualified.get("status") == ABSENT:
        manuscript.set((*item.keys, "status"), "active")
    if isinstance(item.said, dict):
        manuscript.set(item.target_keys, target)
        if "was" not in item.said:
            manuscript.set((*item.keys, "was"), slug)
        if "filed" not in item.said and record.date:
            manuscript.set((*item.keys, "filed"), record.date)
    else:
        edge: dict[str, Value] = {"to": target, "was": slug}
        manuscript.set(item.keys, edge | ({"filed": record.date} if record.date else {}))
    return [f"{slug} is {target} now"]


def _present(corpus: Corpus, manuscript: Manuscript, item: Item) -> list[str]:
    """Take back that a target is absent where it is here."""
    if item.qualified.get("status") != ABSENT or not ids.is_id(item.target):
        return []
    if corpus.find(item.target) is None:
        return []
    manuscript.set((*item.keys, "status"), "active")
    return [f"{item.target} is filed, so the edge is active"]


def _once(manuscript: Manuscript, stated: Stated, left: list[str]) -> list[str]:
    """Drop a target that its list has already, unless the two say different things of it."""
    kept: dict[tuple[str, str], Item] = {}
    dropped: list[Item] = []
    for item in stated.items:
        name = (ids.key(item.target), str(item.qualified.get("from", "")))
        first = kept.setdefault(name, item) if item.target else item
        if first is item:
            continue
        if item.qualified == first.qualified or _adds_nothing(item, first):
            dropped.append(item)
        elif _adds_nothing(first, item):
            dropped.append(first)
            kept[name] = item
        else:
            line, column = manuscript.locate(item.keys)
            said = f"{item.target} stands twice under `{stated.relation}` and says two things"
            left.append(f"{manuscript.path}:{line}:{column}: {said}; keep one")
    done = []
    for item in sorted(dropped, key=lambda each: each.keys[-1], reverse=True):
        try:
            manuscript.drop(item.keys)
        except EditError as error:
            left.append(str(error))
        else:
            done.append(f"dropped {item.target}, which stood twice under `{stated.relation}`")
    return done[::-1]


def _adds_nothing(item: Item, other: Item) -> bool:
    """Whether an item is a bare target of which another says the same and more."""
    return not item.qualified and other.qualified.get("status", "active") == "active"
