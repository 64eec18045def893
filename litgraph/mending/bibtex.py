"""Works from a BibTeX file: what can be read is, and what cannot is said."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, NamedTuple

from anthology.errors import AnthologyError, NothingFoundError
from litgraph.mending import works
from litgraph.mending.works import Work

if TYPE_CHECKING:
    from pathlib import Path

    from bibtexparser.library import Library
    from bibtexparser.model import Block

_BARE = "no-enclosing"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ARXIV = re.compile(r"(?:\barxiv:\s*|\babs/)([\w./-]*\w)", re.IGNORECASE)
_JOINED = re.compile(r'\s*(?:"([^"]*)"|\{([^{}]*)\}|([^\s#"{}]+))\s*(?:#|$)')
_YEAR = re.compile(r"\d{4}")
_DAY = re.compile(r"\d{4}(?:-\d{2}){0,2}")
_GROUP = re.compile(r"\{([^{}]*)\}")


class Cited(NamedTuple):
    """One entry.

    Attributes:
        key: By which it is cited.
        line: Of the file; the first is 1.
        work: What it tells.

    """

    key: str
    line: int
    work: Work


class Broken(NamedTuple):
    """An entry, or a part of the file, that cannot be used."""

    line: int
    why: str


class MissingLibraryError(AnthologyError):
    """A library that only this needs is not installed."""

    exit_code = 3


def read(file: Path) -> tuple[list[Cited], list[Broken]]:
    """Read a file.

    Raises:
        NothingFoundError: It cannot be opened.
        MissingLibraryError: bibtexparser is not installed.

    """
    try:
        text = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise NothingFoundError(f"{file} cannot be read: {said}") from None
    return parse(text)


def parse(text: str) -> tuple[list[Cited], list[Broken]]:
    """Read the text of a file: its entries, and what of it is broken."""
    try:
        from bibtexparser.entrypoint import parse_string
        from bibtexparser.middlewares import NormalizeFieldKeys
    except ImportError:
        said = "reading BibTeX needs bibtexparser: pip install 'anthology-record[bib]'"
        raise MissingLibraryError(said) from None
    logging.getLogger("bibtexparser").addHandler(logging.NullHandler())  # what broke is returned
    library = parse_string(text, append_middleware=[NormalizeFieldKeys()])
    cited, broken = [], [_broken(each) for each in library.failed_blocks]
    for entry in library.entries:
        fields = {
            each.key: _joined(library, each.value)
            if each.enclosing == "no-enclosing"
            else each.value
            for each in entry.fields
        }
        line = (entry.start_line or 0) + 1
        work = _work(fields)
        if work.title or work.names():
            cited.append(Cited(entry.key, line, work))
        else:
            broken.append(Broken(line, f"{entry.key} has no title, no DOI and no arXiv id"))
    return cited, sorted(broken)


def _broken(failed: Block) -> Broken:
    error = getattr(failed, "error", None)
    why = str(getattr(error, "abort_reason", "") or error or "it cannot be read")
    return Broken((failed.start_line or 0) + 1, " ".join(why.split()).partition(". Note")[0])


def _joined(library: Library, value: str) -> str:
    """Put together what `#` joins: texts, and names that `@string` gave a text."""
    named = {key.lower(): str(each.value) for key, each in library.strings_dict.items()}
    parts = (match.groups("") for match in _JOINED.finditer(value))
    return "".join(quoted or braced or named.get(word.lower(), word)
                   for quoted, braced, word in parts)  # fmt: skip


def _work(fields: dict[str, str]) -> Work:
    url = _plain(fields.get("url", ""))
    arxiv = ""
    if "arxiv" in fields.get("archiveprefix", fields.get("eprinttype", "arxiv")).lower():
        arxiv = works.arxiv(fields.get("eprint", ""))
    journal = _plain(fields.get("journal", fields.get("journaltitle", "")))
    told = " ".join(fields.get(each, "") for each in ("volume", "note", "howpublished"))
    if not arxiv and (found := _ARXIV.search(f"{journal} {told}")):
        arxiv = works.arxiv(found[1])
    doi = works.doi(_plain(fields.get("doi", "")))
    for each in (doi, url):
        arxiv = arxiv or works.arxiv(each)
    doi = "" if works.arxiv(doi) else doi or works.doi(url)
    venue = _plain(fields.get("booktitle", ""))
    if not venue and not re.search(r"\barxiv\b|\bcorr\b", journal, re.IGNORECASE):
        venue = journal
    return Work(
        title=_plain(fields.get("title", "")),
        published=_published(fields),
        arxiv=arxiv,
        doi=doi,
        url=url,
        venue=venue,
        authors=tuple(_surnames(fields.get("author", ""))),
    )


def _published(fields: dict[str, str]) -> str:
    date = _plain(fields.get("date", ""))
    if match := _DAY.match(date):
        return match[0]
    year = _YEAR.search(_plain(fields.get("year", "")))
    if year is None:
        return ""
    month = _plain(fields.get("month", "")).lower()
    number = _MONTHS.index(month[:3]) + 1 if month[:3] in _MONTHS else 0
    if month.isdigit() and 1 <= int(month) <= 12:
        number = int(month)
    return f"{year[0]}-{number:02d}" if number else year[0]


def _surnames(text: str) -> list[str]:
    from bibtexparser.middlewares.names import (
        InvalidNameError,
        parse_single_name_into_parts,
        split_multiple_persons_names,
    )

    found = []
    for full in split_multiple_persons_names(text):
        if full.strip().lower() == "others":
            continue
        try:
            parts = parse_single_name_into_parts(full, strict=False)
            last = " ".join((*parts.von, *parts.last))
        except InvalidNameError:
            last = full
        if plain := _plain(last):
            found.append(plain)
    return found


def _plain(text: str) -> str:
    """Return text without LaTeX's marks and braces."""
    from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-untyped]

    if "\\" in text or "$" in text or "~" in text or "--" in text or "``" in text:
        text = LatexNodes2Text(math_mode="verbatim").latex_to_text(text)
    while (bare := _GROUP.sub(r"\1", text)) != text:
        text = bare
    return " ".join(text.split())
