"""`anthology sparql`: any query over the whole graph."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from anthology.errors import QueryError
from litgraph.cli._options import Cache, Format, Root, load, settings

LARGEST = 1 << 20  # characters: no person writes a longer query


def sparql(
    query: Annotated[
        str, typer.Argument(help="SPARQL 1.1, the path of a file that holds it, or - for stdin.")
    ],
    format: Format = "",
    iris: Annotated[
        bool, typer.Option("--iris", help="Print whole IRIs, not ids such as NOTE-274#C1.")
    ] = False,
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
    nothing outside the record.
    """  # noqa: D301 - click reads \b as: do not wrap
    from anthology.errors import UnknownNameError
    from litgraph import formats, store, syntax, triples
    from litgraph.iris import prefixes

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
    answer = store.query(found, text, base)
    if store.is_graph(answer):
        if format in {"", *syntax.FORMATS}:
            made = syntax.serialize_triples(answer, format or "turtle", prefixes(base))
            sys.stdout.flush()
            sys.stdout.buffer.write(made)
            return
    elif format in syntax.FORMATS:
        raise QueryError(f"{format} writes a graph; ask for one with CONSTRUCT or DESCRIBE")
    columns = store.columns(answer)
    rows = list(store.rows(answer, "" if iris else base))
    if columns == ("answer",) and format in {"", "table"}:
        typer.echo("yes" if rows[0]["answer"] else "no")
        return
    sheet = formats.Sheet(
        "anthology.sparql/1", rows, columns, titles={each: each for each in columns}
    )
    formats.write(format or "table", sheet, sys.stdout)


def _read(query: str) -> str:
    """Return the text of a query, from wherever it is.

    Raises:
        QueryError: There is no such file, or it is no text.

    """
    if query == "-":
        return _text("stdin", sys.stdin.buffer.read(LARGEST + 1))
    path = Path(query)
    try:
        if "\n" not in query and path.is_file():
            with path.open("rb") as file:
                return _text(query, file.read(LARGEST + 1))
    except (OSError, ValueError) as error:
        if "{" not in query:
            raise QueryError(f"{query} cannot be read: {error}") from None
    if query.endswith((".rq", ".sparql")) and "{" not in query:
        raise QueryError(f"no file at {query}")
    return query


def _text(name: str, data: bytes) -> str:
    if len(data) > LARGEST:
        raise QueryError(f"{name} is longer than {LARGEST:,} bytes; that is no query")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QueryError(f"{name} is no text in UTF-8, so it is no query") from None
