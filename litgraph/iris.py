"""Names and the IRIs they stand under: `NOTE-274#C1` ↔ `urn:anthology:record/NOTE-274/C1`.

A record, claim, sense or statement has a slash IRI below the project's own base, so that
a server can answer for each. An id holds no character that an IRI must escape.
"""

from __future__ import annotations

import re
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from anthology import relations

if TYPE_CHECKING:
    from collections.abc import Mapping

VOCABULARY = "urn:anthology:vocabulary/"

PREFIXES: Mapping[str, str] = MappingProxyType({
    "ant": VOCABULARY,
    "cito": "http://purl.org/spar/cito/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "earl": "http://www.w3.org/ns/earl#",
    "fabio": "http://purl.org/spar/fabio/",
    "lexinfo": "http://www.lexinfo.net/ontology/3.0/lexinfo#",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
})  # fmt: skip

PLACEHOLDER = "placeholder/"
STATEMENT = "rel/"
FILE = "file/"
ROLLUP = "graph/rollup"


def prefixes(base: str) -> dict[str, str]:
    """Return every prefix that a query may use undeclared: `r:` and `rel:` are this project's."""
    return {**PREFIXES, "r": base, "rel": base + STATEMENT}


@cache
def expand(curie: str) -> str:
    """Return the IRI of a CURIE whose prefix is in `PREFIXES`."""
    prefix, _, local = curie.partition(":")
    return PREFIXES[prefix] + local


def of(base: str, name: str) -> str:
    """Return the IRI of a record, claim, sense or placeholder.

    >>> of("urn:x/", "NOTE-274#C1"), of("urn:x/", "?nobody-filed-it")
    ('urn:x/NOTE-274/C1', 'urn:x/placeholder/nobody-filed-it')
    """
    if _SAFE.fullmatch(name):
        return base + name.replace("#", "/", 1)
    if name.startswith("?"):
        return base + PLACEHOLDER + quote(name[1:], safe="", errors="replace")
    # No id looks like this. A record may still write it, and what it wrote is kept.
    record, mark, part = name.partition("#")
    ends = quote(record, safe="", errors="replace"), quote(part, safe="", errors="replace")
    return base + ends[0] + mark.replace("#", "/") + ends[1]


_SAFE = re.compile(r"[A-Za-z0-9_.-]+(?:#[A-Za-z0-9_.-]+)?")


def statement(base: str, subject: str, relation: str, object_: str) -> str:
    """Return the IRI of an edge between two IRIs. A dot in a name is doubled, so none is shared.

    >>> statement("urn:x/", "urn:x/NOTE-266/C5", "rejects", "urn:x/THEORY-066")
    'urn:x/rel/NOTE-266.C5.rejects.THEORY-066'
    """
    ends = [each[len(base) :].replace(".", "..").replace("/", ".") for each in (subject, object_)]
    return f"{base}{STATEMENT}{ends[0]}.{relation}.{ends[1]}"


def file(base: str, path: str) -> str:
    """Return the IRI of the graph that holds what one file says."""
    return base + FILE + quote(path, errors="surrogateescape")


@cache
def predicate(relation: str) -> str:
    """Return the predicate of a relation: `alternative-account` → `…/alternativeAccount`."""
    return VOCABULARY + relations.camel(relation)


def name(base: str, iri: str) -> str:
    """Return what a person writes for an IRI: an id, a relation's name, a CURIE, else the IRI.

    >>> name("urn:x/", "urn:x/NOTE-274/C1"), name("urn:x/", VOCABULARY + "alternativeAccount")
    ('NOTE-274#C1', 'alternative-account')
    """
    if iri.startswith(base):
        local = iri[len(base) :]
        if local.startswith(PLACEHOLDER):
            return "?" + unquote(local[len(PLACEHOLDER) :])
        if local.startswith(STATEMENT):
            return "rel:" + local[len(STATEMENT) :]
        if local.startswith(FILE):
            return unquote(local[len(FILE) :])
        return unquote(local.replace("/", "#", 1))
    if iri in _RELATIONS:
        return _RELATIONS[iri]
    for prefix, start in PREFIXES.items():
        if iri.startswith(start):
            return f"{prefix}:{iri[len(start) :]}"
    return iri


_RELATIONS = {predicate(each.name): each.name for each in relations.RELATIONS}
