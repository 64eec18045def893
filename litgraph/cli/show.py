"""`anthology show`: one record, claim or sense, and how it stands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from litgraph.cli._options import Cache, Format, Root, graph

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from anthology.records import Claim, Record
    from anthology.verify import Verdict
    from litgraph.graph import Graph
    from litgraph.standing import Standing


def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="An id.", show_default=False)],
    format: Format = "table",
    root: Root = None,
    no_cache: Cache = False,
) -> None:
    """Show a record, claim or sense: its standing first, then what it says and measured."""
    from anthology import verify
    from anthology.errors import UnknownNameError
    from litgraph import edges, formats, rollup, standing

    if format not in formats.names():
        raise UnknownNameError("format", format, formats.names())
    corpus = graph(root, cache=not no_cache)
    found = corpus.resolve(name)
    verdicts = verify.verdicts(corpus)
    stands = standing.of(corpus, found, verdicts)
    if format == "table":
        for text in _page(corpus, found, stands, verdicts):
            typer.echo(text)
        return
    file, line, column = corpus.place(found)
    row: dict[str, object] = {
        "id": found,
        "kind": corpus.kind(found),
        "label": corpus.label(found),
        "standing": stands.word,
        "standing_edges": [edges.row(corpus, each) for each in stands.edges],
        "look_again": list(stands.look_again),
        "fields": dict(_fields(corpus, found)),
        "claims": [
            _claim_row(corpus.claims[each], verdicts)
            for each in (found, *corpus.parts(found))
            if each in corpus.claims
        ],
        "edges": [edges.row(corpus, edge, via) for edge, via in rollup.edges(corpus, found)],
        "file": file,
        "line": line,
        "column": column,
    }
    sheet = formats.Sheet("anthology.show/1", [row], ("id", "standing", "label"))
    formats.write(format, sheet, sys.stdout)


def _claim_row(claim: Claim, verdicts: Mapping[str, Verdict]) -> dict[str, object]:
    verdict = verdicts.get(claim.id)
    return {
        "id": claim.id,
        "claim": claim.text,
        "form": claim.form or None,
        "strength": claim.strength or None,
        "support": claim.support or None,
        "locator": claim.locator or None,
        "verdict": verdict.word if verdict else None,
        "cause": (verdict.cause or None) if verdict else None,
        "passed": verdict.passed if verdict else None,
        "seeds": verdict.seeds if verdict else None,
        "line": claim.line,
    }


def _page(
    corpus: Graph, name: str, stands: Standing, verdicts: Mapping[str, Verdict]
) -> Iterator[str]:
    """Yield the lines that a person reads."""
    import shutil

    width = shutil.get_terminal_size((80, 24)).columns
    yield from _wrap(f"{name}  {_first(corpus, name, stands)}", width, "    ")
    yield from _wrap(corpus.label(name), width)
    if stands.look_again:
        yield f"look again: {', '.join(stands.look_again)} was refuted by a run"
    yield ""
    for label, value in _fields(corpus, name):
        head = f"{label + ':':<14}"
        yield from _wrap(head + value, width, " " * len(head))
    if name in corpus.claims and name in verdicts:
        yield from _measured(corpus, name, verdicts[name])
    claims = [corpus.claims[each] for each in corpus.parts(name) if each in corpus.claims]
    if claims:
        yield ""
        yield "Claims"
        for claim in claims:
            yield from _claim_lines(corpus, claim, verdicts, width)
    for each in corpus.parts(name):
        if each in corpus.senses:
            yield from _sense_lines(corpus, each, width)
    yield from _relation_lines(corpus, name, width)


def _first(corpus: Graph, name: str, stands: Standing) -> str:
    """Return the words that come first: what a term names, how a work was read, how it stands."""
    said = f"{stands.word}{_because(name, stands)}"
    kind = corpus.kind(name)
    if kind == "TERM":
        count = sum(each in corpus.senses for each in corpus.parts(name))
        what = f"names {count} things" if count > 1 else "names one thing"
        return what if stands.word == "uncontested" else f"{what}; {said}"
    if kind == "sense":
        return "a sense of " + (corpus.label(name.partition("#")[0]) or "its term")
    if kind == "NOTE" and stands.word == "uncontested":
        status = corpus.records[name].status
        work = ", ".join(e.object for e in corpus.out(name) if e.relation == "reads")
        return f"a reading of {work}, {status.lower() or 'status unknown'}" if work else "a reading"
    return said


def _measured(corpus: Graph, name: str, verdict: Verdict) -> Iterator[str]:
    """Yield the criterion in words, the numbers and the verdict, and where the plot is made."""
    from litgraph.cli import _claims

    if not corpus.claims[name].tests:
        yield f"{'verdict:':<14}{verdict}"
        return
    yield ""
    yield from _claims.describe(corpus, name, verdict, full=True, head=False)
    yield f"  plot: anthology runs '{name}' --plot plot.svg"


def _because(name: str, stands: Standing) -> str:
    """Return the edges, or the claims, that made a standing what it is."""
    from anthology import relations

    parts = []
    for edge in stands.edges:
        kind = relations.BY_NAME[edge.relation]
        forward = edge.subject == name
        words = (kind.name if forward else kind.inverse).replace("-", " ")
        if edge.subject != name and edge.object != name:
            words, forward = f"answered by {edge.subject}: {kind.name}", True
        parts.append(f"{words} {edge.object if forward else edge.subject}")
    parts += [f"{each} was refuted" for each in stands.claims]
    return f" ({'; '.join(parts)})" if parts else ""


def _fields(corpus: Graph, name: str) -> Iterator[tuple[str, str]]:
    """Yield what the record says in fields of its own, in the order of its model."""
    if name in corpus.claims:
        claim = corpus.claims[name]
        for field in ("strength", "support", "form", "locator", "untested"):
            if value := getattr(claim, field):
                yield field, value
    elif name in corpus.senses:
        sense = corpus.senses[name]
        for field in ("locus", "axis", "prevented_by"):
            if value := getattr(sense, field):
                yield field.replace("_", " "), value
    elif name in corpus.records:
        yield from _record_fields(corpus.records[name])
    path, line, _ = corpus.place(name)
    if path:
        yield "file", f"{path}:{line}"


def _record_fields(record: Record) -> Iterator[tuple[str, str]]:
    hidden = {"id", "path", "number", "title", "heading", "extra", "shell", "claims", "concepts"}
    hidden |= {"relations", "senses"}
    for field in type(record).model_fields:
        value = getattr(record, field)
        if field in hidden or not value:
            continue
        text = ", ".join(value) if isinstance(value, tuple) else str(value)
        yield field.replace("_", " "), " ".join(text.split())


def _claim_lines(
    corpus: Graph, claim: Claim, verdicts: Mapping[str, Verdict], width: int
) -> Iterator[str]:
    from litgraph import standing

    part = claim.id.partition("#")[2] or claim.id
    yield from _wrap(f"  {part:<4} {claim.text}", width, " " * 7)
    stands = standing.of(corpus, claim.id, verdicts)
    said = [claim.strength] if claim.strength.strip("—–- ") else []
    if claim.id in verdicts:
        said.append(str(verdicts[claim.id]))
    if stands.word not in {"uncontested", "refuted by run"}:
        said.append(stands.word)
    if stands.look_again:
        said.append(f"look again: {', '.join(stands.look_again)} was refuted")
    yield from _wrap(f"{' ' * 7}→ {'; '.join(said)}", width, " " * 9)


def _sense_lines(corpus: Graph, name: str, width: int) -> Iterator[str]:
    sense = corpus.senses[name]
    yield ""
    yield from _wrap(f"{name}  {sense.refers_to}", width, "    ")
    what = [f"locus {sense.locus}"] if sense.locus else []
    what += [f"along {sense.axis}"] if sense.axis else []
    if sense.prevented_by:
        label = corpus.label(sense.prevented_by)
        what.append(f"prevented by {sense.prevented_by}{f' ({label})' if label else ''}")
    if what:
        yield from _wrap("    " + "; ".join(what), width, "    ")
    used = [each for each in corpus.into(name) if each.relation == "uses"]
    for word, users in (
        ("used by", [e.subject for e in used if e.asserted]),
        ("proposed", [e.subject for e in used if e.status == "proposed"]),
    ):
        if users:
            yield from _wrap(f"    {word} {', '.join(users)}", width, "      ")


def _relation_lines(corpus: Graph, name: str, width: int) -> Iterator[str]:
    """Yield the edges, one relation a line, without the mere use of words."""
    from anthology import relations
    from litgraph import rollup

    lines: dict[str, list[str]] = {}
    for edge, via in rollup.edges(corpus, name):
        here = via if via in (edge.subject, edge.object) else name
        kind = relations.BY_NAME[edge.relation]
        forward = edge.subject == here
        if edge.relation == "uses" and not forward:
            continue  # a sense's users stand with the sense
        other = edge.object if forward else edge.subject
        text = other if edge.status == "active" else f"{other} ({edge.status})"
        text += f" via {via}" if via else ""
        lines.setdefault(kind.name if forward else kind.inverse, []).append(text)
    if lines:
        yield ""
        yield "Relations"
    pad = max(map(len, lines), default=0) + 2
    order = {each.name: n for n, each in enumerate(relations.RELATIONS)}
    order |= {each.inverse: order[each.name] for each in relations.RELATIONS}
    for relation in sorted(lines, key=lambda each: order[each]):
        yield from _wrap(f"  {relation:<{pad}}{', '.join(lines[relation])}", width, " " * (pad + 2))


def _wrap(text: str, width: int, indent: str = "") -> list[str]:
    import textwrap

    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
