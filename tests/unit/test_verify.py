"""Verdicts from stored numbers and from new ones: staleness, resuming, containment."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from anthology import corpus, measure, runs, verify
from anthology.errors import UnknownNameError
from anthology.judge import Verdict
from anthology.measure import Options
from tests import toys
from tests.conftest import ROOT

CLAIM = "NOTE-001#C1"
RAISED = f"ValueError: what was raised (experiments/toy/trouble.py:{toys.RAISES})"
QUICK = Options(limit=1.0, memory=256 << 20)


def claim(form: str = "universal", **test: str) -> str:
    """Return a claim with a test of `toy.number`."""
    given = {"run": "toy.number", "seeds": "3", "expect": "x in [0.5, 1.5]", **test}
    lines = "\n".join(f"  {key}: {value}" for key, value in given.items())
    return f"form: {form}\ntest:\n{lines}"


SEVEN = {
    "C1": claim(refute="x < 0", control="{other: {value: 7}}"),
    "C2": claim(
        "existential", expect="x > 1.4", params="{spread: 0.45}", control="{c: {value: 0}}"
    ),
    "C3": claim(params="{value: -1}", refute="x < 0"),
    "C4": claim(params="{spread: 1}"),
    "C5": claim(control="{same: {}}"),
    "C6": claim(run="toy.trouble", params="{how: raise}", expect="x >= 0"),
    "C7": "form: definition",
}


def project(root: Path, **claims: str) -> corpus.Corpus:
    return corpus.load(toys.project(root, **claims))


def stored(found: corpus.Corpus, name: str = CLAIM) -> runs.TestRun:
    return runs.read(runs.path(found.config, name)).tests[""]


def test_all_seven_verdicts(tmp_path: Path) -> None:
    found = project(tmp_path, **SEVEN)
    assert not found.findings
    said = {name[-2:]: str(each) for name, each in measure.run(found, found.claims).items()}
    assert said == {
        "C1": "corroborated (3/3)",
        "C2": "supported (2/3)",
        "C3": "refuted (3 of 3 seeds)",
        "C4": "inconclusive (between the bounds)",
        "C5": "vacuous (control `same` meets `expect`)",
        "C6": f"error ({RAISED} (seed 1))",
        "C7": "untested (a definition: nothing to run)",
    }
    assert {k[-2:]: str(v) for k, v in verify.verdicts(found).items()} == said
    assert set(verify.measured(found)) == set(found.claims) - {"NOTE-001#C7"}


def test_the_other_causes(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        C1=claim(params="{value: 1.4, spread: 0.2}"),
        C2=claim(params="{bad: 1}"),
        C3=claim(guard="y > 5"),
        C4=claim(floor="y < 5"),
        C5="form: universal",
        C6="form: universal\nuntested: no model of this size runs here",
        C7=claim(""),
    )
    said = [str(each) for each in measure.run(found, found.claims).values()]
    assert said == [
        "inconclusive (seeds disagree)",
        "inconclusive (not a number)",
        "inconclusive (guard)",
        "inconclusive (numerical floor)",
        "untested (no test is linked)",
        "untested (no model of this size runs here)",
        "untested (no form: nothing says what a pass would mean)",
    ]


def test_before_and_after_a_run(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    assert str(verify.verdicts(found)[CLAIM]) == "untested (not run yet)"
    assert str(verify.claim(found, CLAIM)) == "corroborated (3/3)"
    assert str(verify.claim(found, "NOTE-1#C1")) == "corroborated (3/3)"
    with pytest.raises(UnknownNameError, match="did you mean NOTE-001#C1"):
        verify.claim(found, "NOTE-001#C11")
    with pytest.raises(UnknownNameError):
        verify.claim(found, "NOTE-001")


def test_statistical_and_causal_claims_run(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        C1=claim("statistical", seeds="8", params="{spread: 0.1}", control="{zero: {value: 0}}"),
        C2=claim(
            "causal", arms="{with: {value: 2}, without: {}}", expect="with.x - without.x > 0.5",
            control="{placebo: {value: 1}}",
        ),
    )  # fmt: skip
    verdicts = measure.run(found, found.claims)
    assert [str(each) for each in verdicts.values()] == [
        "supported (95 % interval of 8 seeds)",
        "supported (3/3)",
    ]
    test = stored(found, "NOTE-001#C2")
    assert test.parts["arms"] == {"with": {"value": 2.0}, "without": {}}
    assert test.controls["placebo"]["with"][0].metrics["x"] == 1.0


def test_several_tests_and_the_worst_of_them(tmp_path: Path) -> None:
    tests = """
        form: universal
        tests:
          near: {run: toy.number, expect: x > 0}
          far: {run: toy.number, seeds: 2, expect: x > 2, refute: x < 1.5}
        """
    found = project(tmp_path, C1=tests)
    verdict = verify.claim(found, CLAIM)
    assert str(verdict) == "refuted (2 of 2 seeds)"
    assert [(name, str(each)) for name, each in verdict.tests] == [
        ("near", "corroborated (1/1)"),
        ("far", "refuted (2 of 2 seeds)"),
    ]
    toys.edit(tmp_path / "experiments/lab/arithmetic.py", "value +", "0 + value +")
    changed = "code of experiments/lab/arithmetic.py changed"
    assert [said for _, said in verify.verdicts(found)[CLAIM].stale] == [
        f"near: {changed}",
        f"far: {changed}",
    ]


# ---------------------------------------------------------------- staleness


def note(root: Path) -> Path:
    return root / "records/note/NOTE-001.md"


EDITS: list[tuple[str, str, str, str]] = [
    ("experiments/toy/number.py", "Return value", "Give value", ""),
    ("experiments/toy/number.py", "x = swing", "# A comment.\n    x = swing", ""),
    ("experiments/toy/number.py", "seconds=0.01", "seconds=9", ""),
    ("experiments/toy/number.py", "x * x", "x ** 2", "code of experiments/toy/number.py changed"),
    ("experiments/lab/arithmetic.py", "Go up", "Rise", ""),
    ("experiments/lab/arithmetic.py", "value + spread", "value - spread",
     "code of experiments/lab/arithmetic.py changed"),
    ("records/note/NOTE-001.md", "seeds: 3", "seeds: 4", "seeds: 3 → 4"),
    ("records/note/NOTE-001.md", "{spread: 0.1}", "{spread: 0.2}", "params: spread 0.1 → 0.2"),
    ("records/note/NOTE-001.md", "{spread: 0.1}", "{spread: 1e-1}", ""),
    ("records/note/NOTE-001.md", "{spread: 0.1}", "{}", "params: spread 0.1 → its default"),
    ("records/note/NOTE-001.md", "{value: 7}", "{value: 8}", "control `other`: value 7.0 → 8.0"),
    ("records/note/NOTE-001.md", "other: {value", "another: {value",
     "control `another` added"),
    ("records/note/NOTE-001.md", "toy.number", "toy.trouble",
     "the experiment trouble has no parameter `spread`; it takes how, mark"),
    ("records/note/NOTE-001.md", "toy.number", "toy.numb",
     "no experiment named 'toy.numb'; did you mean toy.number or toy.trouble?"),
    ("records/note/NOTE-001.md", "x in", "y in", ""),
    ("records/note/NOTE-001.md", "title: A toy", "title: Another", ""),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "said"), EDITS)
def test_what_makes_a_verdict_stale(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    text = claim(params="{spread: 0.1}", control="{other: {value: 7}}")
    found = project(tmp_path, C1=text)
    assert str(verify.claim(found, CLAIM)) == "corroborated (3/3)"
    toys.edit(tmp_path / file, old, new)
    verdict = verify.verdicts(corpus.load(tmp_path))[CLAIM]
    assert str(verdict) == "corroborated (3/3)"
    assert [each for _, each in verdict.stale][:1] == [said] * bool(said)


def test_a_changed_bound_judges_the_stored_numbers_again(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM)
    toys.edit(note(tmp_path), "x in [0.5, 1.5]", "x in [2, 3]")
    later = corpus.load(tmp_path)
    verdict = verify.verdicts(later)[CLAIM]
    assert str(verdict) == "inconclusive (between the bounds)"
    assert verdict.stale == ()
    said = "criterion changed after values were seen: expect x in [0.5, 1.5] → x in [2, 3]"
    assert verdict.notes == (said,)
    # Writing the file anew does not hide that.
    assert verify.claim(later, CLAIM) == verdict
    assert stored(later).verdict.word == "inconclusive"
    assert verify.claim(later, CLAIM, rerun=True).notes == (said,)
    toys.edit(note(tmp_path), "x in [2, 3]", "x in [0.5, 1.5]")
    assert verify.claim(corpus.load(tmp_path), CLAIM).notes == ()


def test_a_claim_with_other_words_asks_for_a_look(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM)
    toys.edit(note(tmp_path), "The toy C1", "The toy C1, always")
    later = corpus.load(tmp_path)
    assert verify.verdicts(later)[CLAIM].notes == ("reworded since it was judged",)
    assert verify.claim(later, CLAIM).notes == ("reworded since it was judged",)
    assert verify.claim(later, CLAIM, rerun=True).notes == ()


def test_only_what_changed_is_measured_again(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = toys.trouble("none", mark=str(mark), control="{c: {}}")
    found = project(tmp_path, C1=text)
    verify.claim(found, CLAIM)
    assert mark.read_text().split() == ["0", "1", "2"] * 2

    def again() -> str:
        mark.write_text("")
        verify.claim(corpus.load(tmp_path), CLAIM)
        return " ".join(mark.read_text().split())

    assert again() == ""
    toys.edit(note(tmp_path), "seeds: 3", "seeds: 5")
    assert again() == "3 4 3 4"
    toys.edit(note(tmp_path), "seeds: 5", "seeds: 2")
    assert again() == ""
    assert set(stored(found).arms["main"]) == {0, 1}
    toys.edit(note(tmp_path), "{c: {}}", "{c: {}, d: {how: slow}}")
    assert again() == "0 1"
    toys.edit(tmp_path / "experiments/toy/trouble.py", "LIMITED = 256", "LIMITED = 257")
    assert again() == "0 1 0 1 0 1"


def test_an_interrupted_rerun_takes_nothing_away(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM)
    assert str(verify.claim(found, CLAIM, rerun=True, seeds=1)) == "corroborated (3/3)"


def test_a_budget_leaves_the_rest_for_later(tmp_path: Path) -> None:
    text = toys.trouble("slow", seeds=40, mark=str(tmp_path / "mark"))
    found = project(tmp_path, C1=text)
    verdict = verify.claim(found, CLAIM, budget=0.8)
    assert str(verdict) == "inconclusive (budget)"
    done = len(stored(found).arms["main"])
    assert 0 < done < 40
    assert str(verify.claim(found, CLAIM)) == "corroborated (40/40)"
    # What was under way when the time was over may have begun twice.
    assert 40 <= len((tmp_path / "mark").read_text().split()) <= 41


def test_a_few_seeds_are_not_all(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verdict = verify.claim(found, CLAIM, seeds=2)
    assert (str(verdict), verdict.detail) == ("inconclusive (budget)", "2 of 3 seeds are measured")
    assert str(verify.claim(found, CLAIM)) == "corroborated (3/3)"


def test_two_jobs_measure_what_one_does(tmp_path: Path) -> None:
    claims = {f"C{n}": claim(seeds="5", params=f"{{value: {n}}}") for n in range(1, 5)}
    numbers = []
    for jobs in (1, 2, 7):
        root = tmp_path / str(jobs)
        root.mkdir()
        found = project(root, **claims)
        measure.run(found, found.claims, Options(jobs=jobs))
        tests = [stored(found, name) for name in found.claims]
        numbers.append([(each.arms, each.verdict, each.parts) for each in tests])
    assert numbers[0] == numbers[1] == numbers[2]


def test_the_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM, progress=lambda *each: told.append(each))
    assert told == [(1, 3, CLAIM), (2, 3, CLAIM), (3, 3, CLAIM)]


def test_a_broken_run_file_is_an_error_and_is_not_overwritten_unasked(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM)
    runs.path(found.config, CLAIM).write_text("{")
    assert verify.verdicts(found)[CLAIM].word == "error"
    verdict = verify.claim(found, CLAIM)
    assert verdict.cause.startswith("its run file is no run file: ")
    assert runs.path(found.config, CLAIM).read_text() == "{"
    assert str(verify.claim(found, CLAIM, rerun=True)) == "corroborated (3/3)"


def test_a_test_that_cannot_be_run_is_an_error_and_loses_no_numbers(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM)
    before = runs.path(found.config, CLAIM).read_bytes()
    for old, new, said in (
        ("toy.number", "toy.nothing", "no experiment named 'toy.nothing'"),
        ("toy.nothing", "lab.arithmetic", "experiments/lab/arithmetic.py:1: no function is"),
        ("lab.arithmetic", "toy.number", ""),
        (
            "seeds: 3",
            "params: {valu: 3}\n      seeds: 3",
            "no parameter `valu`; did you mean value",
        ),
        ("{valu: 3}", "{value: big}", "`value` is a finite number"),
        ("{value: big}", "{}", ""),
        ("x in [", "z in [", "measures no `z`; it measures x, y"),
    ):
        toys.edit(note(tmp_path), old, new)
        later = corpus.load(tmp_path)
        verdict = verify.claim(later, CLAIM)
        assert verdict.word == ("error" if said else "corroborated"), verdict
        assert said in verdict.cause
        assert runs.path(found.config, CLAIM).read_bytes() == before


# ---------------------------------------------------------------- torch, or none


def test_torch_is_a_part_only_where_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = project(tmp_path, C1=claim())
    path = tmp_path / "experiments/toy/number.py"
    from anthology import keys, plans

    test = found.claims[CLAIM].tests[0]
    assert "torch" not in plans.make(found.config, test).parts
    toys.edit(path, "from anthology", "import torch\nfrom anthology")
    monkeypatch.setattr(keys, "torch_minor", lambda: "2.13")
    assert plans.make(found.config, test).parts["torch"] == "2.13"


def test_without_torch_what_is_stored_is_fresh_and_what_is_missing_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The experiment only mentions torch, so that this runs with torch and without."""
    from anthology import keys

    found = project(tmp_path, C1=claim())
    path = tmp_path / "experiments/toy/number.py"
    toys.edit(path, "from anthology", "if False:\n    import torch\nfrom anthology")
    monkeypatch.setattr(keys, "torch_minor", lambda: "2.13")
    assert str(verify.claim(found, CLAIM)) == "corroborated (3/3)"
    monkeypatch.setattr(keys, "torch_minor", lambda: "2.14")
    assert verify.verdicts(found)[CLAIM].stale == (("torch", "torch: 2.13 → 2.14"),)
    monkeypatch.setattr(keys, "torch_minor", lambda: "")
    assert verify.verdicts(found)[CLAIM].stale == ()
    before = runs.path(found.config, CLAIM).read_bytes()
    assert str(verify.claim(found, CLAIM)) == "corroborated (3/3)"
    verdict = verify.claim(found, CLAIM, rerun=True)
    assert str(verdict).startswith("error (it needs torch, which is not installed: pip install")
    assert runs.path(found.config, CLAIM).read_bytes() == before


def test_judging_imports_neither_torch_nor_what_starts_processes(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM)
    code = (
        "import sys, anthology; from anthology import verify; "
        f"print(verify.verdicts(anthology.load({str(tmp_path)!r}))[{CLAIM!r}]); "
        "print([name for name in ('torch', 'subprocess', 'rdflib') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split("\n")[:2] == ["corroborated (3/3)", "[]"]


def test_what_is_not_installed_here_says_nothing_of_what_is_stored(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM)
    before = runs.path(found.config, CLAIM).read_bytes()
    path = tmp_path / "experiments/toy/number.py"
    for old, new, said in (
        ("x = swing", "import nowhere\n    x = swing", "No module named 'nowhere'"),
        ("import nowhere", "raise_late()", "the weights are not there"),
    ):
        toys.edit(path, old, new)
        late = (
            "\n\ndef raise_late():\n    try:\n        import nowhere\n    except ImportError:\n"
            "        raise LookupError('the weights are not there') from None\n"
        )
        path.write_text(path.read_text().replace(late, "") + late)
        verdict = verify.claim(found, CLAIM)
        assert verdict.word == "error"
        assert said in verdict.cause
        assert runs.path(found.config, CLAIM).read_bytes() == before
    assert [part for part, _ in verify.verdicts(found)[CLAIM].stale] == ["code"]


TENSOR = """
from __future__ import annotations

import torch

from anthology.experiment import Measurement, experiment


@experiment(seconds=0.1, metrics={"x": "a number (dimensionless)"})
def tensor(seed: int, *, size: int = 64, double: bool = True) -> Measurement:
    rng = torch.Generator().manual_seed(seed)
    kind = torch.float64 if double else torch.float32
    a = torch.randn(size, size, generator=rng, dtype=kind)
    return Measurement(x=torch.softmax(a @ a.T / size, dim=-1).mul(a).sum().item())
"""


def test_torch_is_imported_once_runs_on_one_thread_and_gives_the_same_numbers(
    tmp_path: Path,
) -> None:
    pytest.importorskip("torch")
    numbers = []
    for jobs in (1, 2):
        root = tmp_path / str(jobs)
        root.mkdir()
        test = {"run": "toy.tensor", "seeds": "6", "expect": "x > -1e9"}
        claims = {"C1": claim(**test), "C2": claim(**test, params="{double: false}")}
        toys.project(root, **claims, C3=claim(**test, params="{size: 100000}"))
        (root / "experiments/toy/tensor.py").write_text(TENSOR)
        found = corpus.load(root)
        verdicts = measure.run(found, found.claims, Options(jobs=jobs, memory=1 << 30))
        assert [each.word for each in verdicts.values()] == ["corroborated"] * 2 + ["error"]
        assert verdicts["NOTE-001#C3"].cause == "out of memory: it may hold 1 GB (seed 0)"
        tests = [stored(found, name) for name in ("NOTE-001#C1", "NOTE-001#C2")]
        assert tests[0].environment["threads"] == 1
        assert str(tests[0].environment["torch"]).startswith(tests[0].parts["torch"] + ".")
        numbers.append([each.arms for each in tests])
    assert numbers[0] == numbers[1]
    assert numbers[0][0] != numbers[0][1]


# ---------------------------------------------------------------- containment

TROUBLES = {
    "hang": "error (timed out after 1 s (seed 1))",
    "fork": "corroborated (3/3)",
    "daemon": "corroborated (3/3)",
    "eat": "error (out of memory: it may hold 256 MB (seed 1))",
    "print": "corroborated (3/3)",
    "close": "error (ended before it was done, with status 70: OSError: [Errno 9] "
    "Bad file descriptor (seed 1))",
    "write": "corroborated (3/3)",
    "nan": "inconclusive (not a number)",
    "raise": f"error ({RAISED} (seed 1))",
    "exit": "error (exited with 3 (seed 1))",
    "vanish": "error (ended before it was done, with status 0 (seed 1))",
    "abort": "error (killed by SIGABRT (seed 1))",
    "recurse": "error (RecursionError: maximum recursion depth exceeded",
    "wrong": "error (TypeError: metric `x` must be a real number, not str",
    "none": "corroborated (3/3)",
}


def files(root: Path) -> set[str]:
    names = (each.relative_to(root).as_posix() for each in root.rglob("*"))
    return {name for name in names if not name.startswith((".anthology", "records/runs"))}


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_trouble_is_contained_and_the_next_one_runs(tmp_path: Path, jobs: int) -> None:
    mark = tmp_path / "mark"
    found = project(
        tmp_path, **{f"C{n}": toys.trouble(how, mark=str(mark) if how == "daemon" else "")
                     for n, how in enumerate(TROUBLES)}
    )  # fmt: skip
    before = files(tmp_path)
    options = Options(jobs=jobs, limit=1.0, memory=256 << 20)
    verdicts = measure.run(found, found.claims, options)
    for (how, expected), verdict in zip(TROUBLES.items(), verdicts.values(), strict=True):
        assert str(verdict).startswith(expected), how
    # What was measured before the trouble is kept, and nothing else is left.
    assert set(stored(found, "NOTE-001#C8").arms["main"]) == {0}
    assert files(tmp_path) - before == {"mark", "mark.pid"}
    assert not alive(int((tmp_path / "mark.pid").read_text()))


def alive(pid: int) -> bool:
    """Whether a process runs; a dead one that nobody waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_failed_seed_ends_its_test_unless_asked_otherwise(tmp_path: Path) -> None:
    for how in ("raise", "abort", "hang"):
        root = tmp_path / how
        root.mkdir()
        found = project(root, C1=toys.trouble(how, seeds=4))
        measure.run(found, [CLAIM], QUICK)
        assert set(stored(found).arms["main"]) == {0}
        options = Options(limit=1.0, keep_going=True)
        assert measure.run(found, [CLAIM], options)[CLAIM].word == "error"
        assert set(stored(found).arms["main"]) == {0, 2, 3}


def test_an_error_is_tried_again(tmp_path: Path) -> None:
    found = project(tmp_path, C1=toys.trouble("raise"))
    assert verify.claim(found, CLAIM).word == "error"
    toys.edit(tmp_path / "experiments/toy/trouble.py", 'if how == "raise"', 'if how == "rais"')
    assert str(verify.claim(found, CLAIM)) == "corroborated (3/3)"
    assert stored(found).error == ""


def test_experiments_do_not_see_each_other(tmp_path: Path) -> None:
    """Each test is measured in a fork of its own: what one changes, the next does not meet."""
    found = project(tmp_path, C1=claim(), C2=claim(params="{value: 1.2}"))
    path = tmp_path / "experiments/lab/arithmetic.py"
    path.write_text(
        path.read_text().replace("return", "import math\n    math.pi += 1\n    return value or")
        + "\nimport math\nassert math.pi < 4, 'somebody was here'\n"
    )
    verdicts = measure.run(found, found.claims)
    assert [str(each) for each in verdicts.values()] == ["corroborated (3/3)"] * 2


# ---------------------------------------------------------------- kills


def counted(root: Path) -> int:
    """Return how many finished seeds are safe on disk; every run file must be whole."""
    total = 0
    for file in (root / "records/runs").glob("*"):
        test = runs.read(file).tests[""]
        seeds = {(c, s) for c, arms in [("", test.arms), *test.controls.items()]
                 for results in arms.values() for s in results}  # fmt: skip
        total += len(seeds)
    log = root / ".anthology/runs/NOTE-001.C1.jsonl"
    if log.exists():
        lines = [line for line in log.read_bytes().split(b"\n") if line.endswith(b"]")]
        total = max(total, len(lines))
    return total


def victims(pid: int) -> list[int]:
    """Return a process, its bench, and the fork that measures."""
    found, waiting = [], [pid]
    while waiting:
        each = waiting.pop()
        found.append(each)
        try:
            waiting += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
        except OSError:
            continue
    return found


def kills(root: Path, count: int, seconds: float) -> None:
    """Kill a run over and over at odd moments, then let it finish."""
    import random

    chance = random.Random(4)
    end = time.monotonic() + seconds
    code = f"import anthology as a; a.verify.claim(a.load({str(root)!r}), {CLAIM!r})"
    before = 0
    for _ in range(count):
        started = subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(0.25 + 0.4 * chance.random())
        pids = victims(started.pid)
        victim = chance.choice(pids)
        safe = counted(root)
        for pid in {victim, started.pid}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)
            if pid == victim != started.pid:
                time.sleep(0.05)
                safe = counted(root)
        started.wait()
        assert counted(root) >= safe >= before
        before = safe
        deadline = time.monotonic() + 5
        while any(map(alive, pids)):
            assert time.monotonic() < deadline, "something outlived its parent"
            time.sleep(0.01)
        if time.monotonic() > end:
            break


def killed(tmp_path: Path, count: int, seeds: int, seconds: float) -> None:
    text = toys.trouble("slow", seeds=seeds, control="{c: {how: none}}")
    rooms = [tmp_path / "killed", tmp_path / "calm"]
    for room in rooms:
        room.mkdir()
    found, calm = (project(room, C1=text) for room in rooms)
    kills(rooms[0], count, seconds)
    verdicts = [str(verify.claim(each, CLAIM)) for each in (found, calm)]
    assert verdicts[0] == verdicts[1]
    one, two = stored(found), stored(calm)
    assert (one.arms, one.controls, one.verdict) == (two.arms, two.controls, two.verdict)
    assert not list((rooms[0] / ".anthology/runs").iterdir())


def test_kills_lose_no_finished_seed(tmp_path: Path) -> None:
    killed(tmp_path, 6, 40, 15)


@pytest.mark.slow
def test_fifty_kills_lose_no_finished_seed(tmp_path: Path) -> None:
    killed(tmp_path, 50, 300, 120)


def test_a_killed_bench_is_started_again(tmp_path: Path) -> None:
    """The child dies, the parent lives: nothing is lost, and nobody has to ask again."""
    found = project(tmp_path, C1=toys.trouble("slow", seeds=12))
    struck: list[int] = []

    def strike(done: int, total: int, name: str) -> None:
        if done == 4:
            bench = [each for each in victims(os.getpid())[1:] if b"bench" in command(each)]
            struck.extend(bench)
            os.kill(bench[0], 9)

    verdict = verify.claim(found, CLAIM, progress=strike)
    assert struck
    assert str(verdict) == "corroborated (12/12)"


def command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_bench_that_dies_again_and_again_is_an_error(tmp_path: Path) -> None:
    found = project(tmp_path, C1=toys.trouble("none"), C2=claim())
    path = tmp_path / "experiments/toy/trouble.py"
    toys.edit(
        path,
        'if how == "slow"',
        'os.kill(os.getppid(), 9)\n    time.sleep(60)\n    if how == "slow"',
    )
    verdicts = measure.run(found, found.claims)
    assert [str(each) for each in verdicts.values()] == [
        "error (the bench process died twice)",
        "corroborated (3/3)",
    ]


def test_a_journal_that_was_left_is_taken_up(tmp_path: Path) -> None:
    from anthology import plans
    from anthology.journal import Entry, Journal

    mark = tmp_path / "mark"
    found = project(tmp_path, C1=toys.trouble("none", mark=str(mark)))
    parts = plans.make(found.config, found.claims[CLAIM].tests[0]).parts
    log = Journal(found.config, CLAIM)
    entry = Entry(
        "", plans.identity(parts, "", "main"), "", "main", 1, {"x": 5.0}, {}, 0.5, 9 << 20,
        {"python": "3.11.0"},
    )  # fmt: skip
    log.append(entry)
    log.append(entry._replace(identity="of other code", seed=0))
    log.append(entry._replace(arm="no longer there", seed=2))
    log.append(entry._replace(test="another"))
    log.close()
    assert str(verify.claim(found, CLAIM)) == "corroborated (3/3)"
    assert mark.read_text().split() == ["0", "2"]
    test = stored(found)
    assert [each.metrics["x"] for _, each in sorted(test.arms["main"].items())] == [0.0, 5.0, 2.0]
    assert test.seconds >= 0.5
    assert not log.path.exists()


def test_a_run_that_was_cut_short_when_all_was_measured_only_has_to_be_written(
    tmp_path: Path,
) -> None:
    found = project(tmp_path, C1=claim())
    whole = verify.claim(found, CLAIM)
    test, log = stored(found), tmp_path / ".anthology/runs/NOTE-001.C1.jsonl"
    before = runs.path(found.config, CLAIM).read_bytes()
    log.write_bytes(b"half a li")
    assert verify.claim(found, CLAIM) == whole
    assert runs.path(found.config, CLAIM).read_bytes() == before
    assert stored(found) == test
    assert not log.exists()


def test_ctrl_c_keeps_the_finished_seeds(tmp_path: Path) -> None:
    found = project(tmp_path, C1=toys.trouble("slow", seeds=12))

    def interrupt(done: int, total: int, name: str) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify.claim(found, CLAIM, progress=interrupt)
    assert set(stored(found).arms["main"]) == set(range(5))
    assert str(verify.verdicts(found)[CLAIM]) == "inconclusive (budget)"
    assert not [each for each in victims(os.getpid())[1:] if b"bench" in command(each)]
    assert str(verify.claim(found, CLAIM)) == "corroborated (12/12)"


def test_the_public_names() -> None:
    import anthology

    assert anthology.verify is verify
    for name in verify.__all__:
        assert getattr(verify, name) is not None
    missing: Any = "nothing"
    with pytest.raises(AttributeError):
        getattr(verify, missing)
    assert isinstance(Verdict("untested"), verify.Verdict)


def test_a_rerun_that_measures_the_same_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    found = project(tmp_path, C1=claim())
    verify.claim(found, CLAIM)
    file = runs.path(found.config, CLAIM)
    before = file.read_bytes(), file.stat().st_mtime_ns
    measured: list[int] = []
    verify.claim(found, CLAIM, rerun=True, progress=lambda done, *_: measured.append(done))
    assert measured
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
