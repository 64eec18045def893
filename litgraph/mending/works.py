"""What is known of a work before anybody has read it, and by which names it is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anthology import ids
from anthology.records import Lit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.corpus import Corpus

_DOI = re.compile(r"(?:https?://)?(?:(?:dx\.)?doi\.org/|doi:)?\s*(10\.\d{4,9}/\S+)", re.IGNORECASE)
_CLASS = re.compile(r"\.[a-z]{2}/")  # math.GT/0309136 and math/0309136 are one paper
_NEW_STYLE = re.compile(r"(\d{2})(\d{2})\.\d{4,5}")
_OLD_STYLE = re.compile(r"[a-z.-]+/(\d{2})(\d{2})\d{3}")
FIELDS = ("title", "published", "arxiv", "doi", "url", "venue", "first_author", "authors")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A work's metadata; what is not known is empty.

    Attributes:
        title: As it was published.
        published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        arxiv: Its arXiv id, with the version if one is meant.
        doi: Its DOI, bare.
        url: Where it is, if it has neither.
        venue: Where it appeared.
        authors: Surnames, or the names of groups, in their order.

    """

    title: str = ""
    published: str = ""
    arxiv: str = ""
    doi: str = ""
    url: str = ""
    venue: str = ""
    authors: tuple[str, ...] = ()

    @property
    def first_author(self) -> str:
        """The surname of the first author."""
        return self.authors[0] if self.authors else ""

    def fields(self) -> dict[str, str | list[str]]:
        """Return the keys of a record's front matter that it fills, in their order."""
        found = {name: getattr(self, name) for name in FIELDS}
        found["authors"] = list(self.authors)
        if self.arxiv or self.doi:
            found["url"] = ""
        return {name: value for name, value in found.items() if value}

    def names(self) -> tuple[str, ...]:
        """Return what identifies it, each in one spelling."""
        found = (name(each) for each in (self.arxiv, self.doi, self.url) if each)
        return tuple(dict.fromkeys(each for each in found if each))


def name(text: str) -> str:
    """Return the one spelling under which two ids of a work are the same, or nothing.

    >>> name("https://arxiv.org/abs/2103.03404v2"), name("doi:10.48550/arXiv.2103.03404")
    ('arXiv:2103.03404', 'arXiv:2103.03404')
    """
    if found := ids.arxiv(text):
        return f"arXiv:{_CLASS.sub('/', found[0])}"
    return f"doi:{plain.lower()}" if (plain := doi(text)) else ""


def doi(text: str) -> str:
    """Return a DOI without what may stand around it, or nothing."""
    match = _DOI.fullmatch(text.strip())
    return match[1].rstrip("/.") if match else ""


def arxiv(text: str) -> str:
    """Return an arXiv id with its version from any spelling, or nothing."""
    found = ids.arxiv(text)
    return found[0] + found[1] if found else ""


def month(identifier: str) -> str:
    """Return the month that an arXiv id tells: `2103.03404` is of 2021-03."""
    match = _NEW_STYLE.match(identifier) or _OLD_STYLE.match(identifier)
    if match is None or not 1 <= int(match[2]) <= 12:
        return ""
    century = 19 if int(match[1]) > 90 else 20
    return f"{century}{match[1]}-{match[2]}"


def title(text: str) -> str:
    """Return the spelling under which two titles are the same."""
    return "".join(each for each in text.casefold() if each.isalnum())


def surname(full: str) -> str:
    """Return the surname of a name in reading order: `Vincent van Gogh` gives `van Gogh`."""
    words = full.split()
    if not words:
        return ""
    small = next((n for n, word in enumerate(words[1:-1], 1) if word[0].islower()), -1)
    return " ".join(words[small:])


def recorded(corpus: Corpus) -> dict[str, str]:
    """Return the record of each known work: by its names and, with `title:`, its title."""
    found: dict[str, str] = {}
    for record in corpus.records.values():
        if isinstance(record, Lit):
            for each in _spellings(record):
                found.setdefault(each, record.id)
    return found


def _spellings(record: Lit) -> Iterator[str]:
    yield from (found for each in (record.arxiv, record.doi, record.url) if (found := name(each)))
    if plain := title(record.title):
        yield f"title:{plain}"
