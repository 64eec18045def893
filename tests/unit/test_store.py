"""What may be asked of the store, and what is said of what may not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pyoxigraph as ox
import pytest
from hypothesis import given, settings

from anthology.corpus import Corpus
from anthology.errors import AnthologyError, QueryError, UnknownNameError
from litgraph import iris, limit, questions, rdf, store, syntax
from litgraph.iris import VOCABULARY
from tests.random_corpus import corpora

BASE = "urn:anthology:record/"
Make = Callable[..., Corpus]


@pytest.fixture(scope="module")
def loaded(seed: Corpus) -> ox.Store:
    return store.store(seed)


def rows(loaded: ox.Store, text: str) -> list[dict[str, object]]:
    return list(store.rows(store.query(loaded, text, BASE), BASE))


# ---------------------------------------------------------------- answers


def test_a_query_walks_the_union_with_prefixes_it_need_not_declare(loaded: ox.Store) -> None:
    assert rows(loaded, "SELECT ?o { r:THEORY-065 ant:refines+ ?o }") == [{"o": "THEORY-066"}]


def test_a_query_may_ask_which_file_says_so(loaded: ox.Store) -> None:
    found = rows(loaded, "SELECT ?g { GRAPH ?g { r:LIT-530 ant:uses ?s } } LIMIT 1")
    assert str(found[0]["g"]).startswith("records/term/TERM-00")


def test_rows_carry_the_names_that_people_use(loaded: ox.Store) -> None:
    query = """SELECT ?s ?p ?n ?late ?none {
        rel:NOTE-266.C5.rejects.THEORY-066 rdf:subject ?s ; rdf:predicate ?p .
        r:NOTE-266 ant:number ?n
        BIND (?n > 1000 AS ?late) }"""
    assert rows(loaded, query) == [
        {"s": "NOTE-266#C5", "p": "rejects", "n": 266, "late": False, "none": None}
    ]


def test_a_name_may_hold_dots_and_stand_before_one(loaded: ox.Store) -> None:
    query = r"""SELECT ?p { BIND ("a.b.c" AS ?text)
        rel:NOTE-266.C5.rejects.THEORY-066 rdf:predicate ?p ; rdf:object r:THEORY-066.
        rel:NOTE-266\.C5.rejects.THEORY-066 rdf:subject r:NOTE-266\/C5. }"""
    assert rows(loaded, query) == [{"p": "rejects"}]


def test_rows_may_carry_iris(loaded: ox.Store) -> None:
    answer = store.query(loaded, "SELECT ?o { r:LIT-528 ant:refines ?o }", BASE)
    assert list(store.rows(answer)) == [{"o": BASE + "LIT-530"}]


def test_ask_and_construct_have_rows_too(loaded: ox.Store) -> None:
    assert rows(loaded, "ASK { r:LIT-528 ant:refines r:LIT-530 }") == [{"answer": True}]
    built = "CONSTRUCT { ?s ant:refines ?o } WHERE { ?s ant:refines ?o . ?s a ant:Work }"
    assert rows(loaded, built) == [
        {"subject": "LIT-528", "predicate": "refines", "object": "LIT-530"}
    ]
    graph = store.query(loaded, built, BASE)
    assert store.is_graph(graph)
    text = syntax.serialize_triples(graph, "turtle", iris.prefixes(BASE)).decode()
    assert text.endswith("r:LIT-528 ant:refines r:LIT-530 .\n")


def test_numbers_and_ill_typed_literals_are_read_as_far_as_they_go(loaded: ox.Store) -> None:
    query = 'SELECT (1.5 AS ?a) (2e0 AS ?b) ("x"^^xsd:integer AS ?c) ("true"^^xsd:boolean AS ?d) {}'
    assert rows(loaded, query) == [{"a": 1.5, "b": 2.0, "c": "x", "d": True}]


@given(corpora())
@settings(max_examples=15, deadline=None)
def test_what_a_query_does_not_name_need_not_be_loaded(corpus: Corpus) -> None:
    whole = store.store(corpus)
    for question in questions.questions().values():
        part = store.store(corpus, predicates=questions.predicates(question))

        def solve(text: str, found: ox.Store) -> list[dict[str, object]]:
            return list(store.rows(store.query(found, text, BASE), BASE))

        expected = questions.answer(question, lambda text: solve(text, whole))
        assert questions.answer(question, lambda text: solve(text, part)) == expected  # noqa: B023


def test_a_large_record_is_loaded_in_batches(seed: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BATCH", 7)
    assert len(store.store(seed)) == len(set(rdf.quads(seed)))


# ---------------------------------------------------------------- what may not be asked


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT * { SERVICE <http://localhost/> { ?s ?p ?o } }", "SERVICE asks another server"),
        ("select * { service silent <http://localhost/> {} }", "SERVICE asks another server"),
        ("SELECT * { { SELECT * { SERVICE ?x {} } } }", "SERVICE asks another server"),
        (r"SELECT * { ?s ?p r:a\#b SERVICE <http://localhost/> {} }", "SERVICE asks another"),
        ("SELECT * { ?s ?p 1SERVICE <http://localhost/> {} }", "SERVICE asks another server"),
        (r"SELECT * { \u0053ERVICE <http://localhost/> {} }", "SERVICE asks another server"),
        ("SELECT * { <a'b> ?p ?o SERVICE <http://localhost/'> {} }", "SERVICE asks another"),
        ("SELECT * FROM <http://localhost/> { ?s ?p ?o }", "FROM chooses other graphs"),
        ("INSERT DATA { r:LIT-1 ant:refines r:LIT-2 }", "INSERT would change the graph"),
        ("PREFIX x: <y:z>\n# a remark\nDELETE WHERE { ?s ?p ?o }", "DELETE would change the graph"),
        ("LOAD <file:///etc/passwd>", "LOAD would change the graph"),
        ("drop all", "DROP would change the graph"),
        ("", "the query is empty"),
        ("# nothing but a remark", "the query is empty"),
    ],
)
def test_what_reaches_out_or_changes_is_refused(loaded: ox.Store, query: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        store.query(loaded, query, BASE)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?s { ?s rdfs:label "a SERVICE for INSERT" }',
        "SELECT ?s { ?s rdfs:label 'SERVICE' } # SERVICE",
        'SELECT ?s { ?s rdfs:label """SERVICE\n""" }',
        "SELECT ?service { ?service a <urn:SERVICE> }",
        "SELECT ?s { ?s ant:SERVICE ?from }",
        "PREFIX service: <urn:x/> SELECT ?s { ?s service:from ?o }",
    ],
)
def test_a_word_in_a_string_a_remark_or_a_name_is_no_keyword(loaded: ox.Store, query: str) -> None:
    assert rows(loaded, query) == []


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT ?x WHERE { ?x ant:rejects ", r"at line 1, column 34, at its end"),
        ("SELECT ?x {\n  ?x ant:rejects )\n}", r"at line 2, column 18, near `\)`"),
        ("SELECT ?x { ?x foo:bar ?y }", r"no prefix foo: is known; declare it with PREFIX"),
        ("SELECT ?x { ?x an:rejects ?y }", r"no prefix an: is known; did you mean ant:\?"),
        ("selct ?x", r"starts with SELECT, .*, not SELCT; did you mean SELECT\?"),
        ("SELECT ?x { ?x ant:rejects ?y } GROUP BY ?y", r"the query cannot be read"),
    ],
)
def test_a_fault_is_one_line_with_its_place(loaded: ox.Store, query: str, message: str) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        store.query(loaded, query, BASE)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


# ---------------------------------------------------------------- formats


def test_a_format_is_chosen_by_name_then_by_suffix() -> None:
    from pathlib import PurePath

    assert syntax.choose("", None) == "turtle"
    assert syntax.choose("", PurePath("a/record.TRIG")) == "trig"
    assert syntax.choose("jsonld", PurePath("record.ttl")) == "jsonld"
    with pytest.raises(UnknownNameError, match="did you mean turtle"):
        syntax.choose("turtel", None)
    with pytest.raises(AnthologyError, match=r"record.foo; name one, or end it in \.ttl"):
        syntax.choose("", PurePath("record.foo"))


def test_an_edge_s_predicate_is_its_relation_s_camel_case() -> None:
    assert iris.predicate("alternative-account") == VOCABULARY + "alternativeAccount"
    assert iris.name(BASE, iris.predicate("compared-against")) == "compared-against"
    assert iris.name(BASE, "https://example.org/x") == "https://example.org/x"
    assert iris.name(BASE, iris.file(BASE, "records/é b.md")) == "records/é b.md"


# ---------------------------------------------------------------- limits


ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def test_a_query_without_end_is_given_up(loaded: ox.Store) -> None:
    started = time.monotonic()
    with pytest.raises(QueryError, match=r"no answer after 0.3 s; narrow the query"):
        limit.within(0.3, lambda: rows(loaded, ENDLESS))
    assert time.monotonic() - started < 5


def test_within_a_limit_answers_and_errors_pass() -> None:
    assert limit.within(0, lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        limit.within(60, lambda: 1 / 0)


@pytest.mark.parametrize(
    ("start", "more", "middle", "close", "end"),
    [
        ("SELECT * {", "{", "", "}", "}"),
        ("SELECT * { FILTER(", "!", "true", "", ") }"),
        ("SELECT * { BIND(", "(", "1", ")", " AS ?x) }"),
        ("SELECT * {", "OPTIONAL {", "", "}", "}"),
    ],
)
def test_a_query_of_the_permitted_length_exhausts_no_stack(
    loaded: ox.Store, start: str, more: str, middle: str, close: str, end: str
) -> None:
    room = store.LONGEST - len(start + middle + end)
    times = room // len(more + close)
    text = start + more * times + middle + close * times + end
    assert len(limit.within(120, lambda: rows(loaded, text))) <= 1


def test_a_longer_query_and_a_longer_answer_are_refused(
    loaded: ox.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(QueryError, match=r"longer than 65,536 characters"):
        rows(loaded, "SELECT * {" + "{" * store.LONGEST)
    monkeypatch.setattr(store, "MOST", 10)
    with pytest.raises(QueryError, match=r"more than 10 rows; narrow the query"):
        rows(loaded, "SELECT * { ?s ?p ?o }")


def test_a_machine_that_gives_no_large_stack_gives_a_small_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = threading.Thread.start
    refused = []

    def refuse(self: threading.Thread) -> None:
        if len(refused) < len(limit.STACKS):
            refused.append(self)
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert limit.within(60, lambda: 3) == 3
    assert threading.stack_size() == 0
