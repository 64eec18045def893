"""New records: what is known of them in front matter, and a body to write into.

A draft validates as it is. It says nothing that nobody said: what is not known is left out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anthology import reader, source
from anthology.errors import AnthologyError
from anthology.notation import block
from anthology.source import Document
from litgraph.mending.changes import Change
from litgraph.mending.works import Work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anthology.corpus import Corpus
    from anthology.notation import Value

STATUS: Mapping[str, str] = {"NOTE": "Unread", "TERM": ""}  # others are proposed
UNTITLED = "(title not recorded)"
TABLE = ("| id | claim | strength | support |", "|---|---|---|---|")


class DraftError(AnthologyError):
    """A record cannot be drafted from what was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is given of a new record.

    Attributes:
        name: Its id.
        folder: Where its file is to stand, relative to the root.
        date: Day of filing.
        title: Of a claim that stands alone, the claim.
        status: The curator's word; by default that of a record nobody has looked at.
        paper: The work that a note reads.
        sources: The works that an account or a practice draws on.
        form: Of a claim that stands alone.
        fills: The placeholder that it is.
        work: What is known of a work.

    """

    name: str
    folder: str
    date: str
    title: str = ""
    status: str = ""
    paper: str = ""
    sources: Sequence[str] = ()
    form: str = ""
    fills: str = ""
    work: Work = field(default_factory=Work)


def record(corpus: Corpus, draft: Draft) -> Change:
    """Return the file of a new record.

    Raises:
        DraftError: A title is missing, or the work that a note reads; or what was given makes
            no record without faults.

    """
    scheme = draft.name.partition("-")[0]
    title = " ".join((draft.title or _title(corpus, scheme, draft)).split())
    if scheme == "NOTE" and not draft.paper:
        raise DraftError("a note is the reading of one work: add --paper LIT-530")
    if not title:
        raise DraftError(f"{draft.name} needs a title: add --title 'A few words'")
    known = draft.work.fields()
    tail = draft.name.partition("-")[2]
    status = draft.status or STATUS.get(scheme, "Proposed")
    fields: dict[str, Value] = {
        "number": int(tail) if tail.isdigit() else "",
        "status": status,
        "title": title,
        "date": draft.date,
        "fills": draft.fills,
        "paper": draft.paper,
        "form": draft.form,
        **{key: value for key, value in known.items() if key != "title"},
        "source": list(draft.sources),
    }
    head = block({key: value for key, value in fields.items() if value not in ("", [])}, 0)
    lines = ["---", *head, "---", f"# {draft.name}: {title}", "", *_body(corpus, scheme, draft)]
    path = f"{draft.folder}/{draft.name}.md"
    data = ("\n".join(lines).rstrip("\n") + "\n").encode("utf-8", errors="replace")
    document = source.parse(data, Document(path, draft.name))
    reader.record(document)
    if document.findings:
        raise DraftError(document.findings[0].message)
    return Change(path, None, data, said=("written",))


def _title(corpus: Corpus, scheme: str, draft: Draft) -> str:
    work = draft.work
    if scheme == "NOTE" and draft.paper:
        return f"A reading of {corpus.label(draft.paper) or draft.paper}"
    if work.title or scheme != "LIT":
        return work.title
    name = f"arXiv {work.arxiv}" if work.arxiv else f"DOI {work.doi}" if work.doi else ""
    return f"{name} {UNTITLED}" if name else ""


def _body(corpus: Corpus, scheme: str, draft: Draft) -> list[str]:
    if scheme == "LIT":
        work = draft.work
        told = (_people(work.authors), work.venue or work.published[:4])
        said = ", ".join(each for each in told if each).rstrip(".")
        return [*((f"{said}.", "") if work.authors else ()), "## Key takeaways"]
    if scheme == "NOTE":
        paper = link(corpus, draft.folder, draft.paper)
        return [f"A reading of {paper}.", "", "## Claims", "", *TABLE]
    sources = ", ".join(link(corpus, draft.folder, each) for each in draft.sources)
    above = ["## Source", "", f"{sources}.", ""] if sources else []
    below: Mapping[str, list[str]] = {
        "THEORY": ["## The account", "", "## What it does not say"],
        "TERM": ["## Definition", "", "## What it is not"],
    }
    return above + below.get(scheme, [])


def _people(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{names[0]} and {len(names) - 1} others"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def link(corpus: Corpus, folder: str, name: str) -> str:
    """Return a link from a record's folder to another record."""
    there = os.path.relpath(corpus.records[name].path, folder or ".").replace(os.sep, "/")
    return f"[{name}]({there})"
