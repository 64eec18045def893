"""`sparql`, as a user types it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import rdflib

from tests.conftest import ROOT, Done

Run = Callable[..., Done]
REFINED = "SELECT ?s ?o WHERE { ?s ant:refines+ ?o } ORDER BY ?s"


def test_select_prints_a_table_of_names(anthology: Run) -> None:
    done = anthology("sparql", REFINED)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[2:] == ["LIT-528     LIT-530", "THEORY-065  THEORY-066"]


def test_json_and_whole_iris(anthology: Run) -> None:
    done = anthology("sparql", REFINED, "--format", "json", "--iris")
    answer = json.loads(done.out)
    assert answer["schema"] == "anthology.sparql/1"
    assert answer["rows"][0] == {
        "s": "urn:anthology:record/LIT-528", "o": "urn:anthology:record/LIT-530",
    }  # fmt: skip


@pytest.mark.parametrize(("target", "word"), [("r:LIT-530", "yes"), ("r:LIT-521", "no")])
def test_ask_is_yes_or_no(anthology: Run, target: str, word: str) -> None:
    query = f"ASK {{ r:LIT-528 ant:refines {target} }}"
    assert anthology("sparql", query).out == f"{word}\n"
    answer = json.loads(anthology("sparql", query, "-f", "json").out)
    assert answer["rows"] == [{"answer": word == "yes"}]


def test_construct_and_describe_print_turtle(anthology: Run) -> None:
    done = anthology("sparql", "DESCRIBE r:LIT-530")
    graph = rdflib.Graph().parse(data=done.out, format="turtle")
    assert {str(each) for each in graph.subjects()} == {"urn:anthology:record/LIT-530"}
    built = "CONSTRUCT { ?o ant:refinedBy ?s } WHERE { ?s ant:refines ?o }"
    assert "r:LIT-530 ant:refinedBy r:LIT-528 ." in anthology("sparql", built).out
    rows = json.loads(anthology("sparql", built, "-f", "json").out)["rows"]
    assert {each["object"] for each in rows} == {"LIT-528", "THEORY-065"}
    assert anthology("sparql", built, "-f", "nquads").out.startswith("<urn:anthology:record/LIT")


def test_a_query_may_come_from_a_file_or_from_stdin(anthology: Run, tmp_path: Path) -> None:
    path = tmp_path / "refined.rq"
    path.write_text("\ufeff" + REFINED, encoding="utf-8")
    expected = anthology("sparql", REFINED).out
    assert anthology("sparql", str(path)).out == expected
    done = subprocess.run(
        [sys.executable, "-m", "litgraph", "sparql", "-"], cwd=ROOT, input=REFINED.encode(),
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout.decode() == expected


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT ?x WHERE { ?x ant:rejects ", "cannot be read at line 1, column 34, at its end"),
        ("SELECT ?x { ?x foo:y ?z }", "no prefix foo: is known"),
        ("SELECT ?x { SERVICE <http://localhost:9/> { ?x ?y ?z } }", "SERVICE asks another"),
        ("INSERT DATA { r:A ant:refines r:B }", "INSERT would change the graph"),
        ("selec ?x {}", "did you mean SELECT?"),
        ("no-such-file.rq", "no file at no-such-file.rq"),
        ("", "the query is empty"),
    ],
)
def test_what_cannot_be_answered_is_one_line(anthology: Run, query: str, message: str) -> None:
    done = anthology("sparql", query)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "is no text in UTF-8, so it is no query"),
        (b"#" * ((1 << 20) + 1), "is longer than 1,048,576 bytes; that is no query"),
    ],
)
def test_a_file_that_is_no_query_is_refused(
    anthology: Run, tmp_path: Path, data: bytes, message: str
) -> None:
    path = tmp_path / "picture.rq"
    path.write_bytes(data)
    done = anthology("sparql", str(path))
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_graph_s_format_needs_a_graph(anthology: Run) -> None:
    done = anthology("sparql", REFINED, "--format", "turtle")
    assert (done.code, done.out) == (2, "")
    assert "turtle writes a graph; ask for one with CONSTRUCT or DESCRIBE" in done.err
    assert "did you mean turtle?" in anthology("sparql", REFINED, "--format", "turtel").err


def test_it_answers_the_questions_in_the_published_vocabulary(anthology: Run) -> None:
    """The same answers, from a query that a reader of the vocabulary would write."""
    query = """
        SELECT DISTINCT ?user ?locus ?axis {
            ?one ant:homonym ?other ; ant:locus ?locus ; ant:axis ?axis ;
                 ant:senseOf/rdfs:label "rank collapse" .
            ?user ant:uses ?one
        } ORDER BY ?user"""
    rows = json.loads(anthology("sparql", query, "-f", "json").out)["rows"]
    assert [(each["user"], each["locus"], each["axis"]) for each in rows] == [
        ("LIT-350", "weight matrices", "training time"),
        ("LIT-530", "activations", "depth"),
        ("NOTE-105", "weight matrices", "training time"),
        ("NOTE-274", "activations", "depth"),
        ("THEORY-066", "activations", "depth"),
    ]


ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def test_a_query_without_end_is_given_up(anthology: Run) -> None:
    done = anthology("sparql", ENDLESS, "--timeout", "0.5")
    assert (done.code, done.out) == (2, "")
    assert (
        done.err == "error: no answer after 0.5 s; narrow the query, or allow more with --timeout\n"
    )


def test_ctrl_c_ends_a_query() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "litgraph", "sparql", ENDLESS], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
