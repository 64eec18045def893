"""Quads as plain text, and the named graph of one file that is built from them."""

from __future__ import annotations

from typing import NamedTuple

from litgraph import iris, lexical
from litgraph.iris import VOCABULARY, expand
from litgraph.lexical import DATE, INTEGER, STRING


class Quad(NamedTuple):
    """One statement, in text.

    Attributes:
        object: An IRI, or the text of a literal.
        datatype: The literal's datatype; empty where the object is an IRI.
        graph: The graph it stands in: the file that says it.

    """

    subject: str
    predicate: str
    object: str
    datatype: str
    graph: str


TYPE = expand("rdf:type")
LABEL = expand("rdfs:label")
IDENTIFIER = expand("dcterms:identifier")
_FILE, _LINE = VOCABULARY + "file", VOCABULARY + "line"


class NamedGraph:
    """What one file says, as quads, in the order in which it is said.

    Attributes:
        base: The IRI below which the project's nodes stand.
        path: The file, relative to the root.
        graph: The IRI of this graph.
        made: The quads so far.

    """

    def __init__(self, base: str, path: str) -> None:
        self.base = base
        self.path = lexical.printable(path)
        self.graph = iris.file(base, path)
        self.made: list[Quad] = []

    def node(self, node: str, name: str, label: str, line: int, *types: str) -> None:
        """Say what every node says: what it is, what it is called, and where it stands."""
        add, graph = self.made.append, self.graph
        for each in types:
            add(Quad(node, TYPE, each, "", graph))
        add(Quad(node, LABEL, label or name, STRING, graph))
        add(Quad(node, IDENTIFIER, name, STRING, graph))
        add(Quad(node, _FILE, self.path, STRING, graph))
        add(Quad(node, _LINE, str(line), INTEGER, graph))

    def link(self, subject: str, name: str, object_: str) -> None:
        """Relate two nodes by a predicate of ours."""
        self.made.append(Quad(subject, VOCABULARY + name, object_, "", self.graph))

    def say(self, subject: str, name: str, text: str, datatype: str = STRING) -> None:
        """Give a node a value, by a predicate of ours; no text says nothing."""
        if text:
            self.made.append(Quad(subject, VOCABULARY + name, text, datatype, self.graph))

    def public(self, subject: str, curie: str, text: str, datatype: str = STRING) -> None:
        """The same by a public predicate; without a datatype, the text is an IRI."""
        if text:
            self.made.append(Quad(subject, expand(curie), text, datatype, self.graph))

    def filed(self, node: str, filed: str) -> None:
        """Say when, as written and as the days that a query can compare."""
        if filed:
            first, last = lexical.days(filed)
            self.say(node, "filed", filed)
            self.say(node, "filedFrom", first, DATE)
            self.say(node, "filedTo", last, DATE)
