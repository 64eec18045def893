"""RDF written down: Turtle, TriG, N-Quads and JSON-LD, the same bytes for the same record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from anthology.errors import AnthologyError, UnknownNameError
from litgraph.lexical import STRING
from litgraph.quads import TYPE, Quad

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import PurePath


class Format(NamedTuple):
    """A way to write a graph down.

    Attributes:
        suffix: Of files that hold it.
        syntax: As pyoxigraph knows it.
        graphs: Whether it tells which file says what; else the union is written.

    """

    suffix: str
    syntax: ox.RdfFormat
    graphs: bool


FORMATS: Mapping[str, Format] = {
    "turtle": Format(".ttl", ox.RdfFormat.TURTLE, graphs=False),
    "trig": Format(".trig", ox.RdfFormat.TRIG, graphs=True),
    "nquads": Format(".nq", ox.RdfFormat.N_QUADS, graphs=True),
    "jsonld": Format(".jsonld", ox.RdfFormat.JSON_LD, graphs=True),
}


def choose(name: str, output: PurePath | None) -> str:
    """Return the format that was named, else the one that a file's suffix means, else Turtle.

    Raises:
        UnknownNameError: There is no format of that name.
        AnthologyError: No format has that suffix.

    """
    if name:
        if name not in FORMATS:
            raise UnknownNameError("format", name, FORMATS)
        return name
    if output is None:
        return "turtle"
    for each, form in FORMATS.items():
        if output.suffix.lower() == form.suffix:
            return each
    known = ", ".join(f"{form.suffix} ({each})" for each, form in FORMATS.items())
    raise AnthologyError(f"no format is written to {output.name}; name one, or end it in {known}")


def serialize(quads: Iterable[Quad], name: str, prefixes: Mapping[str, str]) -> bytes:
    """Write quads down, in an order that depends on nothing but the quads."""
    form = FORMATS[name]
    write: Callable[[Quad], str] = nquad if form.graphs else ntriple
    ordered = sorted(set(quads), key=_order if form.graphs else _order_in_union)
    return _write("".join(dict.fromkeys(map(write, ordered))), form, prefixes)


def serialize_triples(
    triples: Iterable[ox.Triple], name: str, prefixes: Mapping[str, str]
) -> bytes:
    """Write the triples of an answer down, sorted as `serialize` would."""
    quads = {
        Quad(
            _text(subject), _text(predicate), _text(end),
            end.datatype.value if isinstance(end, ox.Literal) else "", "",
        ): f"{subject} {predicate} {end} .\n"
        for subject, predicate, end in triples
    }  # fmt: skip
    lines = (quads[each] for each in sorted(quads, key=_order_in_union))
    return _write("".join(lines), FORMATS[name], prefixes)


def _text(term: object) -> str:
    return str(getattr(term, "value", term))


def _write(text: str, form: Format, prefixes: Mapping[str, str]) -> bytes:
    if form.syntax == ox.RdfFormat.N_QUADS:
        return text.encode()
    used = {name: start for name, start in prefixes.items() if f"<{start}" in text}
    read = ox.parse(text.encode(), ox.RdfFormat.N_QUADS)
    quads: Iterator[ox.Quad] | Iterator[ox.Triple] = (
        read if form.graphs else (each.triple for each in read)
    )
    made = ox.serialize(quads, format=form.syntax, prefixes=used)
    assert made is not None, "it is returned where no file is given"
    if form.syntax == ox.RdfFormat.JSON_LD:
        return _lines(made)
    heads = re.match(rb"(?:@prefix [^\n]*\n)*", made)
    assert heads is not None, "zero lines match too"
    return b"".join(sorted(heads[0].splitlines(keepends=True))) + made[heads.end() :]


def _lines(made: bytes) -> bytes:
    """Put each graph of a JSON-LD document on a line of its own, so that a diff can be read."""
    return made.replace(b'},{"@id":', b'},\n{"@id":').rstrip() + b"\n"


def _order(quad: Quad) -> tuple[str, ...]:
    return (quad.graph, *_order_in_union(quad))


def _order_in_union(quad: Quad) -> tuple[str, ...]:
    # A node's type comes first: that is what a reader looks for.
    first = "" if quad.predicate == TYPE else quad.predicate
    return (quad.subject, first, quad.object, quad.datatype)


# ---------------------------------------------------------------- lines

_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r"})


def _term(quad: Quad) -> str:
    if not quad.datatype:
        return f"<{quad.object}>"
    text = quad.object
    if '"' in text or "\\" in text or "\n" in text or "\r" in text:
        text = text.translate(_ESCAPES)  # slower by much, and hardly ever needed
    return f'"{text}"' if quad.datatype == STRING else f'"{text}"^^<{quad.datatype}>'


def nquad(quad: Quad) -> str:
    """Return one line of N-Quads."""
    return f"<{quad.subject}> <{quad.predicate}> {_term(quad)} <{quad.graph}> .\n"


def ntriple(quad: Quad) -> str:
    """Return one line of N-Triples: the same without its graph."""
    return f"<{quad.subject}> <{quad.predicate}> {_term(quad)} .\n"
