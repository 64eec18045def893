"""The import rules, checked on the source rather than trusted."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

STDLIB_AND = {
    "anthology": {"anthology", "pydantic", "pydantic_core", "yaml"},
    "litgraph": {"anthology", "litgraph", "pydantic", "networkx", "rdflib", "pyoxigraph"},
    "experiments": {"anthology.experiment", "torch", "experiments.lab"},
}
# What one part of a package may import beyond the rest of it.
BEYOND = {
    "litgraph/cli": {"typer", "rich"},
    "litgraph/site": {"jinja2", "markdown_it", "matplotlib"},
    "litgraph/formats": {"matplotlib"},
    "litgraph/mending": {"bibtexparser", "pylatexenc"},
    "litgraph/cluster.py": {"submitit"},
    "experiments/lab": {"safetensors", "tokenizers"},
}
# A command's module imports its machinery when it runs, so that `--help` stays fast.
AT_MODULE_LEVEL = {"typer", "anthology.errors", "litgraph.cli"}


def imported(path: Path, *, nested: bool, typing: bool) -> set[str]:
    """Return the dotted names that a file imports."""
    names: set[str] = set()

    def walk(nodes: list[ast.stmt]) -> None:
        for node in nodes:
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}:{node.lineno}: relative import"
                whole = {"anthology", "litgraph", "experiments", "litgraph.cli"}
                if node.module in whole:
                    names.update(f"{node.module}.{alias.name}" for alias in node.names)
                elif node.module:
                    names.add(node.module)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                if typing:
                    walk(node.body)
                walk(node.orelse)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if nested:
                    walk(node.body)
            else:
                for inner in ("body", "orelse", "finalbody"):
                    walk(getattr(node, inner, []))
                for handler in getattr(node, "handlers", []):
                    walk(handler.body)

    walk(ast.parse(path.read_text(encoding="utf-8")).body)
    return names


def allowed(name: str, allowance: set[str]) -> bool:
    import sys

    if name.partition(".")[0] in sys.stdlib_module_names or name == "__future__":
        return True
    return any(name == each or name.startswith(f"{each}.") for each in allowance)


def breaches(root: Path) -> list[str]:
    """Return every import that a rule forbids, as `file: name`."""
    found = []
    for package, base in STDLIB_AND.items():
        for path in sorted((root / package).rglob("*.py")):
            place = path.relative_to(root).as_posix()
            allowance = set(base)
            for part, more in BEYOND.items():
                if place == part or place.startswith(part + "/"):
                    allowance |= more
            names = imported(path, nested=True, typing=True)
            found += [f"{place}: {each}" for each in sorted(names) if not allowed(each, allowance)]
            if place.startswith("litgraph/cli/"):
                early = imported(path, nested=False, typing=False)
                found += [
                    f"{place} at module level: {each}"
                    for each in sorted(early)
                    if not allowed(each, AT_MODULE_LEVEL)
                ]
    return found


def test_nothing_imports_what_it_may_not() -> None:
    assert breaches(ROOT) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("anthology/x.py", "import torch"),
        ("anthology/x.py", "def f():\n    from litgraph import rdf"),
        ("anthology/x.py", "import typer"),
        ("litgraph/x.py", "import torch"),
        ("litgraph/x.py", "try:\n    import experiments.lab\nexcept ImportError:\n    pass"),
        ("litgraph/x.py", "import rich"),
        ("litgraph/cli/x.py", "import networkx"),
        ("litgraph/cli/x.py", "from anthology import corpus"),
        ("experiments/topic/x.py", "import rdflib"),
        ("experiments/topic/x.py", "from experiments.topic import y"),
        ("experiments/topic/x.py", "import anthology.corpus"),
    ],
)
def test_a_breach_is_noticed(tmp_path: Path, file: str, line: str) -> None:
    target = tmp_path / file
    target.parent.mkdir(parents=True)
    target.write_text(line + "\n")
    assert len(breaches(tmp_path)) == 1


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("litgraph/cli/x.py", "def x():\n    import networkx, rich"),
        ("litgraph/cli/x.py", "from litgraph.cli._options import Root"),
        ("experiments/topic/x.py", "import math, torch\nfrom experiments.lab.fit import slope"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, file: str, line: str) -> None:
    target = tmp_path / file
    target.parent.mkdir(parents=True)
    target.write_text(line + "\n")
    assert breaches(tmp_path) == []


@pytest.mark.parametrize("package", ["anthology", "litgraph"])
def test_every_public_name_exists(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        module.nonsense  # noqa: B018 - the access is the test


def test_import_alone_is_light() -> None:
    import subprocess
    import sys

    code = (
        "import sys, anthology, litgraph, litgraph.cli; "
        "print([m for m in ('pydantic', 'yaml', 'rdflib', 'networkx', 'torch', 'rich') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
