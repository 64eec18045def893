"""Rules about ids: one record one id, one work one record."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from anthology import ids
from anthology.findings import Severity
from anthology.records import Lit
from litgraph.rules import _places, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.corpus import Corpus
    from anthology.records import Record
    from litgraph.rules import Fault

_HEADED = re.compile(rf"(({ids.SCHEME})-[A-Za-z0-9]+)\s*(?::|—|–|-)\s")
_DOI = re.compile(r"(?:https?://)?(?:dx\.)?(?:doi\.org/|doi:)?\s*(10\.\d{4,9}/\S+)", re.IGNORECASE)
_CLASS = re.compile(r"\.[a-z]{2}/")  # math.GT/0309136 and math/0309136 are one paper
_MARKUP = re.compile(r"[*_`\\\s]+")


@rule("I201")
def duplicate_id(corpus: Corpus) -> Iterator[Fault]:
    """Two files have one id: `LIT-005.md` and `LIT-0005.md`, or one name in two folders.

    Why: whoever writes the id means one of them, and nobody can say which. This happens when
    two branches take the next number at the same time.

    Instead: give one of them a number of its own, and write the id it had below `formerly:`
    only if nothing else has it.
    """
    first = {ids.key(each.id): each for each in corpus.records.values()}
    for each in corpus.duplicates:
        taken = first[ids.key(each.id)].path
        yield (each.path, 1, 1), f"{each.id} is already the id of {taken}"


@rule("I202")
def number_mismatch(corpus: Corpus) -> Iterator[Fault]:
    """`number:` says another number than the file's name.

    Why: the name of the file is the id; a number that differs is left over from a copy or a
    renumbering, and one of the two is wrong.

    Instead: make them agree.
    """
    for each in _all(corpus):
        tail = each.id.partition("-")[2]
        given = each.number.strip()
        if given and given.lstrip("0") != tail.lstrip("0"):
            place = _places.of_field(corpus, each, "number")
            yield place, f"`number` is {given}, and the file's name says {tail}"


@rule("I203")
def heading_mismatch(corpus: Corpus) -> Iterator[Fault]:
    """The first heading names another record than the file's name.

    Why: a reader of the page takes the heading's id for the record's.

    Instead: write the id of the file into the heading.
    """
    for each in _all(corpus):
        said = _headed(corpus, each)
        if said:
            place = _places.of_heading(corpus, each)
            yield place, f"the heading says {said}, and the file's name {each.id}"


@rule("I204")
def one_work_twice(corpus: Corpus) -> Iterator[Fault]:
    """One work has two records: their arXiv id or DOI is the same, however it is spelt.

    Why: what is said of the work is split over two ids, and no question finds all of it.

    Instead: keep one record and let it supersede the other; `superseded-by` says that the
    double entry is known. `2103.03404`, `arXiv:2103.03404v2`, its URL and its DOI are one.
    """
    seen: dict[str, tuple[Record, str]] = {}
    for each in corpus.records.values():
        if not isinstance(each, Lit):
            continue
        mine: dict[str, tuple[str, str]] = {}
        for field, name, version in _names(each):
            mine.setdefault(name, (field, version))
        for name, (field, version) in mine.items():
            first, other = seen.setdefault(name, (each, version))
            if first is each or _superseded(corpus, first, each):
                continue
            if not (version and other and version != other):
                place = _places.of_field(corpus, each, field)
                yield place, f"{name} is already recorded as {first.id} ({first.path})"
                break


@rule("I205", Severity.WARNING)
def two_versions(corpus: Corpus) -> Iterator[Fault]:
    """Two versions of one arXiv paper have a record each.

    Why: they may say different things, so that two records can be right; or nobody noticed.

    Instead: let the record of the later version supersede the other, or keep one and name
    its version.
    """
    seen: dict[str, tuple[Record, str]] = {}
    for each in corpus.records.values():
        if not isinstance(each, Lit):
            continue
        for field, name, version in _names(each):
            first, other = seen.setdefault(name, (each, version))
            both = version and other and version != other
            if first is not each and both and not _superseded(corpus, first, each):
                place = _places.of_field(corpus, each, field)
                yield place, f"{name} has the record {first.id} for {other}, this one is {version}"
                break


@rule("I206", Severity.WARNING)
def not_an_arxiv_id(corpus: Corpus) -> Iterator[Fault]:
    """`arxiv:` holds something that is no arXiv id.

    Why: the same work cannot be found again by it.

    Instead: write `'2103.03404'`, `'2103.03404v2'` or `'math.GT/0309136'`, quoted.
    """
    for each in corpus.records.values():
        if isinstance(each, Lit) and each.arxiv and ids.arxiv(each.arxiv) is None:
            place = _places.of_field(corpus, each, "arxiv")
            yield place, f"{each.arxiv!r} is no arXiv id; write it as '2103.03404'"


@rule("I207")
def former_id_taken(corpus: Corpus) -> Iterator[Fault]:
    """A former id is the id of a record, or two records claim to have had it.

    Why: an old reference to it leads to the wrong record, or to either of two.

    Instead: delete it below `formerly:` where it does not belong.
    """
    had: dict[str, Record] = {}
    now = {ids.key(each): each for each in corpus.records}
    for each in corpus.records.values():
        for number, old in enumerate(each.formerly):
            key = ids.key(old)
            holder = now.get(key)
            first = had.setdefault(key, each)
            if holder is not None and holder != each.id:
                message = f"{old} is the id of another record ({corpus.records[holder].path})"
            elif first is not each:
                message = f"{old} is a former id of {first.id}, too ({first.path})"
            else:
                continue
            yield _places.of_field(corpus, each, "formerly", number), message


@rule("I208", Severity.WARNING)
def title_mismatch(corpus: Corpus) -> Iterator[Fault]:
    """The title in the front matter and the first heading differ.

    Why: one is shown in lists and the other on the page, and a reader takes them for two.

    Instead: make them agree; only the id before it may differ.
    """
    for each in _all(corpus):
        if each.title == each.heading or not (each.title and each.heading):
            continue
        if _bare(each.title) != _bare(each.heading) and not _headed(corpus, each):
            place = _places.of_heading(corpus, each)
            yield place, f"the heading differs from the title, {_short(each.title)}"


def _all(corpus: Corpus) -> Iterator[Record]:
    return chain(corpus.records.values(), corpus.duplicates)


def _headed(corpus: Corpus, record: Record) -> str:
    """Return another id that a heading starts with; `GPT-4: a report` starts with none."""
    match = _HEADED.match(record.heading)
    if match is None or match[2] not in corpus.schemes:
        return ""
    return "" if _bare(record.title) == _bare(record.heading) else match[1]


def _names(work: Lit) -> Iterator[tuple[str, str, str]]:
    """Yield what identifies a work: the field, the name in one spelling, the version."""
    for field in ("arxiv", "doi", "url"):
        text = str(getattr(work, field))
        if not text:
            continue
        if found := ids.arxiv(text):
            yield field, f"arXiv:{_CLASS.sub('/', found[0])}", found[1]
        elif match := _DOI.fullmatch(text.strip()):
            yield field, f"doi:{match[1].lower().rstrip('/.')}", ""


def _superseded(corpus: Corpus, a: Record, b: Record) -> bool:
    return any(
        edge.relation == "supersedes" and {edge.subject, edge.object} == {a.id, b.id}
        for edge in (*corpus.out(a.id), *corpus.into(a.id))
    )


def _bare(text: str) -> str:
    return _MARKUP.sub("", text).casefold()


def _short(text: str) -> str:
    return f"“{text if len(text) <= 60 else text[:59] + '…'}”"
