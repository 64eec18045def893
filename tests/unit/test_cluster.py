"""Jobs that go elsewhere bring back the same numbers, here through submitit's local executor."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anthology import measure, runs, verify, workers
from anthology.corpus import Corpus
from anthology.errors import AnthologyError
from litgraph import cluster
from tests import toys
from tests.conftest import Done

CLAIM = "NOTE-001#C1"
TEST = (
    "form: universal\ntest: {run: toy.number, seeds: 4, expect: x > 0, control: {z: {value: -9}}}"
)


def project(root: Path, test: str = TEST) -> Corpus:
    from anthology import corpus

    return corpus.load(toys.project(root, C1=test))


def elsewhere(root: Path, **options: Any) -> measure.Options:
    runner = cluster.runner("submitit-local", root / ".anthology" / "jobs")
    return measure.Options(runner=runner, **options)


def numbers(found: Corpus) -> tuple[object, object]:
    (test,) = runs.read(runs.path(found.config, CLAIM)).tests.values()
    return test.arms, test.controls


@pytest.mark.slow
def test_the_numbers_are_the_same_and_a_run_goes_on(tmp_path: Path) -> None:
    here, there = project(tmp_path / "here"), project(tmp_path / "there")
    verify.run(here, [CLAIM])
    verify.run(there, [CLAIM], elsewhere(tmp_path, seeds=2, jobs=2))
    assert verify.verdicts(there)[CLAIM].word == "inconclusive"
    verdict = verify.run(there, [CLAIM], elsewhere(tmp_path))[CLAIM]
    assert verdict.word == "corroborated"
    assert numbers(there) == numbers(here)


@pytest.mark.slow
def test_an_experiment_that_dies_there_is_an_error_here(tmp_path: Path) -> None:
    found = project(tmp_path, toys.trouble("exit"))
    assert verify.run(found, [CLAIM], elsewhere(tmp_path))[CLAIM].word == "error"


class Lost:
    """A job that its cluster lost."""

    cancelled = False

    def __init__(self, done: bool = True) -> None:
        self._done = done

    def done(self) -> bool:
        return self._done

    def result(self) -> object:
        raise RuntimeError("traceback\nthe node is gone")

    def cancel(self) -> None:
        self.cancelled = True


class Executor:
    """A cluster that takes jobs and does none of them."""

    def __init__(self, *jobs: Lost) -> None:
        self.jobs, self.limits = list(jobs), list[dict[str, Any]]()

    def update_parameters(self, **limits: Any) -> None:
        self.limits.append(limits)

    def submit(self, *_: object) -> Lost:
        return self.jobs.pop(0)


def job() -> workers.Job:
    return workers.Job((CLAIM, ""), None, False, "", 90.0, (None, None))  # type: ignore[arg-type] # unused


def test_a_lost_job_is_one_failure_and_the_next_one_runs() -> None:
    executor = Executor(Lost(), Lost())
    jobs = [job(), job()]
    found = list(cluster._run(executor, jobs, 1, 3 << 30, None, False))
    assert [type(each) for each in found] == [workers.Failed, workers.Ended] * 2
    assert found[0] == workers.Failed(jobs[0], None, "the job was lost: the node is gone")
    assert executor.limits[0] == {
        "timeout_min": 8, "cpus_per_task": 1, "name": "anthology", "mem_gb": 4,
    }  # fmt: skip


def test_what_is_not_finished_when_the_time_is_over_is_given_up() -> None:
    waiting = Lost(done=False)
    assert list(cluster._run(Executor(waiting), [job()], 1, 0, 0.0, False)) == []
    assert waiting.cancelled


def test_without_submitit_or_slurm_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(AnthologyError, match="--executor slurm: "):
        cluster.runner("slurm", tmp_path)
    monkeypatch.setitem(sys.modules, "submitit", None)
    with pytest.raises(AnthologyError, match=r"pip install 'anthology-record\[cluster\]'"):
        cluster.runner("slurm", tmp_path)


def test_an_unknown_executor_names_the_near_ones(anthology: Callable[..., Done]) -> None:
    done = anthology("verify", "NOTE-274#C1", "--executor", "slurn")
    assert (done.code, done.out) == (2, "")
    assert "did you mean slurm" in done.err
