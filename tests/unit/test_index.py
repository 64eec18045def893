"""The index never changes an answer: not after edits, damage, races or kills."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from anthology import config, corpus
from anthology.errors import UnknownNameError
from litgraph import edges, index, rollup
from tests.conftest import ROOT
from tests.generate import make as generate

if TYPE_CHECKING:
    from litgraph.graph import Graph

Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture(autouse=True)
def _not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


def age(root: Path) -> None:
    """Make every record look as if it was last changed an hour ago."""
    for file in root.rglob("*.md"):
        status = file.stat()
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns - 3600 * 10**9))


def answers(graph: Graph) -> dict[str, object]:
    """Return everything that a question can ask."""
    names = [*graph.records, *graph.claims, *graph.senses, *graph.placeholders]
    return {
        "edges": list(graph.edges),
        "names": names,
        "records": [graph.records[each] for each in graph.records],
        "claims": [graph.claims[each] for each in graph.claims],
        "senses": [graph.senses[each] for each in graph.senses],
        "kinds": [graph.kind(each) for each in (*names, "LIT-9999", "ZZZ-1", "?none")],
        "labels": [graph.label(each) for each in (*names, "LIT-9999")],
        "places": [graph.place(each) for each in (*names, "LIT-9999", "NOTE-274#C99")],
        "found": [graph.find(each) for each in (*names, "LIT-14", "NOTE-8#C1", "LIT-OLD", "x")],
        "ends": [(graph.out(each), graph.into(each), graph.parts(each)) for each in names],
        "rolled": [rollup.edges(graph, each) for each in names[:20]],
        "works": [rollup.works(graph, each) for each in names],
        "rows": [edges.row(graph, each) for each in graph.edges],
        "rejections": edges.select(graph, relation="rejects"),
    }


def both(root: Path) -> tuple[Graph, Graph]:
    """Return the record from the index, and read anew."""
    settings = config.load(root)
    return index.graph(settings), corpus.read(settings)


def test_the_seed_from_the_index_is_the_seed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "records", tmp_path / "records")
    age(tmp_path)
    settings = config.load(tmp_path)
    assert isinstance(index.graph(settings), corpus.Corpus)  # the first time, it is made
    indexed = index.graph(settings)
    assert isinstance(indexed, index.Indexed)
    fresh = corpus.read(settings)
    assert answers(indexed) == answers(fresh)
    # Asked one thing at a time, before all edges are in memory, it says the same.
    for name in (*fresh.records, *fresh.claims, *fresh.senses):
        lazily = index.graph(settings)
        assert (lazily.out(name), lazily.into(name), lazily.parts(name)) == (
            fresh.out(name), fresh.into(name), fresh.parts(name),
        )  # fmt: skip
    for each in (indexed, fresh):
        with pytest.raises(UnknownNameError, match="did you mean"):
            each.resolve("LIT-531")
        assert each.resolve(" lit-14 ") == "LIT-014"


def test_former_ids_resolve_from_the_index_too(write: Write) -> None:
    root = write({
        "records/NOTE-007.md": """
            ---
            formerly: [NOTE-tmpab1cd]
            claims:
              C1: {text: x, relations: {rejects: ["?unfiled"]}}
            ---
            """,
        "records/LIT-001.md": "---\nrelations:\n  compared-against: [LIT-002]\n---\n",
        "records/LIT-002.md": "---\ncompared_against: [LIT-001]\n---\n",
    })  # fmt: skip
    age(root)
    index.graph(config.load(root))
    indexed, fresh = both(root)
    assert isinstance(indexed, index.Indexed)
    for name in ("NOTE-tmpab1cd", "NOTE-tmpab1cd#C1", "NOTE-7#C1", "?unfiled"):
        assert indexed.find(name) == fresh.find(name) is not None
    assert answers(indexed) == answers(fresh)
    assert indexed.edges[-1].also == fresh.edges[-1].also


def test_only_what_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generate(tmp_path, 30)
    age(tmp_path)
    settings = config.load(tmp_path)
    read: list[str] = []
    real = corpus.read_file

    def counted(settings: config.Config, path: str) -> object:
        read.append(path)
        return real(settings, path)

    monkeypatch.setattr(corpus, "read_file", counted)
    index.graph(settings)
    assert len(read) == len(list(tmp_path.rglob("*.md")))
    read.clear()
    index.graph(settings)
    index.corpus(settings)
    assert read == []
    changed = tmp_path / "record" / "literature.d" / "LIT-007.md"
    changed.write_text(changed.read_text(encoding="utf-8").replace("status: Active", "status: X"))
    assert index.graph(settings).records["LIT-007"].status == "X"
    assert read == ["record/literature.d/LIT-007.md"]


def test_touched_but_not_changed_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(tmp_path, 10)
    settings = config.load(tmp_path)
    index.graph(settings)
    age(tmp_path)
    monkeypatch.setattr(corpus, "read_file", lambda *_: pytest.fail("read again"))
    assert isinstance(index.graph(settings), corpus.Corpus)
    assert isinstance(index.graph(settings), index.Indexed)


def test_a_change_within_the_same_tick_is_seen(tmp_path: Path) -> None:
    generate(tmp_path, 5)
    settings = config.load(tmp_path)
    file = tmp_path / "record" / "literature.d" / "LIT-001.md"
    text = file.read_text(encoding="utf-8")
    status = file.stat()
    index.graph(settings)
    # Same size, same time: only the content tells.
    file.write_text(text.replace("status: Active", "status: Activf"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert index.graph(settings).records["LIT-001"].status == "Activf"


@pytest.mark.parametrize("damage", ["empty", "text", "truncated", "folder"])
def test_a_damaged_index_is_made_again(tmp_path: Path, damage: str) -> None:
    generate(tmp_path, 10)
    age(tmp_path)
    settings = config.load(tmp_path)
    index.graph(settings)
    place = index.place(settings)
    whole = place.read_bytes()
    place.unlink()
    if damage == "folder":
        place.mkdir()
    else:
        place.write_bytes({"empty": b"", "text": b"not sqlite", "truncated": whole[:5000]}[damage])
    indexed, fresh = both(tmp_path)
    assert answers(indexed) == answers(fresh)


def test_where_nothing_can_be_written_the_record_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(tmp_path, 5)

    def refuse(*_: object) -> None:
        raise OSError(30, "read-only file system")

    monkeypatch.setattr(index, "_publish", refuse)
    indexed, fresh = both(tmp_path)
    assert answers(indexed) == answers(fresh)
    assert not (tmp_path / ".anthology").exists()


def test_no_index_in_ci_or_where_it_is_not_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(tmp_path, 5)
    settings = config.load(tmp_path)
    index.graph(settings, cache=False)
    index.corpus(settings, cache=False)
    monkeypatch.setenv("CI", "true")
    index.graph(settings)
    assert not (tmp_path / ".anthology").exists()


def test_findings_survive(write: Write) -> None:
    root = write({"records/LIT-001.md": "---\ntitle: a: b\nstatus: x\nstatus: y\n---\n"})
    age(root)
    settings = config.load(root)
    first = index.corpus(settings).findings
    assert first
    assert index.corpus(settings).findings == first == corpus.read(settings).findings


def test_git_sees_nothing_of_it(tmp_path: Path) -> None:
    generate(tmp_path, 5)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    index.graph(config.load(tmp_path))
    done = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (tmp_path / ".anthology").is_dir()
    assert all(line.startswith("A ") for line in done.stdout.splitlines())


def test_an_index_of_other_code_is_thrown_away_in_time(tmp_path: Path) -> None:
    generate(tmp_path, 5)
    old = tmp_path / ".anthology" / "index-0000000000000000.sqlite"
    old.parent.mkdir()
    for name, hours in ((old.name, 2), ("index-1111111111111111.sqlite", 0)):
        file = old.with_name(name)
        file.write_bytes(b"x")
        os.utime(file, (time.time() - 3600 * hours,) * 2)
    index.graph(config.load(tmp_path))
    names = {each.name for each in old.parent.glob("index-*")}
    assert old.name not in names
    assert "index-1111111111111111.sqlite" in names


RACER = """
import sys
from pathlib import Path
from anthology import config
from litgraph import index
settings = config.load(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    index.graph(settings)
"""


def test_two_processes_and_kills_at_any_moment_leave_it_right(tmp_path: Path) -> None:
    """A hundred times: others index while a file is edited, and are killed in the middle."""
    generate(tmp_path, 12)
    settings = config.load(tmp_path)
    chance = random.Random(5)
    works = sorted((tmp_path / "record" / "literature.d").glob("*.md"))
    racers: list[subprocess.Popen[bytes]] = []
    environment = {k: v for k, v in os.environ.items() if k != "CI"} | {"PYTHONPATH": str(ROOT)}
    try:
        for round_ in range(100):
            while len(racers) < 2:
                racer = subprocess.Popen(
                    [sys.executable, "-c", RACER, str(tmp_path)],
                    stdout=subprocess.PIPE, env=environment,
                )  # fmt: skip
                assert racer.stdout is not None
                assert racer.stdout.readline() == b"ready\n"
                racers.append(racer)
            file = chance.choice(works)
            text = file.read_text(encoding="utf-8")
            head, _, rest = text.partition("title: ")
            file.write_text(f"{head}title: t{round_:03d}{rest[rest.index(chr(10)) :]}")
            time.sleep(chance.random() * 0.02)
            if round_ % 10 == 9:
                victim = racers.pop(0)
                victim.send_signal(signal.SIGKILL)
                victim.communicate()
            found = index.graph(settings)
            assert found.records[file.stem].title == f"t{round_:03d}"
        assert answers(index.graph(settings)) == answers(corpus.read(settings))
    finally:
        for racer in racers:
            racer.kill()
            racer.communicate()
