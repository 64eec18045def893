"""`export`, as a user types it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from anthology.corpus import Corpus
from litgraph import rdf
from tests.conftest import Done

Run = Callable[..., Done]


def test_turtle_goes_to_stdout(anthology: Run) -> None:
    done = anthology("export")
    assert (done.code, done.err) == (0, "")
    graph = rdflib.Graph().parse(data=done.out, format="turtle")
    ant = rdflib.Namespace("urn:anthology:vocabulary/")
    record = rdflib.Namespace("urn:anthology:record/")
    assert (record["LIT-528"], ant.refines, record["LIT-530"]) in graph
    assert (record["NOTE-274/C3"], ant.qualifies, record["THEORY-064"]) not in graph  # proposed
    assert anthology("export", "--format", "turtle").out == done.out


@pytest.mark.parametrize(
    ("name", "syntax"),
    [
        ("record.ttl", ox.RdfFormat.TURTLE),
        ("record.trig", ox.RdfFormat.TRIG),
        ("record.nq", ox.RdfFormat.N_QUADS),
        ("record.jsonld", ox.RdfFormat.JSON_LD),
    ],
)
def test_a_file_s_name_says_in_which_format(
    anthology: Run, tmp_path: Path, seed: Corpus, name: str, syntax: ox.RdfFormat
) -> None:
    path = tmp_path / name
    done = anthology("export", "-o", str(path))
    assert (done.code, done.out, done.err) == (0, "", "")
    read = set(ox.parse(path.read_bytes(), syntax))
    triples = {(each.subject, each.predicate, each.object) for each in rdf.quads(seed)}
    graphs = {each.graph for each in rdf.quads(seed)}
    if name == "record.ttl":
        assert len(read) == len({(q.subject, q.predicate, str(q.object)) for q in read})
        assert len({(str(q.subject), str(q.predicate)) for q in read}) == len(
            {(s, p) for s, p, _ in triples}
        )
    else:
        assert {each.graph_name.value for each in read} == graphs


def test_the_vocabulary_is_turtle_of_its_own(anthology: Run) -> None:
    done = anthology("export", "--vocabulary")
    graph = rdflib.Graph().parse(data=done.out, format="turtle")
    ant = rdflib.Namespace("urn:anthology:vocabulary/")
    assert graph.value(ant.refines, rdflib.OWL.inverseOf) == ant.refinedBy
    assert (None, rdflib.RDF.type, ant.Work) not in graph


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "turtel"], "no format named 'turtel'; did you mean turtle?"),
        (["-o", "record.foo"], "no format is written to record.foo; name one, or end it in .ttl"),
        (["-o", "no/such/folder/record.ttl"], "record.ttl cannot be written: No such file"),
    ],
)
def test_what_cannot_be_written_is_one_line(
    anthology: Run, arguments: list[str], message: str
) -> None:
    done = anthology("export", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_reader_that_has_enough_ends_it_quietly(anthology: Run) -> None:
    import subprocess
    import sys

    from tests.conftest import ROOT

    done = subprocess.run(
        f"{sys.executable} -m litgraph export | head -1", cwd=ROOT, shell=True, check=True,
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.startswith("@prefix ant:")
    assert done.stderr == ""
