"""Rules about edges: where they lead, between what, and in which shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import ids, relations
from anthology.findings import Severity
from anthology.records import Term
from litgraph.rules import _near, _places, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from anthology.corpus import Corpus, Edge
    from litgraph.rules import Fault

_NOWHERE = frozenset({"unknown", "foreign"})  # another rule's matter
_OF_TERMS = frozenset({"about", "explains"})
LISTED = 12  # parts that a message names


@rule("R301")
def unknown_target(corpus: Corpus) -> Iterator[Fault]:
    """An id that nothing has, though its scheme has records here.

    Why: the edge leads nowhere, and no question that follows it finds anything.

    Instead: correct the id. What nobody has filed yet is written "?a-few-words" with
    `says:`, and is no fault.
    """
    for edge, end in _loose(corpus):
        if _unknown(corpus, end):
            yield _places.of_edge(edge), _no_record(corpus, end)
    for edge in corpus.edges:
        if edge.component and ids.is_id(edge.component) and _unknown(corpus, edge.component):
            yield _places.of_edge(edge), f"component: {_no_record(corpus, edge.component)}"
    for sense in corpus.senses.values():
        record, part = ids.split(sense.id)
        name, holder = sense.prevented_by, corpus.records.get(record)
        if holder is not None and ids.is_id(name) and _unknown(corpus, name):
            place = _places.of_field(corpus, holder, "senses", part, "prevented_by")
            yield place, _no_record(corpus, name)


@rule("R302")
def unknown_part(corpus: Corpus) -> Iterator[Fault]:
    """A claim or sense that its record does not have: `NOTE-274#C99`.

    Why: the edge leads nowhere.

    Instead: take one of those that the message names. A bare word names a part of the record
    that it stands in.
    """
    for edge, end in _loose(corpus):
        name, part = ids.split(end)
        record = corpus.find(name)
        if not part or record is None or corpus.records[record].shell:
            continue  # the parts of a record that cannot be read are not known
        there = [ids.split(each)[1] for each in corpus.parts(record)]
        near = _near.parts(corpus, f"{record}#{part}")
        has = f"it has {_listed(there)}" if there else "it has none"
        yield _places.of_edge(edge), f"{record} has no part {part}; {has}{_near.hint(near)}"


@rule("R303", Severity.INFO)
def foreign_target(corpus: Corpus) -> Iterator[Fault]:
    """An id whose scheme has no record here, such as one of another project.

    Why: it is no fault. It is listed so that a scheme misspelt can be seen.

    Instead: nothing, where another project's record is meant.
    """
    for edge, end in _loose(corpus):
        if corpus.kind(end) == "foreign":
            yield _places.of_edge(edge), f"{end} is not of this record"


@rule("R304")
def wrong_kind(corpus: Corpus) -> Iterator[Fault]:
    """A relation joins kinds of things that it is not defined between.

    Why: it has no meaning there. `alternative-account` compares explanations; between two
    works, a question that follows it would mislead. The edge is kept.

    Instead: join what the message allows, or choose a relation that fits:
    `anthology explain relations`.
    """
    known: dict[tuple[str, str, str], bool] = {}  # kinds are few, edges are many
    kinds: dict[str, str] = {}
    for edge in corpus.edges:
        a, b = (_kind(corpus, each, kinds) for each in (edge.subject, edge.object))
        key = (edge.relation, a, b)
        if key not in known:
            known[key] = not _wrong(corpus, edge, a, b)
        if known[key] or edge.subject == edge.object or rejects_a_work(corpus, edge):
            continue
        yield _places.of_edge(edge), "; ".join(_wrong(corpus, edge, a, b))


@rule("R305")
def self_edge(corpus: Corpus) -> Iterator[Fault]:
    """Something is related to itself.

    Why: no relation says anything of one thing alone.

    Instead: delete the edge, or write the id that was meant.
    """
    for edge in corpus.edges:
        if edge.subject == edge.object:
            yield _places.of_edge(edge), f"{edge.subject} stands in `{edge.relation}` to itself"


@rule("R307")
def two_minds(corpus: Corpus) -> Iterator[Fault]:
    """One thing rejects another and also refines, extends or supports it.

    Why: to refine is to keep what the target says, and to reject is to say that it does not
    hold.

    Instead: keep the one that is meant. Where only a part is rejected, reject the claim that
    says it, or name a different `aspect` on each edge.
    """
    keeps = ("refines", "extends", "supports")
    rejected = {(e.subject, e.object): e for e in corpus.edges if _stands(e, ("rejects",))}
    for edge in corpus.edges if rejected else ():
        other = rejected.get((edge.subject, edge.object))
        if other is None or not _stands(edge, keeps):
            continue
        if edge.aspect and other.aspect and edge.aspect != other.aspect:
            continue
        where = f"{other.path}:{other.line}"
        said = f"{edge.subject} both {edge.relation} {edge.object} and rejects it ({where})"
        yield _places.of_edge(edge), said


@rule("R314")
def withdrawn_without_reason(corpus: Corpus) -> Iterator[Fault]:
    """An edge is withdrawn and nobody says why.

    Why: what was once held is kept so that nobody files it again; that needs the reason.

    Instead: add `because:`.
    """
    for edge in corpus.edges:
        if edge.status == "withdrawn" and not edge.because:
            yield _places.of_edge(edge), f"{_said(edge)} is withdrawn without a reason"


@rule("R315", Severity.WARNING)
def placeholder_without_words(corpus: Corpus) -> Iterator[Fault]:
    """A target that nobody has filed is named, and nothing says what it would be.

    Why: whoever files it later must be able to tell that it is the one meant.

    Instead: add `says:` with what the target would say.
    """
    said = {each for edge in corpus.edges if edge.says for each in (edge.subject, edge.object)}
    for edge in corpus.edges:
        for end in (edge.subject, edge.object):
            if end.startswith("?") and end not in said:
                yield _places.of_edge(edge), f"{end} is not filed, and no `says:` tells what it is"
                said.add(end)


@rule("R316", Severity.WARNING)
def target_is_here(corpus: Corpus) -> Iterator[Fault]:
    """An edge has the status `target-absent`, and its target is filed.

    Why: questions that look for what is missing still list it.

    Instead: delete the status, or write `active`.
    """
    for edge in corpus.edges:
        if edge.status == "target-absent" and _filed(corpus, edge.object):
            yield _places.of_edge(edge), f"{edge.object} is filed; the edge is `active`"


@rule("R317", Severity.WARNING)
def reads_no_work(corpus: Corpus) -> Iterator[Fault]:
    """A note does not say which one work it reads.

    Why: a note is the close reading of one work; its claims are that work's.

    Instead: add `paper: LIT-530`. A note on several works is a THEORY, or several notes.
    """
    for record in corpus.records.values():
        if record.kind == "NOTE" and not record.shell:
            read = [edge for edge in corpus.out(record.id) if edge.relation == "reads"]
            if not read:
                yield (record.path, 1, 1), f"{record.id} names no work that it reads; add `paper:`"
            elif len(read) > 1:
                said = f"{record.id} reads {len(read)} works; a note is the reading of one"
                yield _places.of_edge(read[1]), said


@rule("R318", Severity.WARNING)
def ambiguous_term(corpus: Corpus) -> Iterator[Fault]:
    """A word that names several things is used without saying which.

    Why: that is how two phenomena under one name come to be taken for one.

    Instead: point at the sense: `TERM-001#tokens`.
    """
    for edge in corpus.edges:
        term = corpus.records.get(edge.object)
        if isinstance(term, Term) and len(term.senses) > 1 and edge.relation in _OF_TERMS:
            senses = _listed([each.id for each in term.senses])
            said = f"{edge.object} ({term.title}) names {len(term.senses)} things: {senses}"
            yield _places.of_edge(edge), said


# ---------------------------------------------------------------- shared


def rejects_a_work(corpus: Corpus, edge: Edge) -> bool:
    """Whether an edge rejects a work or its reading as a whole; a rule of its own says so."""
    return edge.relation == "rejects" and corpus.kind(edge.object) in {"LIT", "NOTE"}


def _unknown(corpus: Corpus, name: str) -> bool:
    """Whether an id's scheme has records here, and none of them is it."""
    return corpus.kind(name) == "unknown" and corpus.find(ids.record_of(name)) is None


def _no_record(corpus: Corpus, name: str) -> str:
    near = _near.hint(_near.records(corpus, name))
    return f"no record has the id {ids.record_of(name)}{near}"


def _loose(corpus: Corpus) -> Iterator[tuple[Edge, str]]:
    """Yield each end that nothing here has."""
    for edge in corpus.edges:
        for end in (edge.subject, edge.object):
            if not _known(corpus, end) and corpus.find(end) is None:
                yield edge, end


def _filed(corpus: Corpus, name: str) -> bool:
    return name in corpus.records or name in corpus.claims or name in corpus.senses


def _known(corpus: Corpus, name: str) -> bool:
    return _filed(corpus, name) or name.startswith("?")


def _stands(edge: Edge, names: tuple[str, ...]) -> bool:
    return edge.relation in names and edge.status != "withdrawn"


def _said(edge: Edge) -> str:
    return f"{edge.subject} {edge.relation} {edge.object}"


# ---------------------------------------------------------------- kinds, in words


def _kind(corpus: Corpus, name: str, kinds: dict[str, str]) -> str:
    """Return an end's kind; a claim that stands alone is `CLAIM`, a claim and a record."""
    if name not in kinds:
        kind = corpus.kind(name)
        kinds[name] = ids.scheme_of(name) if kind == "claim" and "#" not in name else kind
    return kinds[name]


def _wrong(corpus: Corpus, edge: Edge, a: str, b: str) -> list[str]:
    """Say what is wrong with the kinds of an edge's ends; nothing where one is not known."""
    kind = relations.BY_NAME[edge.relation]
    ends = ((edge.subject, a, kind.source), (edge.object, b, kind.target))
    wrong = [
        f"{name} is {_a(mine)}{_better(corpus, name, allowed)}"
        for name, mine, allowed in ends
        if mine not in _NOWHERE and not _allows(allowed, mine)
    ]
    alike = a == b or {a, b} == {"claim", "CLAIM"}
    if not wrong and kind.same_kind and not alike and not _NOWHERE & {a, b}:
        wrong = [f"{edge.subject} is {_a(a)}, {edge.object} is {_a(b)}"]
        return [f"`{kind.name}` joins two of one kind", *wrong]
    if not wrong:
        return []
    return [f"`{kind.name}` leads from {_either(kind.source)} to {_either(kind.target)}", *wrong]


def _allows(kinds: frozenset[str], kind: str) -> bool:
    return relations.allows(kinds, kind) or (kind == "CLAIM" and "claim" in kinds)


def _a(kind: str) -> str:
    word = "claim" if kind == "CLAIM" else kind
    return f"an {word}" if word[0] in "aeiouAEIOU" else f"a {word}"


def _either(kinds: frozenset[str]) -> str:
    words = {"*": "anything", "record": "any record", "placeholder": '"?words"'}
    named = sorted((words.get(each, f"a {each}") for each in kinds), key=str.casefold)
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"


def _better(corpus: Corpus, name: str, kinds: frozenset[str]) -> str:
    """Name the parts of a record that may stand where the record itself may not."""
    wanted = {"claim", "sense"} & kinds
    parts = [each for each in corpus.parts(name) if corpus.kind(each) in wanted]
    return f" (it has {_listed(parts)})" if parts else ""


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:LISTED])
    more = [f"{len(names) - LISTED} more"] if len(names) > LISTED else []
    return ", ".join(shown + more)
