from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import litgraph
from anthology import corpus
from anthology.findings import Severity
from litgraph import rules
from tests.golden import faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Done

ANTHOLOGY = Path(corpus.__file__).parent


@pytest.mark.parametrize("code", faults.codes())
def test_each_fault_is_found_at_its_place(code: str, tmp_path: Path) -> None:
    case = faults.read(code)
    case.plant(tmp_path)
    found = litgraph.validate(corpus.load(tmp_path))
    assert [str(each) for each in found] == case.expected
    assert code in {each.code for each in found}


def test_each_rule_has_a_case_and_each_case_a_rule() -> None:
    assert faults.codes() == [each.code for each in rules.rules()]


def test_each_code_that_reading_reports_has_a_page_of_the_same_severity() -> None:
    severities = {each.code: each.severity for each in rules.rules()}
    emitted = set()
    for path in ANTHOLOGY.glob("*.py"):
        emitted |= set(re.findall(r'"([FIRCV]\d{3})"', path.read_text(encoding="utf-8")))
    assert emitted <= severities.keys()
    assert len(emitted) > 20


@pytest.mark.parametrize("code", [each for each in faults.codes() if each[0] in "FC"])
def test_reading_reports_with_the_severity_of_the_page(code: str, tmp_path: Path) -> None:
    faults.read(code).plant(tmp_path)
    for each in corpus.load(tmp_path).findings:
        assert each.severity is rules.find(each.code).severity, each


def test_all_faults_of_one_project_are_found_in_one_run(
    tmp_path: Path, anthology: Callable[..., Done]
) -> None:
    cases = [faults.read(code) for code in faults.codes()]
    for case in cases:
        for each in case.files:
            if not (tmp_path / each.path).exists():  # several test one experiment
                each.plant(tmp_path)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    before = git(tmp_path, "status", "--porcelain")

    done = anthology("validate", str(tmp_path), "--format", "concise")

    assert done.err == ""
    assert done.code == 1
    assert sorted(done.out.splitlines()) == sorted(set().union(*(each.expected for each in cases)))
    assert git(tmp_path, "status", "--porcelain") == before
    # The same again from the index, and in the other formats.
    assert anthology("validate", str(tmp_path), "--format", "concise") == done
    whole = anthology("validate", str(tmp_path), "--limit", "0")
    assert whole.code == 1
    shown = {each.code for each in rules.rules() if each.severity is not Severity.INFO}
    assert set(re.findall(r": ([A-Z]\d{3}) ", whole.out)) >= shown


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout
