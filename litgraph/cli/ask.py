"""`anthology ask`: the named questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litgraph.cli._options import Cache, Format, Root, graph, load, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litgraph.formats import Sheet
    from litgraph.questions import Question


def ask(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A question; none lists them.", show_default=False),
    ] = None,
    about: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]...", help="Only the rows that bear on these.", show_default=False
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the question's SPARQL instead.")
    ] = False,
    format: Format = "table",
    no_cache: Cache = False,
    root: Root = None,
) -> None:
    """Answer a named question.

    \b
      anthology ask                        what can be asked
      anthology ask homonyms               words that name two things
      anthology ask rejections THEORY-066  who rejects that account
      anthology ask --explain homonyms     its SPARQL, for you to change
    """  # noqa: D301 - click reads \b as: do not wrap
    from anthology import config
    from anthology.errors import UnknownNameError
    from litgraph import formats, questions, triples

    if format not in formats.names():
        raise UnknownNameError("format", format, formats.names())
    place = root if root is not None else config.find_root(Path.cwd())
    if name is None:
        formats.write(format, _listing(questions.questions(place)), sys.stdout)
        return
    question = questions.find(name, place)
    if explain:
        typer.echo(question.text, nl=False)
        return
    found = triples.find(settings(root), cache=not no_cache)
    if found is None:
        corpus = load(root, cache=not no_cache)
        rows = questions.ask(corpus, question, [corpus.resolve(each) for each in about or ()])
    else:
        record = graph(root)
        names = [record.resolve(each) for each in about or ()]
        rows = questions.solve(found, record.config.base, question, names)
    layout = question.layout if format == "table" else format
    formats.write(layout, questions.sheet(question, rows), sys.stdout)


def _listing(known: Mapping[str, Question]) -> Sheet:
    from litgraph.formats import Sheet

    rows = [
        {"name": each.name, "title": each.title, "tells": each.tells, "example": each.example}
        for each in known.values()
    ]
    return Sheet("anthology.questions/1", rows, ("name", "title"))
