"""`anthology sparql`: any query over the whole graph."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anthology.errors import QueryError
from litgraph.cli._options import Cache, Root, load, settings

if TYPE_CHECKING:
    from pyoxigraph import Store

    from litgraph.formats import Sheet

LIMIT = 1 << 20  # bytes of a file that are looked at


def sparql(
    query: Annotated[
        str, typer.Argument(help="SPARQL 1.1, the path of a file that holds it, or - for stdin.")
    ],
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="table or json; of a graph turtle, trig, nquads or jsonld too.",
        ),
    ] = "",
    iris: Annotated[
        bool, typer.Option("--iris", help="Print whole IRIs, not ids such as NOTE-274#C1.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="When to give up; 0 is never.")
    ] = 60,
    no_cache: Cache = False,
    root: Root = None,
) -> None:
    """Answer a SPARQL query over the union of what all files say.

    \b
      anthology sparql 'SELECT ?s ?o WHERE { ?s ant:refines+ ?o }'
      anthology sparql 'DESCRIBE r:LIT-530'
      anthology sparql question.rq
      anthology ask --explain homonyms | anthology sparql -

    SELECT and ASK print a table or json; CONSTRUCT and DESCRIBE print Turtle. The prefixes
    ant:, r: (records), rel: (statements), rdf:, rdfs:, dcterms:, skos: and others are known;
    `export --vocabulary` prints what ant: holds. A query changes nothing and reaches
    nothing outside the record; it may hold 65,536 characters, and have 500,000 rows.
    """  # noqa: D301 - click reads \b as: do not wrap
    from anthology.errors import UnknownNameError
    from litgraph import formats, limit, store, syntax, triples

    known = (*formats.names(), *syntax.FORMATS)
    if format and format not in known:
        raise UnknownNameError("format", format, known)
    text = _read(query)
    store.check(text)
    base = settings(root).base
    # On disk lies the union; a query that names graphs is answered from all of them.
    found = None if "graph" in text.lower() else triples.find(settings(root), cache=not no_cache)
    if found is None:
        found = store.store(load(root, cache=not no_cache))
    answer = limit.within(timeout, lambda: _answer(found, text, base, format, iris=iris))
    if isinstance(answer, bytes):
        sys.stdout.flush()
        sys.stdout.buffer.write(answer)
    elif answer.columns == ("answer",) and format in {"", "table"}:
        typer.echo("yes" if answer.rows[0]["answer"] else "no")
    else:
        formats.write(format or "table", answer, sys.stdout)


def _answer(found: Store, text: str, base: str, format: str, *, iris: bool) -> Sheet | bytes:
    """Return the rows of an answer, or the text of one that is a graph.

    Raises:
        QueryError: It is no graph, and a graph's format was asked for.

    """
    from litgraph import formats, store, syntax
    from litgraph.iris import prefixes

    answer = store.query(found, text, base)
    if store.is_graph(answer):
        if format in {"", *syntax.FORMATS}:
            return syntax.serialize_triples(answer, format or "turtle", prefixes(base))
    elif format in syntax.FORMATS:
        raise QueryError(f"{format} writes a graph; ask for one with CONSTRUCT or DESCRIBE")
    columns = store.columns(answer)
    rows = list(store.rows(answer, "" if iris else base))
    return formats.Sheet(
        "anthology.sparql/1", rows, columns, titles={each: each for each in columns}
    )


def _read(query: str) -> str:
    """Return the text of a query, from wherever it is.

    Raises:
        QueryError: There is no such file, or it is no text.

    """
    if query == "-":
        return _text("stdin", sys.stdin.buffer.read(LIMIT + 1))
    path = Path(query)
    try:
        if "\n" not in query and path.is_file():
            with path.open("rb") as file:
                return _text(query, file.read(LIMIT + 1))
    except (OSError, ValueError) as error:
        if "{" not in query:
            raise QueryError(f"{query} cannot be read: {error}") from None
    if query.endswith((".rq", ".sparql")) and "{" not in query:
        raise QueryError(f"no file at {query}")
    return query


def _text(name: str, data: bytes) -> str:
    if len(data) > LIMIT:
        raise QueryError(f"{name} is longer than {LIMIT:,} bytes; that is no query")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QueryError(f"{name} is no text in UTF-8, so it is no query") from None
