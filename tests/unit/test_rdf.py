"""The graph: what is said of an edge, and that every engine and syntax holds the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
import rdflib.compare
from hypothesis import given, settings

from anthology.corpus import Corpus
from anthology.judge import Verdict
from litgraph import iris, lexical, quads, rdf, syntax, vocabulary
from litgraph.iris import PREFIXES, VOCABULARY
from tests.random_corpus import corpora

ROOT = Path(__file__).parents[2]
R = "urn:anthology:record/"
Make = Callable[..., Corpus]

# rdflib 7.6 warns of its own classes and properties, which its own methods use.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")


def short(corpus: Corpus) -> set[tuple[str, str, str]]:
    """Return the union, nodes and predicates by the names that people use."""
    base = corpus.config.base
    return {
        (
            iris.name(base, each.subject),
            iris.name(base, each.predicate),
            each.object if each.datatype else iris.name(base, each.object),
        )
        for each in rdf.quads(corpus)
    }


# ---------------------------------------------------------------- edges


def test_a_stated_edge_is_a_triple_and_a_statement(make: Make) -> None:
    found = short(make(
        THEORY_066="title: tokens collapse",
        NOTE_266="""
            claims:
              C5:
                text: the wrong place to look
                relations:
                  rejects:
                  - to: THEORY-066
                    aspect: cause of a crash
                    because: it sits in the weights
                    evidence: [argued, THEORY-066]
                    by: a reader
                    filed: 2026-09-21/22
                    quoted: in its own words
            """,
    ))  # fmt: skip
    assert ("NOTE-266#C5", "rejects", "THEORY-066") in found
    rel = "rel:NOTE-266.C5.rejects.THEORY-066"
    assert {(p, o) for s, p, o in found if s == rel} == {
        ("rdf:type", "ant:Relation"),
        ("rdfs:label", "NOTE-266#C5 rejects THEORY-066"),
        ("dcterms:identifier", "NOTE-266#C5 rejects THEORY-066"),
        ("rdf:subject", "NOTE-266#C5"),
        ("rdf:predicate", "rejects"),
        ("rdf:object", "THEORY-066"),
        ("ant:status", "active"),
        ("ant:aspect", "cause of a crash"),
        ("ant:because", "it sits in the weights"),
        ("ant:evidenceText", "argued"),
        ("ant:evidence", "THEORY-066"),
        ("ant:by", "a reader"),
        ("ant:quoted", "in its own words"),
        ("ant:filed", "2026-09-21/22"),
        ("ant:filedFrom", "2026-09-21"),
        ("ant:filedTo", "2026-09-22"),
        ("ant:file", "records/NOTE-266.md"),
        ("ant:line", "7"),
    }


@pytest.mark.parametrize("status", ["proposed", "withdrawn"])
def test_what_is_not_held_is_no_triple(make: Make, status: str) -> None:
    relation = f"relations: {{refines: [{{to: LIT-002, status: {status}}}]}}"
    found = short(make(LIT_001=relation, LIT_002="title: b"))
    assert not [each for each in found if each[1] == "refines"]
    assert ("rel:LIT-001.refines.LIT-002", "ant:status", status) in found


def test_a_symmetric_edge_is_seen_from_both_ends_and_stated_once(make: Make) -> None:
    found = short(make(
        THEORY_011="title: a",
        THEORY_066="relations: {alternative-account: [{to: THEORY-011, component: TERM-002}]}",
        TERM_002="title: skip connection",
    ))  # fmt: skip
    edge = "alternative-account"
    assert {("THEORY-011", edge, "THEORY-066"), ("THEORY-066", edge, "THEORY-011")} <= found
    statements = [s for s, p, o in found if (p, o) == ("rdf:predicate", edge)]
    assert statements == ["rel:THEORY-066.alternativeAccount.THEORY-011".replace(
        "alternativeAccount", edge)]  # fmt: skip
    assert (statements[0], "ant:component", "TERM-002") in found


def test_a_target_that_nobody_filed_is_a_placeholder(make: Make) -> None:
    relation = 'relations: {rejects: [{to: "?collapse", says: the other locus}]}'
    found = short(make(THEORY_062=relation))
    assert ("THEORY-062", "rejects", "?collapse") in found
    assert ("?collapse", "rdf:type", "ant:Placeholder") in found
    assert ("?collapse", "rdfs:label", "the other locus") in found
    assert ("rel:THEORY-062.rejects.placeholder.collapse", "ant:status", "target-absent") in found


def test_a_target_that_was_filed_since_knows_its_placeholder(make: Make) -> None:
    found = short(make(
        THEORY_062='relations: {rejects: [{to: THEORY-066, was: "?collapse", says: the locus}]}',
        THEORY_066="title: tokens collapse",
    ))  # fmt: skip
    assert ("?collapse", "ant:resolvedTo", "THEORY-066") in found
    assert ("?collapse", "ant:file", "records/THEORY-062.md") in found
    assert ("rel:THEORY-062.rejects.THEORY-066", "ant:was", "?collapse") in found


def test_a_code_without_a_record_says_which_kind_it_is(make: Make) -> None:
    found = short(make(LIT_001="relations: {refines: [LIT-999], compared-against: [SOTA-010]}"))
    assert ("LIT-999", "rdf:type", "ant:Unknown") in found
    assert ("SOTA-010", "rdf:type", "ant:Foreign") in found


def test_two_places_of_one_edge_are_both_kept(make: Make) -> None:
    found = short(make(LIT_001="extends: [LIT-002]", LIT_002="extended_by: [LIT-001]"))
    places = {o for s, p, o in found if p in {"ant:file", "ant:alsoAt"} and s.startswith("rel:")}
    assert places == {"records/LIT-001.md", "records/LIT-002.md:2"}


def test_a_dot_in_a_name_makes_no_two_edges_one() -> None:
    first = iris.statement(R, f"{R}NOTE-1/a", "rejects", f"{R}LIT-2/b.rejects.LIT-3")
    second = iris.statement(R, f"{R}NOTE-1/a.rejects.LIT-2", "rejects", f"{R}LIT-3/b")
    assert first != second


def test_what_an_end_belongs_to_stands_in_a_graph_of_its_own(seed: Corpus) -> None:
    belongs = VOCABULARY + "belongsTo"
    found = {
        (iris.name(R, each.subject), iris.name(R, each.object)): each.graph
        for each in rdf.quads(seed)
        if each.predicate == belongs
    }
    assert found["NOTE-266#C5", "LIT-521"] == R + iris.ROLLUP
    assert found["THEORY-066", "LIT-530"] == R + iris.ROLLUP
    assert ("TERM-001#weights", "LIT-350") in found
    assert ("LIT-530", "LIT-530") in found
    others = {e.predicate for e in rdf.quads(seed) if e.graph == R + iris.ROLLUP}
    assert others == {belongs, VOCABULARY + "names"}


def test_a_record_names_what_its_file_names(make: Make) -> None:
    found = short(make(
        LIT_001="refines: [{to: LIT-002, status: proposed}]",
        LIT_002="title: a",
        TERM_001="senses: {a: {used_by: [LIT-001]}}",
    ))  # fmt: skip
    assert {(s, o) for s, p, o in found if p == "ant:names"} == {
        ("LIT-001", "LIT-002"), ("TERM-001", "LIT-001"),
    }  # fmt: skip


# ---------------------------------------------------------------- nodes


def test_every_file_has_a_graph_that_holds_what_it_says(seed: Corpus) -> None:
    graphs = {iris.file(R, each.path): each.path for each in seed.records.values()}
    said = {each.graph for each in rdf.quads(seed)}
    runs = {each for each in said if each.startswith(f"{R}file/records/runs/")}
    assert said - runs == {*graphs, R + iris.ROLLUP}


def test_a_work_is_described_as_bibliographies_do(seed: Corpus) -> None:
    work = {(p, o) for s, p, o in short(seed) if s == "LIT-530"}
    assert {
        ("rdf:type", "fabio:Work"),
        ("dc:creator", "Loukas"),
        ("dcterms:issued", "2021-03-05"),
        ("fabio:hasArXivId", "2103.03404"),
        ("rdfs:seeAlso", "https://arxiv.org/abs/2103.03404"),
        ("prism:keyword", "rank collapse"),
        ("ant:number", "530"),
    } <= work


def test_a_test_says_what_must_hold(seed: Corpus) -> None:
    found = short(seed)
    case = "NOTE-274#C1/test"
    assert (case, "ant:testOf", "NOTE-274#C1") in found
    assert (case, "ant:experiment", "rank_collapse.rate") in found
    assert (case, "ant:expect", "slope in [2.9, 3.1]") in found
    assert (case, "ant:control", "causal mask") in found


def test_a_verdict_is_an_earl_assertion(seed: Corpus) -> None:
    verdict = Verdict("corroborated", passed=20, seeds=20, stale=(("code", "rate.py changed"),))
    base = seed.config.base
    found = {
        (iris.name(base, q.subject), iris.name(base, q.predicate), q.object)
        for q in rdf.quads(seed, {"NOTE-274#C1": verdict})
    }
    node = "NOTE-274#C1/verdict"
    assert ("NOTE-274#C1", "ant:verdict", "corroborated") in found
    assert (node, "rdfs:label", "corroborated (20/20)") in found
    assert (node, "earl:subject", R + "NOTE-274/C1") in found
    assert (node + "/result", "earl:outcome", PREFIXES["earl"] + "passed") in found
    assert (node, "ant:stale", "true") in found
    assert (node, "ant:staleBecause", "code: rate.py changed") in found
    assert ("NOTE-274#C2", "ant:verdict", "untested") in found


def test_the_base_is_the_configuration_s(make: Make) -> None:
    root = make(LIT_001="title: a").root
    (root / "pyproject.toml").write_text('[tool.anthology]\nbase = "https://example.org/r"\n')
    from anthology import corpus

    subjects = {each.subject for each in rdf.quads(corpus.load(root))}
    assert subjects == {"https://example.org/r/LIT-001"}


# ---------------------------------------------------------------- laws, on any record


@given(corpora())
@settings(max_examples=50, deadline=None)
def test_every_node_says_what_it_is_and_where(corpus: Corpus) -> None:
    said: dict[str, set[str]] = {}
    named = set()
    for each in rdf.quads(corpus):
        said.setdefault(each.subject, set()).add(each.predicate)
        if not each.datatype and each.object.startswith(corpus.config.base):
            named.add(each.object)
    must = {quads.TYPE, quads.LABEL, quads.IDENTIFIER, VOCABULARY + "file", VOCABULARY + "line"}
    for node in {*said, *named}:
        assert must <= said.get(node, set()), node


@given(corpora())
@settings(max_examples=50, deadline=None)
def test_a_triple_of_a_relation_is_an_edge_that_is_held(corpus: Corpus) -> None:
    predicates = {iris.predicate(each.relation) for each in corpus.edges}
    stated = {(q.subject, q.predicate, q.object) for q in rdf.quads(corpus)
              if q.predicate in predicates}  # fmt: skip
    base = corpus.config.base
    held = set()
    for edge in corpus.edges:
        if edge.status in {"active", "target-absent"}:
            ends = iris.of(base, edge.subject), iris.of(base, edge.object)
            held.add((ends[0], iris.predicate(edge.relation), ends[1]))
            if edge.relation in {"homonym", "contradicts", "alternative-account", "rivals",
                                 "compared-against"}:  # fmt: skip
                held.add((ends[1], iris.predicate(edge.relation), ends[0]))
    assert stated == held
    statements = {q.subject for q in rdf.quads(corpus) if q.predicate == rdf.PREDICATE}
    assert len(statements) == len(corpus.edges)


@given(corpora())
@settings(max_examples=25, deadline=None)
@pytest.mark.parametrize("name", syntax.FORMATS)
def test_what_is_written_is_read_back_the_same(name: str, corpus: Corpus) -> None:
    found = list(rdf.quads(corpus))
    form = syntax.FORMATS[name]
    data = syntax.serialize(found, name, iris.prefixes(corpus.config.base))
    read = ox.Dataset(ox.parse(data, form.syntax))
    meant = ox.Dataset(
        ox.Quad(
            ox.NamedNode(each.subject),
            ox.NamedNode(each.predicate),
            ox.Literal(each.object, datatype=ox.NamedNode(each.datatype))
            if each.datatype
            else ox.NamedNode(each.object),
            ox.NamedNode(each.graph) if form.graphs else ox.DefaultGraph(),
        )
        for each in found
    )
    for each in (read, meant):
        each.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert read == meant


@given(corpora())
@settings(max_examples=8, deadline=None)
def test_rdflib_holds_the_same_graph(corpus: Corpus) -> None:
    data = syntax.serialize(rdf.quads(corpus), "turtle", iris.prefixes(corpus.config.base))
    read = rdflib.Graph().parse(data=data, format="turtle")
    union = rdflib.Graph()
    for triple in rdf.dataset(corpus).triples((None, None, None)):
        union.add(triple)
    assert rdflib.compare.isomorphic(read, union)


# ---------------------------------------------------------------- files


def test_the_exported_turtle_is_isomorphic_to_the_dataset(seed: Corpus) -> None:
    prefixes = iris.prefixes(seed.config.base)
    turtle = syntax.serialize(rdf.quads(seed), "turtle", prefixes)
    whole = rdf.dataset(seed)
    assert whole.default_union
    union = rdflib.Graph()
    for triple in whole.triples((None, None, None)):
        union.add(triple)
    assert rdflib.compare.isomorphic(rdflib.Graph().parse(data=turtle), union)
    assert not [each for each in union.all_nodes() if isinstance(each, rdflib.BNode)]
    jsonld = syntax.serialize(rdf.quads(seed), "jsonld", prefixes)
    again = rdflib.Dataset()
    again.parse(data=jsonld, format="json-ld")
    assert set(again.quads()) == set(whole.quads())


def test_the_same_record_gives_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import anthology, hashlib; from litgraph import rdf, syntax, iris; "
        f"c = anthology.load({str(ROOT)!r}); p = iris.prefixes(c.config.base); "
        "[print(hashlib.sha256(syntax.serialize(rdf.quads(c), n, p)).hexdigest())"
        " for n in syntax.FORMATS]"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env={"PYTHONHASHSEED": seed}, check=True,
            capture_output=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(made) == 1


def test_a_turtle_reader_sees_a_node_s_type_first_and_short_names(seed: Corpus) -> None:
    text = syntax.serialize(rdf.quads(seed), "turtle", iris.prefixes(R)).decode()
    assert "\nr:NOTE-274\\/C1 a ant:Claim ;\n" in text
    assert text.startswith("@prefix ant: <urn:anthology:vocabulary/> .\n@prefix dc: ")
    assert "@prefix lexinfo:" not in text  # not used


# ---------------------------------------------------------------- the vocabulary


def ours(found: Corpus, verdicts: dict[str, Verdict] | None = None) -> set[str]:
    terms = set()
    for each in rdf.quads(found, verdicts):
        terms |= {each.predicate} if each.predicate.startswith(VOCABULARY) else set()
        if each.predicate in {quads.TYPE, rdf.PREDICATE} and each.object.startswith(VOCABULARY):
            terms.add(each.object)
    return terms


def test_every_name_that_is_used_is_declared_and_the_reverse(make: Make, seed: Corpus) -> None:
    verdict = Verdict("refuted", "x", "y", 1, 2, stale=(("a", "b"),), notes=("n",))
    rich = make(
        SOTA_001="relations: {contested-by: [LIT-001], compared-against: [DP-001]}",
        LIT_001="""
            status: Active
            status_note: note
            venue: ICML
            first_author: A
            implementations: [here]
            tags: [t]
            formerly: [LIT-tmpabcde]
            relations:
              introduced-by: [LIT-777]
              supersedes: [LIT-003]
              extends: [LIT-002]
              rejects: [{to: "?nobody", says: s}, {to: LIT-002, was: a thing}]
            """,
        LIT_002="extended_by: [LIT-001]",
        NOTE_001="""
            claims:
              C1:
                text: t
                locator: Theorem 1
                untested: because
                test: {run: a.b, expect: x < 1, refute: x > 2, guard: y > 0, floor: z < 1,
                       control: {k: {}}, shows: s, does_not_show: d}
                relations:
                  contradicts: [C2]
                  rejects: [{to: THEORY-001, aspect: a, by: me, quoted: q, evidence: LIT-001}]
              C2:
                text: u
            """,
        THEORY_001="""
            mechanism: m
            promote_when: p
            relations:
              rivals: [{to: THEORY-002, component: a trunk}]
            """,
        TERM_001="""
            definition: d
            senses:
              a: {refers_to: x, locus: y, axis: z, prevented_by: nothing we hold}
            """,
    )
    used = ours(rich, {"NOTE-001#C1": verdict}) | ours(seed)
    # What only a stored run can say is tested where one is read.
    stored = ("Run", "seconds", "memory", "commit", "environment", "lookAgain")
    run = {VOCABULARY + each for each in stored}
    declared = vocabulary.names()
    inverses = {each.subject for each in vocabulary.quads() if "inverse of" in each.object}
    assert used - declared == set()
    assert declared - used - inverses - run == set()


def test_the_vocabulary_explains_itself() -> None:
    text = syntax.serialize(vocabulary.quads(), "turtle", PREFIXES).decode()
    graph = rdflib.Graph().parse(data=text)
    ant, owl = rdflib.Namespace(VOCABULARY), rdflib.OWL
    for name in map(rdflib.URIRef, vocabulary.names()):
        assert graph.value(name, rdflib.RDFS.label), name
        assert graph.value(name, rdflib.RDFS.comment), name
    assert graph.value(ant.rejects, owl.inverseOf) == ant.rejectedBy
    assert (ant.homonym, rdflib.RDF.type, owl.SymmetricProperty) in graph
    cito = rdflib.Namespace(PREFIXES["cito"])
    assert (ant.rejects, rdflib.SKOS.exactMatch, cito.disputes) in graph
    assert (ant.Relation, rdflib.RDFS.subClassOf, rdflib.RDF.Statement) in graph
    # An edge that the table does not allow stays an edge, so nothing may be inferred from it.
    assert graph.value(ant.rejects, rdflib.RDFS.domain) is None


# ---------------------------------------------------------------- odd records


def test_a_second_file_of_one_id_adds_its_edges_and_no_second_node(
    write: Callable[[dict[str, str]], Path],
) -> None:
    from anthology import corpus

    second = "title: second\nextends: [LIT-002]\nclaims: {C1: {text: t}}"
    root = write({
        "records/a/LIT-001.md": "---\ntitle: first\n---\n",
        "records/b/LIT-001.md": f"---\n{second}\n---\n",
        "records/LIT-002.md": "---\ntitle: other\n---\n",
    })  # fmt: skip
    found = short(corpus.load(root))
    assert {o for s, p, o in found if (s, p) == ("LIT-001", "rdfs:label")} == {"first"}
    assert ("LIT-001", "extends", "LIT-002") in found
    assert ("LIT-001#C1", "ant:file", "records/b/LIT-001.md") in found


def test_a_run_file_says_what_it_cost_and_a_damaged_one_says_so(make: Make, seed: Corpus) -> None:
    found = short(seed)
    run = "NOTE-274#C1/run"
    assert (run, "rdf:type", "prov:Activity") in found
    assert (run, "ant:file", "records/runs/NOTE-274.C1.json") in found
    assert ("NOTE-274#C1/verdict", "prov:wasGeneratedBy", run) in found
    assert (run, "prov:used", "NOTE-274#C1/test") in found
    assert [o for s, p, o in found if (s, p) == (run, "ant:environment") and "torch" in o]
    broken = make(
        NOTE_001="claims: {C1: {text: t, form: universal, test: {run: a.b, expect: x < 1}}}"
    )
    folder = broken.root / "records" / "runs"
    folder.mkdir()
    (folder / "NOTE-001.C1.json").write_text("{")
    found = short(broken)
    assert ("NOTE-001#C1", "ant:verdict", "error") in found
    assert not [s for s, p, o in found if o == "ant:Run"]


@pytest.mark.parametrize(
    ("filed", "first", "last"),
    [
        ("2026-09-21", "2026-09-21", "2026-09-21"),
        ("2026-09-21/22", "2026-09-21", "2026-09-22"),
        ("2026-09-28/10-02", "2026-09-28", "2026-10-02"),
        ("2026-12-31/2027-01-01", "2026-12-31", "2027-01-01"),
        ("2026", "", ""),
    ],
)
def test_a_span_of_days_has_a_first_and_a_last(filed: str, first: str, last: str) -> None:
    assert lexical.days(filed) == (first, last)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2021", "gYear"), ("2021-03", "gYearMonth"), ("2021-03-05", "date"),
        ("2021-02-30", "string"), ("0704", "string"), ("spring", "string"),
    ],
)  # fmt: skip
def test_a_date_of_publication_has_the_type_that_it_fits(text: str, kind: str) -> None:
    assert lexical.period(text) == PREFIXES["xsd"] + kind
