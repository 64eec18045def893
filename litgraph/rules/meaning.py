"""Rules about rejections, alternative accounts and homonyms: what they may be said of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import ids
from anthology.findings import Severity
from anthology.records import Theory
from litgraph.rules import _places, rule
from litgraph.rules.structure import rejects_a_work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.corpus import Corpus, Edge
    from litgraph.rules import Fault

SHOWN = 60  # characters of a claim in a message


@rule("R308")
def no_shared_component(corpus: Corpus) -> Iterator[Fault]:
    """Two alternative accounts explain nothing in common.

    Why: they are alternatives only as answers to one question. Accounts of different things
    do not compete.

    Instead: name what both explain: `component: TERM-002` on the edge, or the same TERM below
    `explains:` of each. If there is none, delete the edge.
    """
    for edge in _accounts(corpus):
        a, b = (_explained(corpus, each) for each in (edge.subject, edge.object))
        named = corpus.find(edge.component) or edge.component
        if not named:
            if not a & b:
                said = f"{edge.subject} explains {_listed(a)}, {edge.object} {_listed(b)}"
                yield _places.of_edge(edge), f"the two accounts share no component: {said}"
            continue
        for end, explained in ((edge.subject, a), (edge.object, b)):
            if explained and named not in explained:
                said = f"{end} explains {_listed(explained)}, and not the component {named}"
                yield _places.of_edge(edge), said


@rule("R309")
def one_mechanism(corpus: Corpus) -> Iterator[Fault]:
    """Two alternative accounts give the same mechanism in the same words.

    Why: then they are one account under two ids.

    Instead: say in `mechanism:` what sets each apart, or let one supersede the other.
    """
    for edge in _accounts(corpus):
        a, b = (_mechanism(corpus, each) for each in (edge.subject, edge.object))
        if a and a == b:
            said = f"{edge.subject} and {edge.object} give one mechanism"
            yield _places.of_edge(edge), f"{said}; alternative accounts differ in it"


@rule("R310")
def alternative_and_rejected(corpus: Corpus) -> Iterator[Fault]:
    """Of two alternative accounts, one rejects the other.

    Why: alternatives may both hold; a rejection says that one does not.

    Instead: keep the rejection and delete `alternative-account`, or withdraw the rejection
    with its reason.
    """
    for edge in _accounts(corpus):
        mine = {name: {name, *corpus.parts(name)} for name in (edge.subject, edge.object)}
        for a, b in ((edge.subject, edge.object), (edge.object, edge.subject)):
            for end in mine[a]:
                for other in corpus.out(end):
                    rejects = other.relation == "rejects" and other.status != "withdrawn"
                    if rejects and other.object in mine[b]:
                        where = f"{other.path}:{other.line}"
                        said = f"{end} rejects {other.object} ({where}), so the two are rivals"
                        yield _places.of_edge(edge), f"{said} and no alternatives"


@rule("R311")
def homonym_of_one_thing(corpus: Corpus) -> Iterator[Fault]:
    """Two senses are called homonyms, and they refer to one thing.

    Why: a homonym is one word for two things.

    Instead: merge the two senses, or say in `refers_to:` what sets each apart.
    """
    for edge in _homonyms(corpus):
        a, b = corpus.senses[edge.subject], corpus.senses[edge.object]
        if a.refers_to and _folded(a.refers_to) == _folded(b.refers_to):
            said = f"{edge.subject} and {edge.object} both refer to {_short(a.refers_to)}"
            yield _places.of_edge(edge), said


@rule("R312")
def homonym_of_two_words(corpus: Corpus) -> Iterator[Fault]:
    """Two senses of different terms are called homonyms.

    Why: a homonym is one word for two things; two words are no homonym.

    Instead: make both senses of one TERM. If the words only look alike, say so in the text.
    """
    for edge in _homonyms(corpus):
        a, b = (ids.record_of(each) for each in (edge.subject, edge.object))
        if a != b:
            said = f"{edge.subject} is of {corpus.label(a) or a}, {edge.object} of "
            yield _places.of_edge(edge), f"{said}{corpus.label(b) or b}: two words, no homonym"


@rule("R313")
def rejects_work(corpus: Corpus) -> Iterator[Fault]:
    """A work or its reading is rejected as a whole: `rejects: LIT-530`.

    Why: a work says many things, and no one rejects them all. What exactly is held to be
    wrong is what a later reader asks.

    Instead: reject one of the claims or accounts that the message lists. If what is rejected
    is not among them, file it as a claim of the work's note first.
    """
    for edge in corpus.edges:
        if rejects_a_work(corpus, edge):
            choices = says(corpus, edge.object)
            listed = "; ".join(f"{each} ({_short(corpus.label(each))})" for each in choices)
            listed = listed or "nothing yet: file its claims in a note"
            said = f"{edge.object} is a whole work; reject what it says"
            yield _places.of_edge(edge), f"{said}: {listed}"


@rule("R319", Severity.WARNING)
def nothing_referred_to(corpus: Corpus) -> Iterator[Fault]:
    """A sense does not say what it refers to.

    Why: senses are told apart by it, and by nothing else.

    Instead: add `refers_to:`.
    """
    for sense in corpus.senses.values():
        record = corpus.records.get(ids.record_of(sense.id))
        if record is not None and not sense.refers_to:
            said = f"{sense.id} does not say what it refers to"
            yield (record.path, sense.line, sense.column), said


def says(corpus: Corpus, work: str) -> list[str]:
    """Return what a work or note states: its claims, its readings' claims, its accounts."""
    stating, source = [work], work
    if corpus.kind(work) == "NOTE":
        source = next((e.object for e in corpus.out(work) if e.relation == "reads"), work)
    else:
        stating += [e.subject for e in corpus.into(work) if e.relation == "reads"]
    claims = [each for name in stating for each in corpus.parts(name)]
    accounts = [e.subject for e in corpus.into(source) if e.relation == "source"]
    return [*claims, *(each for each in accounts if corpus.kind(each) == "THEORY")]


def _accounts(corpus: Corpus) -> Iterator[Edge]:
    for edge in corpus.edges:
        if edge.relation == "alternative-account" and edge.status != "withdrawn":
            kinds = {corpus.kind(edge.subject), corpus.kind(edge.object)}
            if kinds <= {"THEORY", "claim"} and edge.subject != edge.object:
                yield edge


def _homonyms(corpus: Corpus) -> Iterator[Edge]:
    for edge in corpus.edges:
        if edge.relation == "homonym" and edge.status != "withdrawn":
            both = edge.subject in corpus.senses and edge.object in corpus.senses
            if both and edge.subject != edge.object:
                yield edge


def _explained(corpus: Corpus, account: str) -> set[str]:
    """Return what an account or its claims say they explain or are about."""
    ends = (account, *corpus.parts(account))
    return {
        edge.object
        for end in ends
        for edge in corpus.out(end)
        if edge.relation in {"explains", "about"} and edge.status != "withdrawn"
    }


def _mechanism(corpus: Corpus, account: str) -> str:
    record = corpus.records.get(account)
    return _folded(record.mechanism) if isinstance(record, Theory) else ""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names, key=ids.order)) or "nothing"


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= SHOWN else plain[: SHOWN - 1].rstrip() + "…"
