"""Where in a file a finding points: read again only when there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import ids, source

if TYPE_CHECKING:
    from anthology.corpus import Corpus, Edge
    from anthology.records import Claim, Record, Test
    from litgraph.rules import Place


def of_edge(edge: Edge) -> Place:
    """Return where an edge is first stated."""
    return edge.path, edge.line, edge.column


def of_field(corpus: Corpus, record: Record, *keys: str | int, name: bool = False) -> Place:
    """Return where a key path of a record's front matter leads; with `name`, the key itself."""
    return record.path, *source.locate(corpus.root / record.path, keys, name=name)


def of_claim(corpus: Corpus, claim: Claim, *keys: str | int, name: bool = False) -> Place:
    """Return where a claim is defined, or where a key path below it leads."""
    record = corpus.records[claim.record]
    if not keys:
        return record.path, claim.line, claim.column
    part = ids.split(claim.id)[1]
    return of_field(corpus, record, *(("claims", part) if part else ()), *keys, name=name)


def of_test(
    corpus: Corpus, claim: Claim, test: Test, *keys: str | int, name: bool = False
) -> Place:
    """Return where a key path below a test leads."""
    below = ("tests", test.name) if test.name else ("test",)
    return of_claim(corpus, claim, *below, *keys, name=name)


def of_heading(corpus: Corpus, record: Record) -> Place:
    """Return where a record's heading stands."""
    return record.path, *source.locate_heading(corpus.root / record.path)
