"""The graph on disk answers as the one in memory does, and notices all that it rests on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from anthology import config, corpus
from anthology.config import Config
from litgraph import index, questions, store, triples
from tests.conftest import ROOT

RUN = "records/runs/NOTE-274.C1.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """Return a copy of this repository's record and experiments, an hour old and indexed."""
    monkeypatch.delenv("CI", raising=False)
    for name in ("records", "experiments"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in tmp_path.rglob("*"):
        age(file)
    settings = config.load(tmp_path)
    index.graph(settings)
    return settings


def age(file: Path, hours: int = 1) -> None:
    status = file.stat()
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns - hours * 3600 * 10**9))


def graphs(settings: Config) -> set[str]:
    return {each.name for each in (settings.root / ".anthology").glob("graph-*")}


@pytest.mark.parametrize("name", sorted(questions.questions()))
def test_every_question_has_the_same_rows(project: Config, name: str) -> None:
    question = questions.find(name)
    found = triples.find(project)
    assert found is not None
    assert questions.solve(found, project.base, question) == questions.ask(
        corpus.read(project), question
    )


def test_it_is_made_once_and_then_opened(project: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    assert triples.find(project) is not None
    monkeypatch.setattr(triples, "_build", lambda *_: pytest.fail("made again"))
    assert triples.find(project) is not None
    assert len(graphs(project)) == 1


@pytest.mark.parametrize(
    "path",
    ["records/note/NOTE-274.md", "experiments/rank_collapse/rate.py", RUN, "records/runs/x.json"],
)
def test_what_it_rests_on_makes_another(project: Config, path: str) -> None:
    assert triples.find(project) is not None
    before = graphs(project)
    file = project.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(file.read_text(encoding="utf-8") + "\n" if file.exists() else "{}")
    # Too fresh to be trusted: the answer is made in memory, and nothing is kept.
    assert triples.find(project) is None
    assert graphs(project) == before
    age(file)
    index.graph(project)
    assert triples.find(project) is not None
    assert graphs(project) > before


def test_the_first_question_is_not_kept_waiting(project: Config) -> None:
    for file in (project.root / ".anthology").glob("index-*"):
        file.unlink()
    assert triples.find(project) is None


def test_not_in_ci_and_not_where_it_is_not_wanted(
    project: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert triples.find(project, cache=False) is None
    monkeypatch.setenv("CI", "1")
    assert triples.find(project) is None
    assert graphs(project) == set()


def test_a_disk_that_cannot_be_written_costs_time_only(
    project: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(triples, "_build", refuse)
    assert triples.find(project) is None


def test_a_damaged_one_is_not_answered_from(project: Config) -> None:
    found = triples.find(project)
    assert found is not None
    del found
    (place,) = (project.root / ".anthology").glob("graph-*")
    (place / "CURRENT").write_text("nonsense")
    assert triples.find(project) is None
    assert triples.find(project) is not None


def test_old_ones_are_thrown_away(project: Config) -> None:
    old = project.root / ".anthology" / "graph-0000000000000000"
    old.mkdir()
    age(old)
    assert triples.find(project) is not None
    assert old.name not in graphs(project)


def test_it_holds_the_union_of_what_all_files_say(project: Config) -> None:
    found = triples.find(project)
    assert found is not None
    everything = store.store(corpus.read(project))
    query = "SELECT DISTINCT ?s ?p ?o WHERE { ?s ?p ?o }"
    rows = {str(each) for each in store.query(found, query, project.base)}
    assert rows == {str(each) for each in store.query(everything, query, project.base)}
