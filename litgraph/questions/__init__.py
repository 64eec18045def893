"""Named questions: one `.rq` file here is one question, SPARQL below a header.

    # title: Words that name two things
    # tells: What a reader learns; a line that is indented goes on.
    # columns: sense, refers_to, used_by      what a table shows; machine formats give all
    # group: word                             printed once, above its rows
    # note: because                           prose, printed below its row
    # fold: used_by                           rows that differ only here become one, with a list
    # sort: kind, term, -count                in this order; `-` for the greatest first
    # titles: used_by=who uses it             headings that differ from the column's name
    # layout: cards                           how it is printed for people; a table otherwise
    # empty: no word here has two senses      what is said where there is nothing
    # example: anthology ask homonyms

A record's own `questions/` folder adds to these, or replaces one by its name. Every
question names the predicates that it asks for, so that no more than those are loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from anthology import ids
from anthology.errors import QueryError, UnknownNameError
from litgraph import iris
from litgraph.formats import Sheet

if TYPE_CHECKING:
    from pyoxigraph import Store

    from anthology.corpus import Corpus

FOLDER = "questions"
SUFFIX = ".rq"
SECONDS = 600  # a question that takes longer is wrongly put

Row = dict[str, object]
Solve = Callable[[str], Iterable[Mapping[str, object]]]


class Question(NamedTuple):
    """A question and how its answer reads; the header's fields, in this module's docstring."""

    name: str
    text: str
    title: str
    tells: str
    columns: tuple[str, ...]
    group: str = ""
    note: str = ""
    fold: tuple[str, ...] = ()
    sort: tuple[str, ...] = ()
    titles: Mapping[str, str] = {}
    layout: str = "table"
    empty: str = "nothing found"
    example: str = ""
    own: bool = False


def questions(root: Path | None = None) -> dict[str, Question]:
    """Return every question by name: the package's, and those of the record at `root`.

    Raises:
        QueryError: A file has no header, or one that cannot be read.

    """
    return {name: read(path, own=own) for name, (path, own) in sorted(_files(root).items())}


def find(name: str, root: Path | None = None) -> Question:
    """Return a question by its name, `_` and `-` alike.

    Raises:
        UnknownNameError: There is no such question; the message names the near ones.
        QueryError: Its file has no header, or one that cannot be read.

    """
    known = _files(root)
    found = known.get(name) or known.get(name.replace("_", "-").lower())
    if found is None:
        raise UnknownNameError("question", name, known)
    return read(found[0], own=found[1])


def _files(root: Path | None) -> dict[str, tuple[Path, bool]]:
    """Return each question's file, and whether it is the record's own."""
    folders = [(Path(__file__).parent, False)] + ([(root / FOLDER, True)] if root else [])
    return {
        path.stem: (path, own)
        for folder, own in folders
        for path in sorted(folder.glob(f"*{SUFFIX}"))
    }


_FIELD = re.compile(r"#\s?(?P<key>[a-z]+):\s*(?P<value>.*)")
_LISTS = frozenset({"columns", "fold", "sort"})
_FIELDS = frozenset(Question._fields) - {"name", "text", "own"}


def read(path: Path, *, own: bool = False) -> Question:
    """Read one question; `own` says that it is the record's, not the package's.

    Raises:
        QueryError: It has no header, or one that cannot be read.

    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"{path.name} cannot be read: {error}") from None
    header: dict[str, str] = {}
    key = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("#"):
            break
        match = _FIELD.fullmatch(line)
        if match and match["key"] in _FIELDS:
            key = match["key"]
            header[key] = match["value"].strip()
        elif key and line.startswith("#  "):
            header[key] += " " + line[1:].strip()
        else:
            raise QueryError(
                f"{path.name}:{number}: {line!r} is no line of a header; "
                f"the fields are {', '.join(sorted(_FIELDS))}"
            )
    for need in ("title", "columns"):
        if not header.get(need):
            raise QueryError(f"{path.name}: the header has no `# {need}:`")
    fields: dict[str, object] = {"tells": "", **header}
    for each in _LISTS:
        fields[each] = tuple(
            part.strip() for part in header.get(each, "").split(",") if part.strip()
        )
    pairs = (part.partition("=") for part in header.get("titles", "").split(",") if part.strip())
    fields["titles"] = {name.strip(): title.strip() for name, _, title in pairs}
    return Question(name=path.stem, text=text, own=own, **fields)  # type: ignore[arg-type] # as declared


def body(question: Question) -> str:
    """Return the SPARQL of a question, without its header."""
    lines = question.text.splitlines()
    start = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "\n".join(lines[start:]).strip() + "\n"


_NAMES = re.compile(r"\b([a-z]+):([A-Za-z][\w-]*)")
_TYPE = re.compile(r"[\s;({|/^]a\s")


def predicates(question: Question) -> frozenset[str]:
    """Return every IRI that a question names, `a` for one: all that it can ask for."""
    query = body(question)
    found = {
        iris.PREFIXES[prefix] + local
        for prefix, local in _NAMES.findall(query)
        if prefix in iris.PREFIXES
    }
    return frozenset(found | ({iris.expand("rdf:type")} if _TYPE.search(query) else set()))


# ---------------------------------------------------------------- answering


def answer(question: Question, solve: Solve) -> list[Row]:
    """Return the rows of a question in its order, whichever engine `solve` asks."""
    rows: dict[tuple[object, ...], Row] = {}
    for solution in solve(question.text):
        key = tuple(value for name, value in solution.items() if name not in question.fold)
        row = rows.setdefault(
            key, {name: [] if name in question.fold else value for name, value in solution.items()}
        )
        for name in question.fold:
            value, found = solution.get(name), row[name]
            if value is not None and isinstance(found, list) and value not in found:
                found.append(value)
    for row in rows.values():
        for name in question.fold:
            if isinstance(found := row[name], list):
                found.sort(key=_order)
    return sorted(rows.values(), key=lambda row: _place(row, question.sort or tuple(row)))


def ask(corpus: Corpus, question: Question, about: Sequence[str] = ()) -> list[Row]:
    """Answer a question from a record; `about` keeps the rows that bear on one of these ids."""
    from litgraph import store

    # A question of the package names every predicate it needs (a test holds it to that).
    only = None if question.own else predicates(question)
    return solve(store.store(corpus, predicates=only), corpus.config.base, question, about)


def solve(found: Store, base: str, question: Question, about: Sequence[str] = ()) -> list[Row]:
    """Answer a question from a store that holds the record already."""
    from litgraph import limit, store

    rows = limit.within(
        SECONDS,
        lambda: answer(question, lambda text: store.rows(store.query(found, text, base), base)),
    )
    return [row for row in rows if _mentions(row, about)] if about else rows


def sheet(question: Question, rows: Sequence[Row]) -> Sheet:
    """Return an answer as it is printed. A status that is active everywhere goes unsaid."""
    plain = all(row.get("status") in {None, "active"} for row in rows)
    return Sheet(
        f"anthology.ask.{question.name}/1",
        rows,
        tuple(each for each in question.columns if not (plain and each == "status")),
        titles=question.titles,
        note=question.note,
        group=question.group,
        empty=question.empty,
    )


def _mentions(row: Row, about: Sequence[str]) -> bool:
    values = [
        each for value in row.values() for each in (value if isinstance(value, list) else [value])
    ]
    return any(
        isinstance(value, str) and (value == name or value.startswith(f"{name}#"))
        for value in values
        for name in about
    )


def _place(row: Row, sort: Sequence[str]) -> tuple[object, ...]:
    keys = []
    for name in sort:
        value = row.get(name.removeprefix("-"))
        if name.startswith("-") and isinstance(value, int | float):
            value = -value
        keys.append(_order(value))
    return (*keys, *(_order(value) for value in row.values()))


def _order(value: object) -> tuple[object, ...]:
    """Order values of any type: numbers, then ids as people count, then words."""
    if isinstance(value, bool | int | float):
        return (0, value)
    if isinstance(value, list):
        return (1, [_order(each) for each in value])
    if value is None:
        return (4,)
    text = str(value)
    return (2, ids.order(text)) if ids.is_id(text) else (3, text.casefold(), text)


__all__ = ["Question", "answer", "ask", "find", "predicates", "questions", "read", "sheet"]
