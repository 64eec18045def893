"""`verify` and `runs`, as a user types them: what they print, and how they end."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import toys
from tests.conftest import ROOT, Done
from tests.unit.test_verify import SEVEN, claim

Run = Callable[..., Done]

VERDICTS = """\
claim        verdict             what is claimed
───────────  ──────────────────  ───────────────
NOTE-001#C1  corroborated (3/3)  The toy C1
NOTE-001#C2  supported (2/3)     The toy C2
    1.45 for `x > 1.4` in seed 0
NOTE-001#C3  refuted             The toy C3
    3 of 3 seeds: -1 for `x < 0` in seed 0
NOTE-001#C4  inconclusive        The toy C4
    between the bounds: 0 of 3 seeds within; 2 for `x in [0.5, 1.5]` in seed 0
NOTE-001#C5  vacuous             The toy C5
    control `same` meets `expect`: 3 of 3 seeds within
NOTE-001#C6  error               The toy C6
    ValueError: what was raised (experiments/toy/trouble.py:LINE) (seed 1)
NOTE-001#C7  untested            The toy C7
    a definition: nothing to run
"""

ONE = """\
NOTE-001#C1: The toy C1
  universal: every one of 3 seeds must have x in [0.5, 1.5]; one with x < 0
    refutes it; the control `other` must miss
corroborated (3/3)
  x                 1 [1, 1]
  x  control other  7 [7, 7]
  SECONDS s
"""

RUN = """\
NOTE-001#C1: The toy C1
  universal: every one of 3 seeds must have x in [0.5, 1.5]; one with x < 0
    refutes it; the control `other` must miss
corroborated (3/3)
  x                 1 [1, 1]
  y                 1 [1, 1]
  x  control other  7 [7, 7]
  y  control other  49 [49, 49]
  shows that a number is near 1
  does not show anything else
  ENVIRONMENT
  SECONDS s, MEMORY MB
"""

SCOPED = SEVEN["C1"] + "\n  shows: that a number is near 1\n  does_not_show: anything else"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project in which everything was measured once."""
    root = toys.project(tmp_path_factory.mktemp("toy"), **SEVEN)
    command = [sys.executable, "-m", "litgraph", "verify", "--root", str(root)]
    subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    return root


@pytest.fixture
def fresh(measured: Path, tmp_path: Path) -> Path:
    """Return a copy of it that a test may change."""
    return Path(shutil.copytree(measured, tmp_path / "toy", symlinks=True))


def rows(done: Done) -> list[dict[str, Any]]:
    return list(json.loads(done.out)["rows"])


def masked(text: str) -> str:
    text = re.sub(r"\d+\.\d\d s", "SECONDS s", text)
    text = re.sub(r"\d+ MB", "MEMORY MB", text)
    text = re.sub(r"  python 3.*\n", "  ENVIRONMENT\n", text)
    return re.sub(r"trouble.py:\d+", "trouble.py:LINE", text)


def test_all_seven_verdicts_with_their_causes(anthology: Run, tmp_path: Path) -> None:
    root = toys.project(tmp_path, **SEVEN)
    done = anthology("verify", cwd=root)
    assert masked(done.out) == VERDICTS
    assert done.code == 1
    assert re.fullmatch(r"verified 7 claims in \d+\.\d s\n", done.err)


def test_one_claim_in_full(anthology: Run, measured: Path) -> None:
    done = anthology("verify", "NOTE-001#C1", cwd=measured)
    assert masked(done.out) == ONE
    assert done.code == 0


def test_rerun_measures_again_and_says_the_same(anthology: Run, fresh: Path) -> None:
    file = fresh / "records/runs/NOTE-001.C1.json"
    arms = json.loads(file.read_text())["tests"][""]["arms"]
    done = anthology("verify", "NOTE-001#C1", "--rerun", cwd=fresh)
    assert masked(done.out) == ONE
    assert json.loads(file.read_text())["tests"][""]["arms"] == arms


def test_json_has_everything(anthology: Run, measured: Path) -> None:
    done = anthology("verify", "NOTE-001#C1", "--format", "json", cwd=measured)
    answer = json.loads(done.out)
    assert (answer["schema"], answer["count"]) == ("anthology.verdicts/1", 1)
    [row] = answer["rows"]
    assert (row["claim"], row["verdict"], row["passed"], row["seeds"]) == (
        *("NOTE-001#C1", "corroborated"), 3, 3,
    )  # fmt: skip
    assert row["file"] == "records/note/NOTE-001.md"
    assert row["tests"][0]["values"] == [
        {"control": "", "quantity": "x", "mean": 1.0, "min": 1.0, "max": 1.0, "given": 3},
        {"control": "other", "quantity": "x", "mean": 7.0, "min": 7.0, "max": 7.0, "given": 3},
    ]


# ---------------------------------------------------------------- freshness

EDITS = [
    ("experiments/toy/number.py", "Return value", "Give value", ""),
    ("experiments/toy/number.py", "x * x", "x ** 2", "code of experiments/toy/number.py changed"),
    ("experiments/lab/arithmetic.py", "# none", "# a comment", ""),
    ("experiments/lab/arithmetic.py", "** seed", "** (seed + 1)",
     "code of experiments/lab/arithmetic.py changed"),
    ("records/note/NOTE-001.md", "{value: 7}", "{value: 8}", "control `other`: value 7.0 → 8.0"),
    ("records/note/NOTE-001.md", "x in [0.5, 1.5]", "x in [0.6, 1.5]", ""),
    ("experiments/toy/number.py", '    series={', '    dtype="float32",\n    series={',
     "dtype: float64 → float32"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "said"), EDITS)
def test_check_names_the_part_that_changed(
    anthology: Run, fresh: Path, file: str, old: str, new: str, said: str
) -> None:
    path = fresh / file
    if old == "# none":
        path.write_text(path.read_text() + new + "\n")
    else:
        toys.edit(path, old, new)
    done = anthology("verify", "NOTE-001#C1", "--check", cwd=fresh)
    if said:
        assert done.code == 5
        assert said in " ".join(done.out.split())
    else:
        assert (done.code, done.out) == (0, "every verdict is fresh\n")
    assert done.err == ""


def test_check_judges_freshness_only_whatever_the_verdicts(anthology: Run, fresh: Path) -> None:
    done = anthology("verify", "--check", cwd=fresh)
    assert (done.code, done.out) == (0, "every verdict is fresh\n")
    assert anthology("verify", "--check", "--strict", cwd=fresh).code == 5
    (fresh / "records/runs/NOTE-001.C3.json").unlink()
    done = anthology("verify", "--check", "--format", "json", cwd=fresh)
    assert done.code == 5
    assert [(row["claim"], row["cause"]) for row in rows(done)] == [("NOTE-001#C3", "not run yet")]


def test_check_runs_nothing_and_is_quick(anthology: Run, fresh: Path) -> None:
    """Under half a second of CPU, child processes and all; the first look fills the index."""
    # A module that must not be imported, whatever it says.
    path = fresh / "experiments/lab/arithmetic.py"
    toys.edit(path, "value +", "value +  ")
    path.write_text(path.read_text() + "# " + "import this\n")
    assert anthology("verify", "--check", cwd=fresh).code == 0
    least = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert anthology("verify", "--check", cwd=fresh).code == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = min(least, took)
    if "COVERAGE_PROCESS_CONFIG" not in os.environ:  # counting lines takes time of its own
        assert least < 0.5


def test_stale_failed_why_and_dry_run_choose_and_tell(anthology: Run, fresh: Path) -> None:
    done = anthology("verify", "--stale", cwd=fresh)
    assert (done.code, done.out) == (0, "no claim is stale\n")
    done = anthology("verify", "--failed", "--dry-run", "--format", "json", cwd=fresh)
    assert rows(done) == [
        {"claim": "NOTE-001#C6", "test": "", "measurements": 2, "why": "not finished"}
    ]
    toys.edit(fresh / "experiments/lab/arithmetic.py", "** seed", "** (seed + 2)")
    before = {each: each.read_bytes() for each in (fresh / "records").rglob("*.json")}
    done = anthology("verify", "--stale", "--dry-run", "--format", "json", cwd=fresh)
    assert [(row["claim"], row["measurements"]) for row in rows(done)] == [
        ("NOTE-001#C1", 6), ("NOTE-001#C2", 6), ("NOTE-001#C3", 3), ("NOTE-001#C4", 3),
        ("NOTE-001#C5", 6),
    ]  # fmt: skip
    assert {row["why"] for row in rows(done)} == {"code of experiments/lab/arithmetic.py changed"}
    assert {each: each.read_bytes() for each in (fresh / "records").rglob("*.json")} == before
    done = anthology("verify", "NOTE-001#C1", "--seeds", "1", "--why", cwd=fresh)
    assert done.out.splitlines()[3] == "inconclusive (budget)"
    done = anthology("verify", "--stale", cwd=fresh)
    assert [line.split()[0] for line in done.out.splitlines()[2:] if line[0] == "N"] == [
        f"NOTE-001#C{n}" for n in (2, 3, 4, 5)
    ]
    assert anthology("verify", "--check", cwd=fresh).code == 0


# ---------------------------------------------------------------- how it ends


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["NOTE-001#C1"], 0),
        (["NOTE-001#C4"], 0),
        (["NOTE-001#C4", "--strict"], 5),
        (["NOTE-001#C7"], 0),
        (["NOTE-001#C3"], 1),
        (["NOTE-001#C5", "NOTE-001#C4", "--strict"], 1),
        (["NOTE-1#C1"], 0),
        (["NOTE-001#C9"], 2),
        (["NOTE-002"], 2),
        (["LIT-001"], 4),
        (["--format", "jason"], 2),
        (["--jobs", "0"], 2),
        (["--budget", "soon"], 2),
        (["--max-memory", "-1G"], 2),
        (["--max-memory", "2G", "--budget", "1h", "--device", "cpu", "NOTE-001#C1"], 0),
    ],
)
def test_exit_codes(anthology: Run, fresh: Path, words: list[str], code: int) -> None:
    done = anthology("verify", *words, cwd=fresh)
    assert done.code == code, done.err
    if code in (2, 4):
        assert done.out == ""
        assert "error" in done.err.lower()


def test_an_unknown_claim_names_the_near_ones(anthology: Run, measured: Path) -> None:
    done = anthology("verify", "NOTE-001#C10", cwd=measured)
    assert "no record, claim or sense named 'NOTE-001#C10'; did you mean" in done.err


def test_ctrl_c_ends_with_130_and_keeps_what_is_finished(tmp_path: Path) -> None:
    root = toys.project(tmp_path, C1=toys.trouble("slow", seeds=200))
    started = subprocess.Popen(
        [sys.executable, "-m", "litgraph", "verify"], cwd=root, stderr=subprocess.PIPE,
        stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
    )  # fmt: skip
    log = root / ".anthology/runs/NOTE-001.C1.jsonl"
    for _ in range(500):
        if log.exists() and log.stat().st_size > 500:
            break
        time.sleep(0.02)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=20)
    assert (started.returncode, out) == (130, "")
    assert err == "\ninterrupted; finished seeds are kept, and the next run goes on there\n"
    stored = json.loads((root / "records/runs/NOTE-001.C1.json").read_text())["tests"][""]
    assert 0 < len(stored["arms"]["main"]) < 200
    assert stored["verdict"]["cause"] == "budget"


def test_nothing_is_written_but_runs(anthology: Run, tmp_path: Path) -> None:
    root = toys.project(tmp_path, C1=claim())

    def files() -> Iterator[str]:
        for each in sorted(root.rglob("*")):
            if each.is_file() and ".anthology" not in each.parts:
                yield each.relative_to(root).as_posix()

    before = list(files())
    anthology("verify", "--check", cwd=root)
    anthology("verify", "--dry-run", cwd=root)
    assert list(files()) == before
    anthology("verify", cwd=root)
    assert sorted(set(files()) - set(before)) == ["records/runs/NOTE-001.C1.json"]


# ---------------------------------------------------------------- runs


def test_runs_shows_what_was_measured(anthology: Run, tmp_path: Path) -> None:
    root = toys.project(tmp_path, C1=SCOPED)
    anthology("verify", cwd=root)
    done = anthology("runs", "NOTE-001#C1", cwd=root)
    assert masked(done.out) == RUN
    assert done.code == 0
    [row] = rows(anthology("runs", "NOTE-001", "--format", "json", cwd=root))
    [test] = row["tests"]
    assert test["shows"] == "that a number is near 1"
    assert test["parts"]["seeds"] == 3
    assert set(test["environment"]) == {"python", "platform"}
    assert len(test["values"]) == 4


TWO = """
    form: universal
    tests:
      near: {run: toy.number, expect: x > 0, control: {zero: {value: 0}}}
      far: {run: toy.number, expect: y > 2}
    """

BOTH = """\
NOTE-001#C1: The toy C1

test near
  universal: its one seed must have x > 0; the control `zero` must miss
corroborated (1/1)
  x                1 [1, 1]
  x  control zero  0 [0, 0]
  SECONDS s

test far
  universal: its one seed must have y > 2
inconclusive (between the bounds)
  0 of 1 seeds within; 1 for `y > 2` in seed 0
  y    1 [1, 1]
  SECONDS s

inconclusive (between the bounds)
look again: criterion changed after values were seen: expect y > 1.5 → y > 2
stale: far: params: value its default → 1.0
"""


def test_a_claim_with_two_tests_its_notes_and_what_is_stale(anthology: Run, tmp_path: Path) -> None:
    root = toys.project(tmp_path, C1=TWO.replace("y > 2", "y > 1.5"))
    assert anthology("verify", cwd=root).code == 0
    note = root / "records/note/NOTE-001.md"
    toys.edit(note, "{run: toy.number, expect: y > 1.5", "{run: toy.number, expect: y > 2")
    done = anthology("verify", "NOTE-001#C1", cwd=root)
    toys.edit(note, "toy.number, expect: y", "toy.number, params: {value: 1}, expect: y")
    shown = anthology("verify", "NOTE-001#C1", "--budget", "0.000001", cwd=root)
    assert masked(done.out) == BOTH.replace(BOTH.splitlines(keepends=True)[-1], "")
    assert done.code == 0
    assert masked(shown.out) == BOTH
    assert shown.code == 5  # the time was over before anything was measured
    done = anthology("runs", "NOTE-001#C1", "--plot", str(tmp_path / "plot.svg"), cwd=root)
    if done.code == 0:  # matplotlib is there
        drawn = sorted(each.name for each in tmp_path.glob("*.svg"))
        assert drawn == ["plot-far.svg", "plot-near.svg"]


def test_runs_of_what_was_never_run(anthology: Run, fresh: Path) -> None:
    done = anthology("runs", "NOTE-001#C7", cwd=fresh)
    assert (done.code, done.out) == (4, "")
    assert "NOTE-001#C7 has no run" in done.err
    assert anthology("runs", "NOTE-001#C9", cwd=fresh).code == 2
    assert anthology("runs", "LIT-001", cwd=fresh).code == 4
    assert anthology("runs", "diff", "NOTE-001#C1", cwd=fresh).code == 2
    assert anthology("runs", "NOTE-001#C1", "NOTE-001#C2", cwd=fresh).code == 2
    assert anthology("runs", "diff", "NOTE-001#C1", "NOTE-001#C1@HEAD", cwd=fresh).code == 4


def test_runs_diff_says_what_changed_and_runs_what_was_before(anthology: Run, fresh: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *words], cwd=fresh, capture_output=True, check=True)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "measured")
    same = anthology("runs", "diff", "NOTE-001#C1", "NOTE-001#C1@HEAD", cwd=fresh)
    assert (same.code, same.out) == (0, "nothing differs\n")
    toys.edit(fresh / "records/note/NOTE-001.md", "{value: 7}", "{value: 1}")
    toys.edit(fresh / "experiments/lab/arithmetic.py", "value +", "value + 0.25 +")
    assert anthology("verify", "NOTE-001#C1", cwd=fresh).code == 1
    done = anthology("runs", "diff", "NOTE-001#C1@HEAD", "NOTE-001#C1", "-f", "json", cwd=fresh)
    found = {row["what"]: (row["first"], row["second"]) for row in rows(done)}
    assert found["verdict"] == ("corroborated (3/3)", "vacuous (control `other` meets `expect`)")
    assert found["control `other`"] == ("value 7.0", "1.0")
    assert found["code"] == ("", "code of experiments/lab/arithmetic.py changed")
    assert found["x"] == ("1 [1, 1]", "1.25 [1.25, 1.25]")
    history = anthology("runs", "NOTE-001#C1", cwd=fresh).out.splitlines()[-1]
    assert history.endswith("corroborated (3/3)")
