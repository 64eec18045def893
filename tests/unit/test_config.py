"""Where a project's root is, and what its settings say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import anthology
from anthology import config
from anthology.errors import ConfigError, NothingFoundError

Write = Callable[[Mapping[str, str]], Path]


def test_the_nearest_marked_ancestor_is_the_root(write: Write) -> None:
    root = write({
        "pyproject.toml": "[tool.anthology]\n",
        "records/lit/LIT-001.md": "---\n---\n",
        "inner/luria.yaml": "",
        "inner/record/literature.d/LIT-002.md": "---\n---\n",
        "plain/records/LIT-003.md": "---\n---\n",
    })  # fmt: skip
    assert config.find_root(root / "records" / "lit") == root
    assert config.find_root(root / "records" / "lit" / "LIT-001.md") == root
    assert config.find_root(root / "inner" / "record" / "literature.d") == root / "inner"
    # A configuration above wins over a bare folder of records below it.
    assert config.find_root(root / "plain" / "records") == root
    assert config.is_root(root / "inner")
    assert not config.is_root(root / "records")


def test_without_a_configuration_a_folder_of_records_marks_the_root(write: Write) -> None:
    root = write({"a/record/LIT-001.md": "---\n---\n", "b/c/x.txt": ""})
    assert config.find_root(root / "a" / "record") == root / "a"
    assert config.load(root / "a").runs == "record/runs"
    assert config.find_root(root / "b" / "c") == root / "b" / "c"
    assert not config.is_root(root / "b")


def test_settings_are_read(write: Write) -> None:
    root = write({
        "pyproject.toml": """
            [tool.anthology]
            records = ["lib"]
            experiments = "bench"
            base = "https://example.org/record"
            """,
        "lib/LIT-001.md": "---\ntitle: x\n---\n",
    })  # fmt: skip
    found = config.load(root)
    assert (found.records, found.experiments, found.runs) == (("lib",), ("bench",), "lib/runs")
    assert found.base == "https://example.org/record/"
    assert list(anthology.load(root / "lib").records) == ["LIT-001"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.anthology]\nrecord = ['x']", "no key `record`; did you mean `records`"),
        ("[tool.anthology]\nzebra = 1", "the keys are records"),
        ("[tool.anthology]\nruns = 3", "runs must be one text"),
        ("[tool.anthology]\nrecords = [3]", "records must be a list of folders"),
        ("[tool.anthology\n", "cannot be read"),
    ],
)
def test_bad_settings_are_said_in_words(write: Write, text: str, message: str) -> None:
    root = write({"pyproject.toml": text})
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        config.load(root)


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError, match="no folder at"):
        config.load(tmp_path / "nowhere")
    with pytest.raises(NothingFoundError, match="no folder at"):
        anthology.load(tmp_path / "nowhere")


def test_tests_hidden_and_template_files_are_not_records(write: Write) -> None:
    root = write({
        "records/LIT-001.md": "---\n---\n",
        "records/_template.md": "x",
        "records/README.md": "x",
        "records/tests/LIT-002.md": "---\n---\n",
        "records/.hidden/LIT-003.md": "---\n---\n",
        "records/deep/er/LIT-004.md": "---\n---\n",
    })  # fmt: skip
    assert list(anthology.load(root).records) == ["LIT-001", "LIT-004"]


def test_a_folder_that_links_to_itself_ends(write: Write) -> None:
    root = write({"records/LIT-001.md": "---\n---\n"})
    (root / "records" / "again").symlink_to(root / "records", target_is_directory=True)
    assert list(anthology.load(root).records) == ["LIT-001"]
