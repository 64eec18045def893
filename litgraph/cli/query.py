"""`anthology query`: which edges there are."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from litgraph.cli._options import Cache, Format, Root, graph

if TYPE_CHECKING:
    from anthology.edge import Edge
    from litgraph.graph import Graph


def query(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID] [RELATION] [ID]",
            help="Ids and a relation, told apart by what they are; _ stands for anything.",
            show_default=False,
        ),
    ] = None,
    depth: Annotated[int, typer.Option(min=1, max=20, help="How many steps to walk.")] = 1,
    status: Annotated[
        str, typer.Option(metavar="STATUS", help="Only active, proposed, withdrawn, target-absent.")
    ] = "",
    no_rollup: Annotated[
        bool, typer.Option("--no-rollup", help="Only the record's own edges, not what it states.")
    ] = False,
    format: Format = "table",
    root: Root = None,
    no_cache: Cache = False,
) -> None:
    r"""List typed edges: of a record, of a relation, between two things, or all.

    \b
      anthology query LIT-530             in and out, and those of what it states
      anthology query rejects             every rejection
      anthology query LIT-521 rejects     what it rejects
      anthology query rejects THEORY-066  who rejects that account
      anthology query                     all

    Choosing a relation: the target stays right and gets sharper, refines; stays right,
    new ground, extends; right only under conditions, qualifies; wrong in a stated part,
    corrects; no longer to be used, supersedes; the writer says it does not hold, rejects;
    the two cannot both hold, contradicts; both may hold and explain one thing
    differently, alternative-account.
    """
    from anthology.errors import UnknownNameError
    from litgraph import edges, formats

    if status and status not in STATUSES:
        raise UnknownNameError("status", status, STATUSES)
    if format not in formats.names():
        raise UnknownNameError("format", format, formats.names())
    corpus = graph(root, cache=not no_cache)
    subject, relation, object_ = _parse(corpus, words or [])
    asked = subject or object_
    found: list[tuple[Edge, str]]
    if asked and not (subject and object_):
        found = _around(corpus, asked, relation, depth, rolled=not no_rollup)
        # `rejects THEORY-066` asks who rejects it, `LIT-521 rejects` what it rejects.
        if relation:
            found = [each for each in found if _faces(corpus, each, asked, bool(subject))]
    else:
        found = [(each, "") for each in edges.select(corpus, subject, relation, object_)]
    if status:
        found = [(edge, via) for edge, via in found if edge.status == status]
    rows = [edges.row(corpus, edge, via) for edge, via in found]
    if asked and not (subject and object_) and format == "table":
        _narrate(corpus, asked, found)
        return
    shown = (
        rows
        if format != "table"
        else [row | {"note": _note(edge)} for row, (edge, _) in zip(rows, found, strict=True)]
    )
    columns = ("subject", "relation", "object")
    sheet = formats.Sheet(edges.SCHEMA, shown, columns, note="note", empty="no such edge")
    formats.write(format, sheet, sys.stdout)


STATUSES = ("active", "proposed", "withdrawn", "target-absent")


def _parse(corpus: Graph, words: list[str]) -> tuple[str, str, str]:
    """Tell ids from a relation; return subject, relation and object in the table's direction.

    Raises:
        UnknownNameError: A word is neither an id nor a relation.
        AnthologyError: There are too many words, or two relations.

    """
    from anthology import relations
    from anthology.errors import AnthologyError, UnknownNameError, nearest

    before: list[str] = []
    after: list[str] = []
    direction: relations.Direction | None = None
    for word in words:
        if word == "_":
            (after if direction else before).append("")
        elif (found := relations.find(word)) is not None and corpus.find(word) is None:
            if direction is not None:
                raise AnthologyError(
                    f"two relations, {direction.type.name} and {word}; ask for one"
                )
            direction = found
        elif (name := corpus.find(word) or corpus.find(word.upper())) is not None:
            (after if direction else before).append(name)
        else:
            known = (*corpus.records, *corpus.claims, *corpus.senses, *relations.DIRECTIONS)
            what = "record, claim, sense or relation"
            if not nearest(word, known) and word.islower():
                names = ", ".join(each.name for each in relations.RELATIONS)
                raise AnthologyError(f"no {what} named {word!r}; the relations are {names}")
            raise UnknownNameError(what, word, known)
    if len(before) + len(after) > 2 or (len(before) > 1 and direction is not None and after):
        raise AnthologyError("too many words; write [ID] [RELATION] [ID]")
    if direction is None:
        first, second = [*before, "", ""][:2]
        return first, "", second
    if len(before) > 1:  # `query A B rejects`
        raise AnthologyError("write the relation between the two ids, as in `A rejects B`")
    start, end = (before or [""])[0], (after or [""])[0]
    return (
        (start, direction.type.name, end)
        if direction.forward
        else (end, direction.type.name, start)
    )


def _around(
    corpus: Graph, asked: str, relation: str, depth: int, *, rolled: bool
) -> list[tuple[Edge, str]]:
    """Walk `depth` steps from `asked`; further steps are the direct edges of what was met."""
    from litgraph import rollup

    found = rollup.edges(corpus, asked, rolled=rolled)
    if relation:
        found = [each for each in found if each[0].relation == relation]
    seen = {(e.subject, e.relation, e.object) for e, _ in found}
    met = {asked}
    reached = {end: end for e, _ in found for end in (e.subject, e.object)}
    for _ in range(depth - 1):
        following: dict[str, str] = {}
        for name in [each for each in reached if each not in met]:
            met.add(name)
            for edge, _via in rollup.edges(corpus, name, rolled=False):
                key = (edge.subject, edge.relation, edge.object)
                if key in seen or (relation and edge.relation != relation):
                    continue
                seen.add(key)
                found.append((edge, name))
                following |= dict.fromkeys((edge.subject, edge.object), name)
        reached = following
    return found


def _faces(corpus: Graph, found: tuple[Edge, str], asked: str, as_subject: bool) -> bool:
    """Whether an edge starts (or ends) at what was asked, or at what that states."""
    from anthology import relations

    edge, via = found
    if relations.BY_NAME[edge.relation].symmetric:
        return True
    end = edge.subject if as_subject else edge.object
    return end in (asked, via) or (edge.subject != asked and edge.object != asked and not via)


def _narrate(corpus: Graph, asked: str, found: list[tuple[Edge, str]]) -> None:
    """Print the edges as they read from what was asked."""
    from anthology import ids, relations
    from litgraph import formats, rollup

    rows = []
    for edge, via in found:
        kind = relations.BY_NAME[edge.relation]
        here = via if via in (edge.subject, edge.object) else asked
        forward = edge.subject == here
        other = edge.object if forward else edge.subject
        works = rollup.works(corpus, other)
        rows.append(
            {
                "relation": kind.name if forward else kind.inverse,
                "other": other,
                "of": [each for each in works if each not in (asked, ids.record_of(other))],
                "via": via,
                "note": _note(edge),
            }
        )
    order = {each.name: n for n, each in enumerate(relations.RELATIONS)}
    order |= {each.inverse: order[each.name] for each in relations.RELATIONS}
    rows.sort(key=lambda each: (order[str(each["relation"])], bool(each["via"])))
    title = corpus.label(asked)
    typer.echo(f"{asked}  {title}" if title else asked)
    sheet = formats.Sheet(
        "", rows, ("relation", "other", "of", "via"), note="note",
        empty="no edge starts or ends here",
    )  # fmt: skip
    formats.write("table", sheet, sys.stdout)


def _note(edge: Edge) -> str:
    """Return what the edge says of itself, for people."""
    note = [edge.status] if edge.status != "active" else []
    note += [f"on {edge.aspect}"] if edge.aspect else []
    note += [edge.because or edge.says] if edge.because or edge.says else []
    return "; ".join(note)
