"""Run files: written like a lock file, read with suspicion."""

from __future__ import annotations

import json
import math
import platform
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from anthology import corpus, runfile, runs, verify
from anthology.journal import BusyError, Entry, Journal
from anthology.runfile import Result, Run, RunFileError, TestRun, Word
from tests import toys

PASS = """
    form: universal
    test:
      run: toy.number
      seeds: 12
      expect: x in [0.5, 1.5]
      refute: x < 0
      control:
        other value: {value: 7}
    """


@pytest.fixture
def project(tmp_path: Path) -> corpus.Corpus:
    return corpus.load(toys.project(tmp_path, C1=PASS))


@pytest.fixture
def file(project: corpus.Corpus) -> Path:
    verify.claim(project, "NOTE-001#C1")
    return runs.path(project.config, "NOTE-001#C1")


def example() -> Run:
    test = TestRun(
        parts={
            "run": "toy.number", "code": {}, "params": {}, "arms": {"main": {}}, "controls": {},
            "seeds": 2, "device": "cpu", "dtype": "float64",
        },
        criteria={"form": "universal", "expect": ["x > 0"]},
        arms={"main": {0: Result({"x": math.nan}), 1: Result({"x": -math.inf}, {"s": (1.0, 2.5)})}},
        verdict=Word("inconclusive", "not a number", 0, 2),
    )  # fmt: skip
    return Run("NOTE-001#C1", "abc", {"": test})


def test_a_run_file_is_what_it_says(file: Path) -> None:
    text = file.read_text()
    data = json.loads(text)
    assert data["schema"] == runfile.SCHEMA
    assert data["claim"] == "NOTE-001#C1"
    test = data["tests"][""]
    assert test["verdict"] == {"word": "corroborated", "cause": "", "passed": 12, "seeds": 12}
    assert test["arms"]["main"]["11"]["metrics"] == {"x": 1.0, "y": 1.0}
    assert test["controls"]["other value"]["main"]["0"]["metrics"]["x"] == 7.0
    assert test["parts"]["controls"] == {"other value": {"value": 7.0}}
    assert test["parts"]["code"].keys() == {
        "experiments/lab/arithmetic.py",
        "experiments/toy/number.py",
    }
    assert test["seconds"] >= 0
    assert test["memory"] > 0
    assert set(test["environment"]) == {"python", "platform"}


def test_a_run_file_tells_nothing_of_the_machine(file: Path, project: corpus.Corpus) -> None:
    text = file.read_text()
    assert str(project.root) not in text
    slashed = set(re.findall(r"[^\s\"]*/[^\s\"]*", text))
    assert slashed == {
        *("anthology.run/1", "experiments/toy/number.py", "experiments/lab/arithmetic.py"),
    }
    assert platform.node() not in text


def test_keys_are_sorted_seeds_by_number_and_one_a_line(file: Path) -> None:
    text = file.read_text()
    data = json.loads(text)

    def check(value: Any) -> None:
        if isinstance(value, dict):
            keys = list(value)
            numbers = all(each.isdigit() for each in keys)
            assert keys == sorted(keys, key=int if numbers else str)
            for each in value.values():
                check(each)

    check(data)
    assert text.count('"metrics"') == sum('"metrics"' in line for line in text.splitlines()) == 24
    assert text.endswith("}\n")


def test_what_is_written_is_read_back() -> None:
    run = example()
    again = runfile.loads(runfile.dumps(run).encode())
    assert runfile.dumps(again) == runfile.dumps(run)
    assert math.isnan(again.tests[""].arms["main"][0].metrics["x"])
    assert again.tests[""].arms["main"][1] == run.tests[""].arms["main"][1]
    json.loads(runfile.dumps(run), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def test_series_keep_what_a_plot_can_show() -> None:
    assert runfile.rounded({"s": [1.23456789, 1e-300, math.nan]})["s"][:2] == (1.23457, 1e-300)


def spoil(data: Any, *path: str, value: Any = None) -> None:
    for step in path[:-1]:
        data = data[step]
    if value is None:
        del data[path[-1]]
    else:
        data[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("schema",), "anthology.run/9", "its schema is 'anthology.run/9'"),
        (("claim",), None, "it lacks `claim`"),
        (("tests",), [], "tests is no mapping"),
        (("more",), 1, "it has no field `more`"),
        (("tests", "", "parts"), None, "lacks `parts`"),
        (("tests", "", "parts", "seeds"), "2", "seeds is no whole number"),
        (("tests", "", "parts", "arms"), {"main": 1}, "arms.main is no mapping"),
        (("tests", "", "arms", "main", "0", "metrics", "x"), True, "metrics.x is no number"),
        (("tests", "", "arms", "main", "zero"), {"metrics": {}}, "invalid literal"),
        (("tests", "", "arms", "main", "1", "series", "s"), 1, "series.s is no list"),
        (("tests", "", "verdict", "word"), None, "verdict lacks `word`"),
        (("tests", "", "commit"), 1, "commit is no text"),
    ],
)
def test_what_is_no_run_file_is_refused_with_its_place(
    path: tuple[str, ...], value: Any, said: str
) -> None:
    data = json.loads(runfile.dumps(example()))
    spoil(data, *path, value=value)
    with pytest.raises(RunFileError) as caught:
        runfile.loads(json.dumps(data).encode())
    assert said in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(RunFileError, match="is no run file"):
        runfile.loads(data)


def test_the_same_numbers_make_the_same_bytes(file: Path, project: corpus.Corpus) -> None:
    before, changed = file.read_bytes(), file.stat().st_mtime_ns
    verify.claim(project, "NOTE-001#C1")
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before, changed)


def test_nothing_is_left_beside_it(file: Path, project: corpus.Corpus) -> None:
    assert [each.name for each in file.parent.iterdir()] == ["NOTE-001.C1.json"]
    hidden = project.root / ".anthology"
    assert (hidden / ".gitignore").read_text() == "*\n"
    assert [each for each in hidden.rglob("*") if each.is_file()] == [hidden / ".gitignore"]


def test_former_ids_find_the_run_file(file: Path, project: corpus.Corpus) -> None:
    """A temporary code that gets its number stays fresh, and the file moves at the next run."""
    root = project.root
    note = root / "records/note/NOTE-001.md"
    toys.edit(note, "number: 1\n", "number: 27\nformerly: [NOTE-001]\n")
    toys.edit(note, "# NOTE-001", "# NOTE-027")
    note.rename(note.with_name("NOTE-027.md"))
    later = corpus.load(root)
    assert runs.files(later) == {"NOTE-027#C1": file}
    verdict = verify.verdicts(later)["NOTE-027#C1"]
    assert (str(verdict), verdict.stale, verdict.notes) == ("corroborated (12/12)", (), ())
    assert verify.claim(later, "NOTE-001#C1") == verdict
    assert [each.name for each in file.parent.iterdir()] == ["NOTE-027.C1.json"]


def test_names_of_files() -> None:
    for claim in ("NOTE-274#C1", "CLAIM-001", "NOTE-1#C1.a", "LIT-tmpab12c#C-1"):
        assert runs.claim_of(Path(f"{claim.replace('#', '.')}.json")) == claim


def test_the_commit_and_whether_the_code_was_it(project: corpus.Corpus) -> None:
    root = project.root

    def git(*words: str) -> str:
        who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *who, *words], cwd=root, capture_output=True, check=True)
        return done.stdout.decode().strip()

    git("init", "--quiet")
    git("add", "experiments")
    git("commit", "--quiet", "-m", "code")
    (root / "unrelated.txt").write_text("not in the commit")
    verify.claim(project, "NOTE-001#C1")
    test = runs.read(runs.path(project.config, "NOTE-001#C1")).tests[""]
    assert (test.commit, test.dirty) == (git("rev-parse", "HEAD"), "")
    toys.edit(root / "experiments/lab/arithmetic.py", "value +", "value + 0 +")
    verify.claim(project, "NOTE-001#C1")
    test = runs.read(runs.path(project.config, "NOTE-001#C1")).tests[""]
    assert test.commit == git("rev-parse", "HEAD")
    assert len(test.dirty) == 16


# ---------------------------------------------------------------- the journal

ENTRY = Entry("", "id", "", "main", 3, {"x": math.nan}, {}, 0.5, 1000, {"python": "3.11"})


def test_a_journal_survives_a_line_that_was_cut_short(project: corpus.Corpus) -> None:
    first = Journal(project.config, "NOTE-001#C1")
    first.append(ENTRY)
    first.append(ENTRY._replace(seed=4))
    first.close()
    data = first.path.read_bytes()
    for cut in range(len(data)):
        first.path.write_bytes(data[:cut])
        log = Journal(project.config, "NOTE-001#C1")
        log.append(ENTRY._replace(seed=5))
        seeds = [each.seed for each in log.entries()]
        log.close()
        assert seeds in ([5], [3, 5], [3, 4, 5])


def test_one_process_at_a_time(project: corpus.Corpus) -> None:
    held = Journal(project.config, "NOTE-001#C1")
    with pytest.raises(BusyError, match="another process measures NOTE-001#C1 now"):
        Journal(project.config, "NOTE-001#C1")
    held.close(delete=True)
    Journal(project.config, "NOTE-001#C1").close(delete=True)
    assert not held.path.exists()
