"""`anthology new`: file a record, or begin an experiment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anthology.errors import AnthologyError, UnknownNameError
from litgraph.cli._options import Root
from litgraph.cli._writing import Day, Diff, finish, project, today

if TYPE_CHECKING:
    from anthology.corpus import Corpus
    from litgraph.mending.works import Work


EXPERIMENT = "EXPERIMENT"  # no scheme, but what `new experiment` asks for
# Options that only some kinds take; the others are for every record.
_MEANT = {
    "arxiv": ("LIT",),
    "doi": ("LIT",),
    "bib": ("LIT",),
    "key": ("LIT",),
    "paper": ("NOTE",),
    "claim": (EXPERIMENT,),
    "name": (EXPERIMENT,),
    "form": ("CLAIM", EXPERIMENT),
}


class UsageError(AnthologyError):
    """Options do not go together."""


def new(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="lit, note, theory, term, claim, a scheme such as SOTA, or experiment.",
            show_default=False,
        ),
    ],
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="Its title; of a claim, what is claimed.")
    ] = "",
    arxiv: Annotated[
        str, typer.Option(metavar="ID", help="A work by its arXiv id, in any spelling.")
    ] = "",
    doi: Annotated[str, typer.Option(metavar="DOI", help="A work by its DOI.")] = "",
    bib: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A work from a BibTeX file.", show_default=False),
    ] = None,
    key: Annotated[
        str, typer.Option(metavar="KEY", help="Which entry of --bib, where it has several.")
    ] = "",
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask nobody; file what the id itself tells.")
    ] = False,
    paper: Annotated[
        str, typer.Option(metavar="ID", help="The work that a note reads; its arXiv id will do.")
    ] = "",
    source: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A work that it draws on; may be given again."),
    ] = None,
    claim: Annotated[
        str, typer.Option(metavar="ID", help="The claim that an experiment is to measure.")
    ] = "",
    name: Annotated[
        str, typer.Option(metavar="TOPIC.NAME", help="What to call the experiment.")
    ] = "",
    form: Annotated[
        str, typer.Option(metavar="FORM", help="universal, existential, statistical or causal.")
    ] = "",
    fills: Annotated[
        str, typer.Option(metavar="?SLUG", help="The placeholder that it is; then run `fix`.")
    ] = "",
    status: Annotated[str, typer.Option(metavar="WORD", help="Its status.")] = "",
    date: Day = "",
    temp: Annotated[
        bool, typer.Option("--temp", help="A code that gets its number by `renumber`, at merge.")
    ] = False,
    diff: Diff = False,
    root: Root = None,
) -> None:
    """File a record that validates as it is, under the next free number; print its path.

    `new lit --arxiv 2103.03404` asks arXiv for the metadata, --doi Crossref; --offline asks
    nobody. `new experiment --claim 'NOTE-274#C2'` writes a module that runs as it is, and the
    claim's test; its verdict is inconclusive until the measurement is written.

    Exit codes: 0 fine; 1 a file could not be written; 2 it cannot be filed as asked; 3 no answer
    from the network; 4 no such work.
    """
    from anthology import ids
    from litgraph.mending import numbers
    from litgraph.mending.changes import Outcome

    corpus = project(root)
    given = {
        "title": title, "arxiv": arxiv, "doi": doi, "bib": bib, "key": key, "paper": paper,
        "source": source, "claim": claim, "name": name, "form": form, "fills": fills,
        "status": status, "date": date, "temp": temp,
    }  # fmt: skip
    scheme = _scheme(corpus, kind)
    _fitting(scheme, kind, [option for option, value in given.items() if value])
    if scheme == EXPERIMENT:
        from litgraph.mending import trials

        if not claim:
            raise UsageError("say which claim it is to measure: --claim 'NOTE-274#C2'")
        outcome = Outcome(trials.experiment(corpus, corpus.resolve(claim), name, form))
        finish(corpus.config, outcome, diff=diff)
        return
    from litgraph.mending import drafts

    if fills and not ids.is_placeholder(fills):
        raise UsageError(f"{fills!r} is no placeholder; write '?a-few-words'")
    work = _work(corpus, arxiv, doi, bib, key, offline=offline)
    following = numbers.following(corpus, scheme)
    draft = drafts.Draft(
        name=numbers.temporary(corpus, scheme) if temp else next(following),
        folder=numbers.folder(corpus, scheme),
        date=date or today(),
        title=title,
        status=status,
        paper=_paper(corpus, paper) if paper else "",
        sources=[_paper(corpus, each) for each in source or ()],
        form=form,
        fills=fills,
        work=work,
    )
    finish(corpus.config, Outcome([drafts.record(corpus, draft)]), diff=diff)


def _fitting(scheme: str, kind: str, options: list[str]) -> None:
    """Refuse an option that would do nothing for this kind of record."""
    for option in options:
        meant = _MEANT.get(option, ())
        if scheme == EXPERIMENT and EXPERIMENT not in meant:
            raise UsageError(f"`new experiment` takes --claim, --name and --form, not --{option}")
        if meant and scheme not in meant:
            kinds = " and ".join(f"`new {each.lower()}`" for each in meant)
            raise UsageError(f"--{option} is for {kinds}, not for `new {kind}`")


def _scheme(corpus: Corpus, kind: str) -> str:
    from anthology import ids
    from anthology.errors import nearest
    from anthology.records import KINDS
    from litgraph.mending import declared

    known = {*KINDS, *corpus.schemes, *declared.schemes(corpus.root), EXPERIMENT}
    names = [each.lower() for each in sorted(known)]
    if kind.upper() in known:
        return kind.upper()
    if ids.is_code(f"{kind}-1") and not nearest(kind, names):
        return kind  # the first of its scheme, in capitals: meant
    raise UnknownNameError("kind of record", kind, names)


def _paper(corpus: Corpus, given: str) -> str:
    """Return the record of a work that is given by its id here, its arXiv id or its DOI."""
    from litgraph.mending import works

    known = works.recorded(corpus) if (name := works.name(given)) else {}
    found = known[name] if name in known else corpus.resolve(given).partition("#")[0]
    if corpus.kind(found) != "LIT":
        raise UsageError(f"{found} is no work; give the LIT record, or its arXiv id or DOI")
    return found


def _work(
    corpus: Corpus, arxiv: str, doi: str, bib: Path | None, key: str, *, offline: bool
) -> Work:
    """Return what is known of a work, by the one option that says which it is."""
    from litgraph.mending import lookup, web, works

    given = [each for each in (arxiv, doi, bib) if each]
    if not given:
        return works.Work()
    if len(given) > 1:
        raise UsageError("--arxiv, --doi and --bib each tell of one work; give one of them")
    known = works.recorded(corpus)
    if bib is not None:
        work = _entry(bib, key)
    else:
        _absent(known, works.Work(arxiv=arxiv, doi=doi))
        work = lookup.work(arxiv or doi, None if offline else web.fetch)
    _absent(known, work)
    return work


def _absent(known: dict[str, str], work: Work) -> None:
    for each in work.names():
        if each in known:
            raise UsageError(f"{each} is recorded already, as {known[each]}")


def _entry(bib: Path, key: str) -> Work:
    from litgraph.mending import bibtex

    cited, broken = bibtex.read(bib)
    for each in broken:
        typer.echo(f"{bib}:{each.line}:1: {each.why}", err=True)
    found = [each for each in cited if not key or each.key == key]
    if key and not found:
        raise UnknownNameError("entry", key, [each.key for each in cited])
    if len(found) != 1:
        names = ", ".join(each.key for each in found[:5])
        raise UsageError(
            f"{bib} holds {len(found)} entries{f' ({names} …)' * bool(found)}; say which with "
            "--key, or bring all in with `anthology import bib`"
        )
    return found[0].work
