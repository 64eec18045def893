"""A work's metadata from its arXiv id or DOI: asked of arXiv and Crossref, or from the id alone."""

from __future__ import annotations

import json
import re
import urllib.parse
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from anthology.errors import AnthologyError, NothingFoundError
from litgraph.mending import web, works
from litgraph.mending.works import Work

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litgraph.mending.web import Fetch

ARXIV = "https://export.arxiv.org/api/query?id_list="
CROSSREF = "https://api.crossref.org/works/"

_ATOM = "{http://www.w3.org/2005/Atom}"
_OURS = "{http://arxiv.org/schemas/atom}"
_TAG = re.compile(r"<[^>]+>")


class WorkIdError(AnthologyError):
    """What was given is no id of a work."""


def work(text: str, fetch: Fetch | None = web.fetch) -> Work:
    """Return what is known of a work by its arXiv id or DOI, in any spelling.

    Args:
        text: `2103.03404`, `arXiv:2103.03404v2`, `10.1000/182`, or the address of either.
        fetch: How to ask; None to ask nobody and return what the id itself tells.

    Raises:
        WorkIdError: It is no arXiv id and no DOI.
        NothingFoundError: There is no work of that id.
        FetchError: The service cannot be asked.

    """
    if identifier := works.arxiv(text):
        if fetch is None:
            return Work(arxiv=identifier, published=works.month(identifier))
        return atom(fetch(ARXIV + urllib.parse.quote(identifier)), identifier)
    if doi := works.doi(text):
        if fetch is None:
            return Work(doi=doi)
        try:
            answer = fetch(CROSSREF + urllib.parse.quote(doi, safe=""))
        except web.FetchError as error:
            if error.status == 404:
                said = f"Crossref knows no DOI {doi}; check it, or add --offline"
                raise NothingFoundError(said) from None
            raise
        return crossref(answer, doi)
    raise WorkIdError(f"{text!r} is no arXiv id (`2103.03404`) and no DOI (`10.1000/182`)")


def atom(answer: bytes, identifier: str) -> Work:
    """Read arXiv's answer.

    Raises:
        NothingFoundError: It tells of no such paper.

    """
    try:
        entry = ET.fromstring(answer).find(f"{_ATOM}entry")
    except ET.ParseError as error:
        raise NothingFoundError(f"arXiv's answer for {identifier} is no XML: {error}") from None
    if entry is None or "api/errors" in _said(entry, f"{_ATOM}id"):
        raise NothingFoundError(f"arXiv knows no paper {identifier}")
    names = (_said(each, f"{_ATOM}name") for each in entry.iter(f"{_ATOM}author"))
    return Work(
        title=_said(entry, f"{_ATOM}title"),
        published=_said(entry, f"{_ATOM}published")[:10],
        arxiv=identifier,
        doi=works.doi(_said(entry, f"{_OURS}doi")),
        venue=_said(entry, f"{_OURS}journal_ref"),
        authors=tuple(works.surname(each) for each in names if each),
    )


def crossref(answer: bytes, doi: str) -> Work:
    """Read Crossref's answer.

    Raises:
        NothingFoundError: It is none.

    """
    try:
        message = json.loads(answer)["message"]
        authors = (_author(each) for each in message.get("author", []))
        return Work(
            title=_clean(" ".join(message.get("title", [])[:1])),
            published=_day(message),
            doi=str(message.get("DOI", doi)).lower(),
            venue=_clean(" ".join(message.get("container-title", [])[:1])),
            authors=tuple(each for each in authors if each),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"Crossref's answer for {doi} cannot be read ({type(error).__name__}: {error})"
        raise NothingFoundError(said) from None


def _said(node: ET.Element, name: str) -> str:
    return " ".join((node.findtext(name) or "").split())


def _clean(text: str) -> str:
    return " ".join(_TAG.sub("", text).split())


def _author(given: Mapping[str, Any]) -> str:
    return _clean(str(given.get("family") or given.get("name") or ""))


def _day(message: Mapping[str, Any]) -> str:
    """Return the earliest date that Crossref gives, as exact as it is."""
    for key in ("published-online", "published-print", "published", "issued"):
        parts = (message.get(key, {}).get("date-parts") or [[None]])[0]
        if parts and parts[0]:
            year, *rest = (int(each) for each in parts)
            return "-".join((f"{year:04d}", *(f"{each:02d}" for each in rest)))
    return ""
