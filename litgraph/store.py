"""The record in pyoxigraph, which answers SPARQL.

    found = store(corpus)                      # pyoxigraph.Store
    answer = query(found, "SELECT …", base)    # over the union of its graphs
    rows(answer, base)                         # with the names that people use

A query reads what is loaded, and nothing else: no other server, no file.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, TypeGuard

import pyoxigraph as ox

from anthology.errors import QueryError, nearest
from litgraph import iris, lexical, syntax

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from anthology.corpus import Corpus
    from anthology.judge import Verdict

BATCH = 50_000  # quads given to the store at once: some ten megabytes of text
LONGEST = 1 << 16  # characters of a query: a parser recurses once for each, and no more fit a stack
MOST = 500_000  # rows of an answer: all are held in memory until they are printed

Answer = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples


def store(
    corpus: Corpus,
    verdicts: Mapping[str, Verdict] | None = None,
    *,
    predicates: frozenset[str] | None = None,
) -> ox.Store:
    """Load the whole record into an in-memory store.

    `predicates` loads the union, and only what a query can ask of that names no other
    predicate: the answer is the same, found sooner.
    """
    from litgraph import rdf, results

    made = ox.Store()
    if predicates is not None and verdicts is None and not predicates & results.PREDICATES:
        verdicts = {}  # nobody asks, so no run file need be read
    found = rdf.quads(corpus, verdicts)
    if predicates is not None:
        found = (quad for quad in found if quad.predicate in predicates)
    write, kind = (
        (syntax.nquad, ox.RdfFormat.N_QUADS)
        if predicates is None
        else (syntax.ntriple, ox.RdfFormat.N_TRIPLES)
    )
    while batch := list(islice(found, BATCH)):
        made.load("".join(map(write, batch)).encode(), kind, lenient=True)
    return made


# ---------------------------------------------------------------- asking


def query(found: ox.Store, text: str, base: str) -> Answer:
    """Answer a query over the union of all graphs. Nothing outside the store is reached.

    Raises:
        QueryError: The text is no query, or asks for what may not be done here.

    """
    check(text)
    try:
        return found.query(
            _readable(text), prefixes=iris.prefixes(base), use_default_graph_as_union=True
        )
    except SyntaxError as error:
        raise QueryError(_explain(text, str(error), iris.prefixes(base))) from None
    except OSError as error:
        raise QueryError(f"the query cannot be answered: {error}") from None


def is_graph(answer: Answer) -> TypeGuard[ox.QueryTriples]:
    """Whether an answer is a graph: that of CONSTRUCT and DESCRIBE."""
    return isinstance(answer, ox.QueryTriples)


def columns(answer: Answer) -> tuple[str, ...]:
    """Return the names of the fields that the rows of an answer have."""
    if isinstance(answer, ox.QueryBoolean):
        return ("answer",)
    if isinstance(answer, ox.QuerySolutions):
        return tuple(each.value for each in answer.variables)
    return ("subject", "predicate", "object")


def rows(answer: Answer, base: str = "") -> Iterator[dict[str, object]]:
    """Yield each solution, or of a graph each triple.

    With `base`, a node is what people call it, such as NOTE-274#C1; without, its IRI.

    Raises:
        QueryError: There are too many.

    """
    names = columns(answer)
    if isinstance(answer, ox.QueryBoolean):
        yield {"answer": bool(answer)}
        return
    for number, solution in enumerate(answer):
        if number == MOST:
            raise QueryError(
                f"more than {MOST:,} rows; narrow the query, or end it in LIMIT {MOST}"
            )
        yield {name: _value(term, base) for name, term in zip(names, solution, strict=True)}


def _value(term: object, base: str) -> object:
    if isinstance(term, ox.NamedNode):
        return iris.name(base, term.value) if base else term.value
    if isinstance(term, ox.Literal):
        return lexical.value(term.value, term.datatype.value)
    return None if term is None else str(term)


# Strings, IRIs, remarks, variables and prefixed names: whatever is left are keywords.
_TOKENS = re.compile(
    r"""'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\""""
    r"""|<[^<>"{}|^`\\\s]*>|\#[^\n]*|[?$]\w+|(?P<name>[\w.-]*:(?:[\w.:%-]|\\.)*)""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_KEYWORD = re.compile(r"[A-Za-z]+")
_VERBS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_UPDATES = frozenset(
    ["INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"]
)


def check(text: str) -> None:
    """Stop what would reach out, or change something, before an engine sees it.

    Raises:
        QueryError: It would.

    """
    if len(text) > LONGEST:
        raise QueryError(f"the query is longer than {LONGEST:,} characters; ask for less at once")
    # SPARQL lets any character be written as an escape, a keyword's letters too.
    plain = _ESCAPED.sub(lambda found: _character(found[1] or found[2]), text)
    bare = _TOKENS.sub(" ", plain).upper()
    verb = next((each for each in _KEYWORD.findall(bare) if each not in {"PREFIX", "BASE"}), "")
    if not verb:
        raise QueryError("the query is empty; write one such as SELECT ?s WHERE { ?s a ant:Claim }")
    if verb in _UPDATES:
        raise QueryError(
            f"{verb} would change the graph, and the graph is derived from the records: "
            "edit those, and ask with SELECT, ASK, CONSTRUCT or DESCRIBE"
        )
    if verb not in _VERBS:
        near = nearest(verb, _VERBS, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise QueryError(
            f"a query starts with {', '.join(_VERBS[:-1])} or {_VERBS[-1]}, not {verb}{hint}"
        )
    # Not as whole words: `1SERVICE` is two tokens to a parser.
    if "SERVICE" in bare:
        raise QueryError("SERVICE asks another server, and a query here reaches nothing outside")
    if "FROM" in bare:
        raise QueryError("FROM chooses other graphs; name one of this record by GRAPH <…> { … }")


def _character(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number < 0x110000 else " "


def _readable(text: str) -> str:
    """Escape the dots of names such as `rel:NOTE-266.C5.rejects.THEORY-066`.

    SPARQL allows them as they are, and pyoxigraph reads no more than one.
    """

    def escaped(found: re.Match[str]) -> str:
        name = found["name"] or ""
        end = len(name.rstrip("."))
        if name.count(".", 0, end) < 2:
            return found[0]
        return re.sub(r"(?<!\\)\.", r"\\.", name[:end]) + name[end:]

    return _TOKENS.sub(escaped, text)


def _explain(text: str, error: str, known: Mapping[str, str]) -> str:
    """Say in one line what a parser could not read, and where."""
    match = re.search(r"at (\d+):(\d+)", error)
    if match is None:
        return f"the query cannot be read: {' '.join(error.split())[:200]}"
    line, column = int(match[1]), int(match[2])
    lines = text.splitlines() or [""]
    rest = lines[line - 1][column - 1 :].strip() if line <= len(lines) else ""
    near = f"near `{rest[:40]}`" if rest else "at its end"
    message = f"the query cannot be read at line {line}, column {column}, {near}"
    if "Prefix not found" in error:
        before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
        names = re.findall(r"([A-Za-z][\w.-]*):", before)
        close = nearest(names[-1], known, 1) if names else []
        hint = f"did you mean {close[0]}:?" if close else "declare it with PREFIX"
        return f"{message}: no prefix {(names or [''])[-1]}: is known; {hint}"
    return message
