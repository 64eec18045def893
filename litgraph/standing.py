"""Where an account or claim stands: what speaks against it, and whether anybody answered.

Two things that must not be mixed: a rejection is what a work says, a verdict is what this
record measured. A standing names both, in words, with the edges that made it so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from anthology import ids

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anthology.edge import Edge
    from anthology.verify import Verdict
    from litgraph.graph import Graph

AGAINST = frozenset({"rejects", "contradicts", "corrects", "rivals", "contested-by"})
RESTS = frozenset({"refines", "extends", "supports"})


class Standing(NamedTuple):
    """A standing in plain words.

    Attributes:
        word: `uncontested`; `contested, unanswered`; `contested, answered`; `refuted by
            run`; `superseded`.
        edges: The edges that made it so.
        claims: The refuted claims that made it so.
        look_again: Refuted claims that this one refines or rests on.

    """

    word: str
    edges: tuple[Edge, ...] = ()
    claims: tuple[str, ...] = ()
    look_again: tuple[str, ...] = ()


def of(corpus: Graph, name: str, verdicts: Mapping[str, Verdict] | None = None) -> Standing:
    """Return the standing of an account, a claim, or any other record."""
    refuted = {each for each, verdict in (verdicts or {}).items() if verdict.word == "refuted"}
    shaken = _look_again(corpus, name, refuted)
    over = [e for e in corpus.into(name) if e.relation == "supersedes" and e.asserted]
    record = corpus.records.get(name)
    if over or (record is not None and record.status.split(" ")[0].lower() == "superseded"):
        return Standing("superseded", tuple(over), (), shaken)
    own = tuple(each for each in (name, *corpus.parts(name)) if each in refuted)
    if own:
        return Standing("refuted by run", (), own, shaken)
    against = _against(corpus, name)
    if not against:
        return Standing("uncontested", (), (), shaken)
    answers = [edge for each in against for edge in _answers(corpus, name, each)]
    answered = {ids.record_of(each.object) for each in answers}
    open_ = [each for each in against if ids.record_of(_other(each, name)) not in answered]
    word = "contested, unanswered" if open_ else "contested, answered"
    return Standing(word, (*against, *answers), (), shaken)


def _against(corpus: Graph, name: str) -> list[Edge]:
    """Return the edges by which somebody holds that `name` is not so, or not all of it."""
    found = []
    for edge in (*corpus.into(name), *corpus.out(name)):
        if edge.relation not in AGAINST or not edge.asserted:
            continue
        if edge.relation in {"rejects", "corrects"} and edge.object != name:
            continue
        if edge.relation == "contested-by" and edge.subject != name:
            continue
        found.append(edge)
    return found


def _answers(corpus: Graph, name: str, against: Edge) -> list[Edge]:
    """Return the edges by which `name`, or what it draws on, speaks to its critic."""
    critic = ids.record_of(_other(against, name))
    mine = {name, *corpus.parts(name), ids.record_of(name)}
    mine |= {e.object for e in corpus.out(ids.record_of(name)) if e.relation in {"source", "reads"}}
    answers = []
    for each in mine:
        for edge in corpus.out(each):
            against_critic = ids.record_of(edge.object) == critic
            if edge.relation in {"rejects", "corrects", "qualifies"} and against_critic:
                answers.append(edge)
    return answers


def _look_again(corpus: Graph, name: str, refuted: set[str]) -> tuple[str, ...]:
    """Return the refuted claims that something refines, extends, or is supported by."""
    if not refuted:
        return ()
    below = [e.object for e in corpus.out(name) if e.relation in {"refines", "extends"}]
    below += [e.subject for e in corpus.into(name) if e.relation == "supports"]
    return tuple(each for each in dict.fromkeys(below) if each in refuted and each != name)


def _other(edge: Edge, name: str) -> str:
    return edge.object if edge.subject == name else edge.subject
