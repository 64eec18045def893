"""The published vocabulary: every class and predicate that the graph uses, and what it means.

The relations come from `anthology.relations`; the rest is the table below. To add a
predicate, add one entry here and yield it in `rdf`; a test keeps the two together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from anthology import relations
from litgraph.iris import VOCABULARY, expand, predicate
from litgraph.lexical import STRING
from litgraph.quads import LABEL, Quad

if TYPE_CHECKING:
    from collections.abc import Iterator

if TYPE_CHECKING:
    from collections.abc import Iterator


class Name(NamedTuple):
    """One class or predicate.

    Attributes:
        name: Within the vocabulary; a class starts with a capital.
        comment: What it means, and what its values are where they are a closed set.
        of: The class of its subjects, where it is only ever said of one.
        gives: The class of its objects, or the datatype of its values.
        above: The classes or the predicate that it is a case of.
        near: The public term that comes closest.

    """

    name: str
    comment: str
    of: str = ""
    gives: str = "xsd:string"
    above: tuple[str, ...] = ()
    near: str = ""


RECORD = ("ant:Record",)

CLASSES = (
    Name("Record", "What one file holds, whatever its scheme."),
    Name("Work", "A work of the literature: a LIT record.", above=(*RECORD, "fabio:Work")),
    Name("Note", "A close reading of one work: a NOTE record.", above=RECORD),
    Name("Theory", "An account of why something works: a THEORY record.", above=RECORD),
    Name(
        "Term",
        "A word, and the things it names: a TERM record.",
        above=(*RECORD, "ontolex:LexicalEntry"),
    ),
    Name("Sense", "One of the things that a term names.", above=("ontolex:LexicalSense",)),
    Name("Claim", "One thing that a record says, such as NOTE-274#C1."),
    Name(
        "Concept",
        "A term as one note defines it in its Concepts section.",
        above=("skos:Concept",),
    ),
    Name("Placeholder", "What somebody spoke of before anybody had filed it."),
    Name("Foreign", "A code of a scheme that has no record here."),
    Name("Unknown", "A code of a scheme that has records here, none of them this one."),
    Name(
        "Relation",
        "One typed edge, whatever its status. The edges that the record holds as true are "
        "direct triples too; a proposed or withdrawn one is found only as its ant:Relation.",
        above=("rdf:Statement",),
    ),
    Name(
        "Test",
        "How a claim is measured, and what the numbers must be.",
        above=("earl:TestCase",),
    ),
    Name("Run", "A measurement whose numbers are kept.", above=("prov:Activity",)),
    Name("Verdict", "What the record's own runs say of a claim.", above=("earl:Assertion",)),
)

PREDICATES = (
    # Every node.
    Name("file", "The file that says it, relative to the root."),
    Name("line", "The line of that file.", gives="xsd:integer"),
    Name(
        "belongsTo",
        "A record or work that something belongs to: a claim's record and paper, a reading's "
        "paper, an account's sources, a sense's users; a record belongs to itself too. Derived, "
        "in a graph of its own.",
        gives="",
        near="dcterms:isPartOf",
    ),
    Name(
        "names",
        "Another record that the file of this one names in an edge, whatever the edge's status. "
        "Derived, in a graph of its own.",
        gives="",
        near="dcterms:references",
    ),
    # Records.
    Name("scheme", "The scheme of a record's id, such as LIT.", "ant:Record"),
    Name(
        "number",
        "The number of a record's id. Of two records of one scheme filed on one day, the one "
        "with the lower number was filed first.",
        "ant:Record",
        "xsd:integer",
    ),
    Name(
        "status",
        "Of a record, its curators' word, such as Active. Of a relation: active, proposed, "
        "withdrawn or target-absent.",
    ),
    Name("statusNote", "Why a record has its status.", "ant:Record"),
    Name("summary", "A record in a sentence or two.", "ant:Record", near="dcterms:abstract"),
    Name("tag", "A word that a record is filed under.", "ant:Record", near="dcterms:subject"),
    Name("formerly", "An id that a record had before.", "ant:Record"),
    Name(
        "filed",
        "When something was filed, as written: a day, or a span such as 2026-09-21/22.",
        near="dcterms:created",
    ),
    Name("filedFrom", "The first day on which it can have been filed.", gives="xsd:date"),
    Name("filedTo", "The last day on which it can have been filed.", gives="xsd:date"),
    Name("venue", "Where a work appeared.", "ant:Work"),
    Name("firstAuthor", "The first of a work's authors.", "ant:Work", near="dc:creator"),
    Name("implementation", "Where code for a work is.", "ant:Work"),
    Name("standing", "Whether an account or claim is contested, answered, refuted or superseded."),
    Name("lookAgain", "A refuted claim that this one refines or rests on.", "", "ant:Claim"),
    Name("mechanism", "How an account says that it works.", "ant:Theory"),
    Name("promoteWhen", "What would settle an account.", "ant:Theory"),
    Name(
        "word",
        "A word that a term goes by, a concept defines or a work is filed under, in lower case, "
        "so that the three can be compared.",
    ),
    Name("definition", "What a term means, in words.", near="skos:definition"),
    # Claims.
    Name("statedIn", "The record that states a claim or defines a concept.", gives="ant:Record"),
    Name("strength", "How strongly a claim holds, in the reader's words.", "ant:Claim"),
    Name("strengthHead", "The first word of that, in lower case.", "ant:Claim"),
    Name("support", "What a claim rests on, in the reader's words.", "ant:Claim"),
    Name(
        "form",
        "What a pass of a claim's test means: universal, existential, statistical, causal or "
        "definition.",
        "ant:Claim",
    ),
    Name("locator", "Where the work says it.", "ant:Claim"),
    Name("untestedBecause", "Why nothing here can test a claim.", "ant:Claim"),
    Name(
        "verdict",
        "What the record's own runs say of a claim: corroborated, supported, refuted, "
        "inconclusive, vacuous, error or untested.",
        "ant:Claim",
    ),
    # Tests, runs and verdicts.
    Name("testOf", "The claim that a test bears on.", "ant:Test", "ant:Claim"),
    Name("experiment", "What is run, as topic.measurement.", "ant:Test"),
    Name("seeds", "How many seeds are asked for.", gives="xsd:integer"),
    Name("expect", "A condition that must hold.", "ant:Test"),
    Name("refute", "A condition that refutes the claim.", "ant:Test"),
    Name("guard", "A condition without which the numbers mean nothing.", "ant:Test"),
    Name("floor", "A condition under which arithmetic can tell no more.", "ant:Test"),
    Name("control", "A change under which the expectation must fail, by name.", "ant:Test"),
    Name("shows", "What a pass shows.", "ant:Test"),
    Name("doesNotShow", "What a pass does not show.", "ant:Test"),
    Name("outcome", "The verdict in one word, as ant:verdict says it of the claim.", "ant:Verdict"),
    Name("cause", "Why the verdict is what it is, in a few words.", "ant:Verdict"),
    Name("detail", "Why, with the numbers.", "ant:Verdict"),
    Name("passed", "How many seeds met the expectation.", "ant:Verdict", "xsd:integer"),
    Name("stale", "Whether what was measured changed since.", "ant:Verdict", "xsd:boolean"),
    Name("staleBecause", "What has changed, and how.", "ant:Verdict"),
    Name("note", "What asks for a look and changes no verdict.", "ant:Verdict"),
    Name("seconds", "How long the measurement took.", "ant:Run", "xsd:decimal"),
    Name("memory", "How much memory it took at most, in megabytes.", "ant:Run", "xsd:decimal"),
    Name("commit", "The commit at which the measuring code stood.", "ant:Run"),
    Name("environment", "What it ran on, such as torch 2.13.0.", "ant:Run"),
    # Senses.
    Name(
        "senseOf",
        "The term that has this sense.",
        "ant:Sense",
        "ant:Term",
        above=("ontolex:isSenseOf",),
    ),
    Name("refersTo", "What a word means in this sense.", "ant:Sense", near="skos:definition"),
    Name("locus", "What it happens to.", "ant:Sense"),
    Name("axis", "Along what it happens.", "ant:Sense"),
    Name("preventedBy", "What prevents it.", "ant:Sense", ""),
    Name("preventedByText", "What prevents it, where no record of it is named.", "ant:Sense"),
    # Relations.
    Name("because", "Why one holds that the relation is so.", "ant:Relation"),
    Name("evidence", "What a relation rests on: a record, claim or sense.", "ant:Relation", ""),
    Name("evidenceText", "What a relation rests on, in words.", "ant:Relation"),
    Name("aspect", "In what respect a relation holds.", "ant:Relation"),
    Name("component", "What two accounts both explain.", "ant:Relation", ""),
    Name("componentText", "The same, where no record of it is named.", "ant:Relation"),
    Name("by", "Who says that the relation is so.", "ant:Relation", near="prov:wasAttributedTo"),
    Name("quoted", "The words that a relation rests on.", "ant:Relation"),
    Name("says", "How an edge describes what nobody had filed.", "ant:Relation"),
    Name("was", "What an edge had for its target before: a placeholder.", "ant:Relation", ""),
    Name("wasText", "The same, where it is no placeholder's name.", "ant:Relation"),
    Name("resolvedTo", "What was filed in a placeholder's stead.", "ant:Placeholder", ""),
    Name("alsoAt", "Another place that states the same edge, as file:line.", "ant:Relation"),
)


def quads() -> Iterator[Quad]:
    """Yield the vocabulary: labels, comments, domains, ranges, inverses and mappings."""
    yield from _say(
        VOCABULARY, "owl:Ontology", "anthology",
        "What a literature record can say: records, claims, senses of words, and the typed "
        "relations among them.",
    )  # fmt: skip
    for each in CLASSES:
        yield from _class(each)
    for each in PREDICATES:
        yield from _predicate(each)
    for relation in relations.RELATIONS:
        yield from _relation(relation)


def names() -> frozenset[str]:
    """Return the IRI of every class and predicate that is declared."""
    return frozenset(each.subject for each in quads() if each.subject != VOCABULARY)


def _class(each: Name) -> Iterator[Quad]:
    node = VOCABULARY + each.name
    yield from _say(node, "owl:Class", each.name, each.comment)
    for above in each.above:
        yield _link(node, "rdfs:subClassOf", expand(above))


def _predicate(each: Name) -> Iterator[Quad]:
    node = VOCABULARY + each.name
    literal = each.gives.startswith("xsd:")
    kind = "owl:DatatypeProperty" if literal else "owl:ObjectProperty"
    yield from _say(node, kind, each.name, each.comment)
    if each.of:
        yield _link(node, "rdfs:domain", expand(each.of))
    if each.gives:
        yield _link(node, "rdfs:range", expand(each.gives))
    for above in each.above:
        yield _link(node, "rdfs:subPropertyOf", expand(above))
    if each.near:
        yield _link(node, "skos:closeMatch", expand(each.near))


def _relation(relation: relations.RelationType) -> Iterator[Quad]:
    """Yield a relation, its laws, and its inverse, which is declared and never stated.

    The kinds that the table allows are no domain or range: an edge between others is a
    finding and stays an edge, and nobody should infer from it what its ends are.
    """
    node = predicate(relation.name)
    gloss = relation.gloss.format(a="The subject", b="the object") + "."
    law = " A chain of it never returns to its start." if relation.acyclic else ""
    use = f" To be used where {relation.use}." if relation.use else ""
    yield from _say(node, "owl:ObjectProperty", relation.name, gloss + use + law)
    if relation.transitive:
        yield _link(node, "rdf:type", expand("owl:TransitiveProperty"))
    for mapping, curie in relation.public:
        yield _link(node, f"skos:{mapping}", expand(curie))
    if relation.symmetric:
        yield _link(node, "rdf:type", expand("owl:SymmetricProperty"))
        return
    inverse = predicate(relation.inverse)
    yield _link(node, "owl:inverseOf", inverse)
    local = node.removeprefix(VOCABULARY)
    comment = f"The inverse of {relation.name}; no graph states it, a query reads ^ant:{local}."
    yield from _say(inverse, "owl:ObjectProperty", relation.inverse, comment)
    yield _link(inverse, "owl:inverseOf", node)


def _say(node: str, kind: str, label: str, comment: str) -> Iterator[Quad]:
    yield _link(node, "rdf:type", expand(kind))
    yield Quad(node, LABEL, label, STRING, VOCABULARY)
    yield Quad(node, expand("rdfs:comment"), comment, STRING, VOCABULARY)
    if node != VOCABULARY:
        yield _link(node, "rdfs:isDefinedBy", VOCABULARY)


def _link(node: str, name: str, end: str) -> Quad:
    return Quad(node, expand(name), end, "", VOCABULARY)
