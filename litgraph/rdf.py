"""The record as RDF: one function yields the quads, and every engine is fed by it.

    for quad in quads(corpus): ...       # neutral tuples, no library's types
    dataset(corpus)                      # rdflib.Dataset

A graph per file. An edge that the record holds as true is a direct triple, in both
directions where it is symmetric; every edge, whatever its status, is a statement node
that carries the rest. Plain SPARQL therefore never takes a proposal for a fact. What an
end belongs to (a claim's reading and work, a sense's users) is a graph of its own, under
a predicate of its own. There is no blank node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import ids, relations
from anthology.records import Lit, Record, Term, Theory
from litgraph import iris, lexical, rollup, standing
from litgraph.iris import VOCABULARY, expand
from litgraph.lexical import INTEGER, STRING
from litgraph.quads import NamedGraph, Quad
from litgraph.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import rdflib

    from anthology.corpus import Corpus
    from anthology.edge import Edge
    from anthology.judge import Verdict
    from anthology.records import Claim, Concept, Sense

SUBJECT, PREDICATE, OBJECT = expand("rdf:subject"), expand("rdf:predicate"), expand("rdf:object")

# What a record is, beside `ant:Record`: ours, and the nearest public class.
KINDS: Mapping[str, tuple[str, ...]] = {
    "LIT": (VOCABULARY + "Work", expand("fabio:Work")),
    "NOTE": (VOCABULARY + "Note",),
    "THEORY": (VOCABULARY + "Theory",),
    "TERM": (VOCABULARY + "Term", expand("ontolex:LexicalEntry")),
    "CLAIM": (VOCABULARY + "Claim",),
}
ABSENT = {"placeholder": "Placeholder", "foreign": "Foreign"}


def quads(corpus: Corpus, verdicts: Mapping[str, Verdict] | None = None) -> Iterator[Quad]:
    """Yield the whole record, in an order that depends on nothing but the record.

    `verdicts` are what the stored runs say of the claims, where they are known already.
    """
    results = Results(corpus, verdicts)
    stated: dict[str, list[Edge]] = {}
    for edge in corpus.edges:
        stated.setdefault(edge.path, []).append(edge)
    known: set[str] = set()
    for record in (*corpus.records.values(), *corpus.duplicates):
        graph = _RecordGraph(corpus, record.path, known)
        further = graph.record(record, results)
        for edge in stated.get(record.path, ()):
            graph.edge(edge)
        for each in (graph, *further):
            yield from each.made
    yield from _rollup(corpus)


def _rollup(corpus: Corpus) -> Iterator[Quad]:
    """Yield what follows from the edges and no file says: a graph of its own."""
    base, place = corpus.config.base, corpus.config.base + iris.ROLLUP
    belongs, names = VOCABULARY + "belongsTo", VOCABULARY + "names"
    for name in (*corpus.records, *corpus.claims, *corpus.senses):
        subject = iris.of(base, name)
        for work in rollup.works(corpus, name):
            yield Quad(subject, belongs, iris.of(base, work), "", place)
    holders = {record.path: record.id for record in corpus.records.values()}
    named: dict[tuple[str, str], None] = {}
    for edge in corpus.edges:
        ends = ids.record_of(edge.subject), ids.record_of(edge.object)
        for path in (edge.path, *(path for path, _, _ in edge.also)):
            here = holders.get(path)
            for end in ends:
                if here and end != here and end in corpus.records:
                    named[here, end] = None
    for here, end in named:
        yield Quad(iris.of(base, here), names, iris.of(base, end), "", place)


def dataset(corpus: Corpus, verdicts: Mapping[str, Verdict] | None = None) -> rdflib.Dataset:
    """Return the whole record as an rdflib dataset whose default graph is the union."""
    from rdflib import Dataset, Literal, URIRef

    made = Dataset(default_union=True)
    for prefix, start in iris.prefixes(corpus.config.base).items():
        made.bind(prefix, start)
    nodes: dict[str, URIRef] = {}

    graphs: dict[str, rdflib.Graph] = {}

    def node(iri: str) -> URIRef:
        return nodes.get(iri) or nodes.setdefault(iri, URIRef(iri))

    for subject, predicate, object_, datatype, name in quads(corpus, verdicts):
        graph = graphs.get(name)
        if graph is None:
            graph = graphs[name] = made.graph(node(name))
        end: URIRef | Literal
        if not datatype:
            end = node(object_)
        else:
            end = Literal(object_, datatype=None if datatype == STRING else node(datatype))
        graph.add((node(subject), node(predicate), end))
    return made


class _RecordGraph(NamedGraph):
    """What one record's file says."""

    def __init__(self, corpus: Corpus, path: str, known: set[str]) -> None:
        super().__init__(corpus.config.base, path)
        self.corpus = corpus
        self.known = known  # absent ends that an earlier file already described

    def record(self, record: Record, results: Results) -> list[NamedGraph]:
        """Add a record, its claims, senses and concepts; return the graphs of its run files."""
        corpus = self.corpus
        further: list[NamedGraph] = []
        if corpus.records.get(record.id) is record:
            self._record(record)
            if isinstance(record, Theory):
                self._standing(record.id, results)
        for claim in record.claims:
            if corpus.claims.get(claim.id) is claim:
                self._claim(claim)
                self._standing(claim.id, results)
                further += results.graphs(claim, self)
        if isinstance(record, Term):
            for sense in record.senses:
                if corpus.senses.get(sense.id) is sense:
                    self._sense(sense)
        for concept in record.concepts:
            self._concept(record, concept)
        return further

    def _record(self, record: Record) -> None:
        node, say = iris.of(self.base, record.id), self.say
        types = (VOCABULARY + "Record", *KINDS.get(record.kind, ()))
        line = self.corpus.place(record.id)[1]
        self.node(node, record.id, self.corpus.label(record.id), line, *types)
        say(node, "scheme", record.kind)
        number = record.id.rpartition("-")[2]
        if number.isdecimal():
            say(node, "number", str(int(number)), INTEGER)
        say(node, "status", record.status)
        say(node, "statusNote", record.status_note)
        say(node, "summary", record.summary)
        for tag in record.tags:
            say(node, "tag", tag)
        for old in record.formerly:
            say(node, "formerly", old)
        self.filed(node, record.date)
        if isinstance(record, Lit):
            self._work(node, record)
        elif isinstance(record, Theory):
            say(node, "mechanism", record.mechanism)
            say(node, "promoteWhen", record.promote_when)
        elif isinstance(record, Term):
            say(node, "definition", record.definition)
            for alias in record.aliases:
                self.public(node, "skos:altLabel", alias)
            for word in (record.title, *record.aliases):
                say(node, "word", lexical.folded(word))

    def _standing(self, name: str, results: Results) -> None:
        """Say where an account stands, and a claim where anything speaks against it."""
        found = standing.of(self.corpus, name, results.verdicts)
        node = iris.of(self.base, name)
        if found.word != "uncontested" or name not in self.corpus.claims:
            self.say(node, "standing", found.word)
        for each in found.look_again:
            self.link(node, "lookAgain", iris.of(self.base, each))

    def _work(self, node: str, work: Lit) -> None:
        """Say what bibliographies say, in their own vocabularies."""
        public = self.public
        public(node, "dcterms:title", work.title)
        public(node, "dcterms:issued", work.published, lexical.period(work.published))
        for author in work.authors or (work.first_author,):
            public(node, "dc:creator", author)
        arxiv = ids.arxiv(work.arxiv) if work.arxiv else None
        if arxiv:
            public(node, "fabio:hasArXivId", arxiv[0])
            public(node, "rdfs:seeAlso", f"https://arxiv.org/abs/{arxiv[0]}", "")
        public(node, "prism:doi", work.doi)
        public(node, "prism:url", work.url)
        for keyword in work.keywords:
            public(node, "prism:keyword", keyword)
            self.say(node, "word", lexical.folded(keyword))
        self.say(node, "venue", work.venue)
        self.say(node, "firstAuthor", work.first_author)
        for implementation in work.implementations:
            self.say(node, "implementation", implementation)

    def _claim(self, claim: Claim) -> None:
        node, say = iris.of(self.base, claim.id), self.say
        if "#" in claim.id:
            self.node(node, claim.id, claim.text, claim.line, VOCABULARY + "Claim")
            self.link(node, "statedIn", iris.of(self.base, claim.record))
        say(node, "strength", lexical.said(claim.strength))
        say(node, "strengthHead", claim.strength_head)
        say(node, "support", lexical.said(claim.support))
        say(node, "form", claim.form)
        say(node, "locator", claim.locator)
        say(node, "untestedBecause", claim.untested)

    def _sense(self, sense: Sense) -> None:
        node, say = iris.of(self.base, sense.id), self.say
        types = (VOCABULARY + "Sense", expand("ontolex:LexicalSense"))
        self.node(node, sense.id, self.corpus.label(sense.id), sense.line, *types)
        self.link(node, "senseOf", iris.of(self.base, ids.record_of(sense.id)))
        say(node, "refersTo", sense.refers_to)
        say(node, "locus", sense.locus)
        say(node, "axis", sense.axis)
        self._refer(node, "preventedBy", sense.prevented_by)

    def _concept(self, record: Record, concept: Concept) -> None:
        holder = iris.of(self.base, record.id)
        node = f"{holder}/concept/{lexical.slug(concept.term)}"
        name = iris.name(self.base, node)
        types = (VOCABULARY + "Concept", expand("skos:Concept"))
        self.node(node, name, concept.term, concept.line, *types)
        self.link(node, "statedIn", holder)
        self.say(node, "word", lexical.folded(concept.term))
        self.say(node, "definition", concept.definition)

    def _refer(self, node: str, name: str, text: str) -> None:
        """Link to what a field names; where it names nothing that has an id, keep its words."""
        if not text:
            return
        found = self.corpus.find(text) if ids.is_id(text) else None
        if found:
            self.link(node, name, iris.of(self.base, found))
        else:
            self.say(node, name + "Text", text)

    # ---------------------------------------------------------------- edges

    def edge(self, edge: Edge) -> None:
        """Add an edge: the direct triple where the record holds it, and the statement."""
        base, say = self.base, self.say
        subject, object_ = iris.of(base, edge.subject), iris.of(base, edge.object)
        predicate = iris.predicate(edge.relation)
        self._absent(edge.subject, edge)
        self._absent(edge.object, edge)
        if edge.asserted:
            self.made.append(Quad(subject, predicate, object_, "", self.graph))
            if relations.BY_NAME[edge.relation].symmetric:
                self.made.append(Quad(object_, predicate, subject, "", self.graph))
        node = iris.statement(base, subject, edge.relation, object_)
        name = f"{edge.subject} {edge.relation} {edge.object}"
        self.node(node, name, name, edge.line, VOCABULARY + "Relation")
        self.made += (
            Quad(node, SUBJECT, subject, "", self.graph),
            Quad(node, PREDICATE, predicate, "", self.graph),
            Quad(node, OBJECT, object_, "", self.graph),
        )
        say(node, "status", edge.status)
        for field in ("because", "aspect", "by", "quoted", "says"):
            say(node, field, getattr(edge, field))
        self._refer(node, "component", edge.component)
        for evidence in edge.evidence:
            self._refer(node, "evidence", evidence)
        self.filed(node, edge.filed)
        if ids.is_placeholder(edge.was):
            self._absent(edge.was, edge)
            self.link(node, "was", iris.of(base, edge.was))
            self.link(iris.of(base, edge.was), "resolvedTo", object_)
        else:
            self._refer(node, "was", edge.was)
        for path, line, _ in edge.also:
            say(node, "alsoAt", f"{lexical.printable(path)}:{line}")

    def _absent(self, name: str, edge: Edge) -> None:
        """Describe an end that no file of this record describes, once."""
        corpus = self.corpus
        if name in corpus.records or name in corpus.claims or name in corpus.senses:
            return
        if name in self.known:
            return
        self.known.add(name)
        kind = ABSENT.get(corpus.kind(name), "Unknown")
        label = edge.says if name.startswith("?") else ""
        node = iris.of(self.base, name)
        self.node(node, name, label, edge.line, VOCABULARY + kind)
