"""The measurement key: what is a change, what is none, and what is said of it."""

from __future__ import annotations

import importlib
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from anthology import config, keys, syntax
from anthology.errors import UnknownNameError
from tests import toys
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CODE = '''
"""A module."""
from __future__ import annotations
import math, os
from a.b import c as d

LIMIT = 1e-3


@experiment(seconds=1, metrics={"x": "a"})
def measure(seed: int, *, width: int = 3) -> float:
    """Measure."""
    total = 0
    for i in range(width):  # every one
        total += math.sin(i) * LIMIT
    return total if total > 0 else f"{total:.3f}"
'''


def digest(tmp_path: Path, text: str) -> str:
    path = tmp_path / "code.py"
    path.write_text(text)
    return syntax.read(path).digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""A module."""', '"""A module, said otherwise."""\n"""And more."""'),
        ('    """Measure."""\n', ""),
        ("  # every one", ""),
        ("import math, os", "import os\n\nimport math"),
        ("import math, os\nfrom a.b import c as d", "from a.b import c as d\nimport os, math"),
        ("1e-3", "0.001"),
        ("total += math.sin(i) * LIMIT", "total += (\n            math.sin(i) * LIMIT\n        )"),
        ('f"{total:.3f}"', "f'{total:.3f}'"),
        ('seconds=1, metrics={"x": "a"}', 'seconds=2, metrics={"x": "a length (m)"}'),
        ("\n", "\n\n"),
    ],
)
def test_what_computes_nothing_else_is_no_change(tmp_path: Path, old: str, new: str) -> None:
    assert digest(tmp_path, CODE.replace(old, new)) == digest(tmp_path, CODE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1e-3", "1e-4"),
        ("* LIMIT", "+ LIMIT"),
        ("width: int = 3", "width: int = 4"),
        ("width: int = 3", "width: float = 3"),
        ("import c as d", "import e as d"),
        ("range(width)", "range(width + 0)"),
        ("total = 0\n", "total = 0.0\n"),
        ("total = 0\n", "total = False\n"),
        ("    return", "        return"),
        (":.3f", ":.4f"),
    ],
)
def test_what_may_compute_something_else_is_one(tmp_path: Path, old: str, new: str) -> None:
    assert old in CODE
    assert digest(tmp_path, CODE.replace(old, new)) != digest(tmp_path, CODE)


def test_code_that_is_no_python_is_digested_all_the_same(tmp_path: Path) -> None:
    assert digest(tmp_path, "def (") != digest(tmp_path, "def )")


def test_a_digest_is_the_same_under_every_python(tmp_path: Path) -> None:
    """A run file is committed, and read under other versions than it was written by."""
    assert digest(tmp_path, CODE) == "3e02e05a88b6c677"


# ---------------------------------------------------------------- which files


@pytest.fixture
def project(tmp_path: Path) -> config.Config:
    return config.load(toys.project(tmp_path, C1="form: universal"))


def files(project: config.Config, run: str = "toy.number") -> set[str]:
    return set(keys.code(project, keys.locate(project, run))[0])


def test_the_code_is_the_file_and_its_project_imports(project: config.Config) -> None:
    assert files(project) == {"experiments/toy/number.py", "experiments/lab/arithmetic.py"}


@pytest.mark.parametrize(
    ("statement", "file"),
    [
        ("from experiments.lab import extra", "experiments/lab/extra.py"),
        ("import experiments.lab.extra as e", "experiments/lab/extra.py"),
        ("from ..lab.extra import thing", "experiments/lab/extra.py"),
        ("from . import near", "experiments/toy/near.py"),
        ("from .near import thing", "experiments/toy/near.py"),
        ("import models.net", "models/net.py"),
        ("from models import net", "models/__init__.py"),
        ("def later():\n    from models.net import x", "models/net.py"),
        ("if True:\n    import single", "single.py"),
    ],
)
def test_every_way_to_import(project: config.Config, statement: str, file: str) -> None:
    root = project.root
    for name in ("experiments/lab/extra.py", "experiments/toy/near.py", "single.py"):
        (root / name).write_text("thing = 1\n")
    (root / "models").mkdir()
    (root / "models/__init__.py").write_text("")
    (root / "models/net.py").write_text("import experiments.lab.extra\n")
    path = root / "experiments/toy/number.py"
    path.write_text(path.read_text() + f"\n{statement}\n")
    assert file in files(project)
    if file == "models/net.py":  # and what that imports
        assert {"experiments/lab/extra.py", "models/__init__.py"} <= files(project)


def test_a_package_that_importing_runs_counts(project: config.Config) -> None:
    (project.root / "experiments/toy/__init__.py").write_text("")
    assert "experiments/toy/__init__.py" in files(project)


def test_modules_that_import_each_other(project: config.Config) -> None:
    path = project.root / "experiments/lab/arithmetic.py"
    path.write_text(path.read_text() + "\nfrom experiments.toy import number\n")
    assert len(files(project)) == 2


def test_this_tool_and_what_is_installed_do_not_count(project: config.Config) -> None:
    (project.root / "anthology").mkdir()
    (project.root / "anthology/experiment.py").write_text("")
    _, foreign = keys.code(project, keys.locate(project, "toy.trouble"))
    assert "anthology/experiment.py" not in files(project, "toy.trouble")
    assert {"os", "typing"} <= foreign
    assert "anthology" not in foreign


def test_experiments_may_lie_elsewhere(tmp_path: Path) -> None:
    toys.project(tmp_path, C1="form: universal")
    (tmp_path / "code").mkdir()
    (tmp_path / "experiments").rename(tmp_path / "code/experiments")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.anthology]\nexperiments = ["none", "code/experiments"]\n'
    )
    project = config.load(tmp_path)
    place = keys.locate(project, "toy.number")
    assert place.module == "experiments.toy.number"
    assert place.folders == (tmp_path, tmp_path / "code")
    assert "code/experiments/lab/arithmetic.py" in files(project)


def test_an_unknown_experiment_names_the_near_ones(project: config.Config) -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean toy\.number"):
        keys.locate(project, "toy.numbr")
    for odd in ("number", "toy/number", "..toy.number", "toy.number.py", ""):
        with pytest.raises(UnknownNameError):
            keys.locate(project, odd)


# ---------------------------------------------------------------- what is said

PARTS = {
    "run": "a.b", "code": {"a.py": "1", "b.py": "2"}, "params": {"depth": 2}, "seeds": 5,
    "arms": {"main": {}, "skip": {"skip": True}}, "controls": {"mask": {"mask": "causal"}},
    "torch": "2.13", "device": "cpu", "dtype": "float64",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ()),
        ({"code": {"a.py": "1", "b.py": "3"}}, ("code of b.py changed",)),
        ({"code": {"a.py": "1"}}, ("b.py is no longer imported",)),
        ({"code": {**PARTS["code"], "c.py": "1"}}, ("c.py is imported now",)),  # type: ignore[dict-item] # a mapping
        ({"params": {"depth": 3}}, ("params: depth 2 → 3",)),
        ({"params": {}}, ("params: depth 2 → its default",)),
        ({"params": {"depth": True}}, ("params: depth 2 → true",)),
        ({"params": {"depth": 2.0}}, ()),
        ({"seeds": 20}, ("seeds: 5 → 20",)),
        ({"torch": "2.14"}, ("torch: 2.13 → 2.14",)),
        ({"torch": ""}, ()),  # not installed here: unknown is not changed
        ({"dtype": "float32"}, ("dtype: float64 → float32",)),
        ({"device": "cuda"}, ("device: cpu → cuda",)),
        ({"run": "a.c"}, ("run: a.b → a.c",)),
        ({"arms": {"main": {}}}, ("arm `skip` removed",)),
        ({"controls": {}}, ("control `mask` removed",)),
        ({"controls": {"mask": {"mask": "alibi"}}}, ("control `mask`: mask causal → alibi",)),
        ({"arms": {**PARTS["arms"], "mlp": {}}}, ("arm `mlp` added",)),  # type: ignore[dict-item] # a mapping
    ],
)
def test_changes_are_named_part_by_part(change: dict[str, object], said: tuple[str, ...]) -> None:
    found = keys.changes(PARTS, {**PARTS, **change})
    assert tuple(each for _, each in found) == said
    assert {part for part, _ in found} <= set(change)


def test_torch_is_known_without_its_import() -> None:
    code = "import sys; from anthology import keys; keys.torch_minor()"
    code += "; print('torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "False"


def test_torch_where_its_version_file_is_missing_or_it_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # an earlier test's
    importlib.invalidate_caches()
    assert keys.torch_minor() == ""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch/__init__.py").write_text("raise RuntimeError('imported')")
    importlib.invalidate_caches()
    assert keys.torch_minor() == ""
    (tmp_path / "torch-2.9.1+cpu.dist-info").mkdir()
    (tmp_path / "torch-2.9.1+cpu.dist-info/METADATA").write_text("Name: torch\nVersion: 2.9.1\n")
    importlib.invalidate_caches()
    assert keys.torch_minor() == "2.9"
    (tmp_path / "torch/version.py").write_text("__version__ = '2.10.0+cu12'\n")
    assert keys.torch_minor() == "2.10"


def test_the_words_of_a_claim() -> None:
    assert keys.text("Skips  **prevent**\nit") == keys.text("skips prevent it")
    assert keys.text("Skips prevent it") != keys.text("Skips may prevent it")
