"""`new`, as a user types it; no test asks the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from litgraph.cli import app
from litgraph.mending import web
from tests.conftest import Done
from tests.unit.test_mending_works import ATOM

Run = Callable[..., Done]
Write = Callable[[Mapping[str, str]], Path]

BIB = "@misc{a, title={A}, doi={10.1000/1}}\n@misc{b, title={B}}\n@misc{c\n"
DAY = ("--date", "2026-12-01")


@pytest.fixture
def new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Run the command in this process, in an empty folder; whoever asks the network fails."""
    monkeypatch.chdir(tmp_path)

    def nobody(url: str) -> bytes:
        raise web.FetchError(url, "no test asks it")

    monkeypatch.setattr(web, "fetch", nobody)

    def _new(*arguments: str) -> Done:
        done = CliRunner().invoke(app, ["new", *arguments, "--root", str(tmp_path)])
        said = done.stderr
        if done.exception and not isinstance(done.exception, SystemExit):
            said += f"error: {done.exception}\n"
        code = getattr(done.exception, "exit_code", done.exit_code)
        return Done(code, done.stdout, said)

    return _new


def test_a_project_from_nothing_validates(
    new: Callable[..., Done], anthology: Run, tmp_path: Path
) -> None:
    for arguments in (
        ("lit", "--arxiv", "https://arxiv.org/abs/2103.03404v2", "--offline"),
        ("note", "--paper", "2103.03404"),
        ("theory", "--title", "Why: it works", "--source", "LIT-1", "--fills", "?why"),
        ("term", "--title", "on"),
        ("claim", "--title", "It holds", "--form", "causal"),
        ("SOTA", "--title", "Do this"),
        ("sota", "--title", "Do that", "--temp"),
    ):
        done = new(*arguments, *DAY)
        assert (done.code, done.err) == (0, ""), done
        assert done.out.endswith(".md: written\n")
    assert len(list(tmp_path.glob("records/sota/SOTA-tmp*.md"))) == 1
    assert anthology("validate", cwd=tmp_path).code == 0
    twice = new("lit", "--arxiv", "2103.03404")
    assert twice == Done(2, "", "error: arXiv:2103.03404 is recorded already, as LIT-001\n")


def test_arxiv_is_asked(
    new: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(web, "fetch", lambda _: ATOM.encode())
    assert new("lit", "--arxiv", "2103.03404", *DAY).code == 0
    text = (tmp_path / "records/lit/LIT-001.md").read_text()
    assert "published: '2021-03-05'\narxiv: '2103.03404'\ndoi: '10.5555/3524938'\n" in text
    assert "authors:\n- Dong\n- Cordonnier\n- Loukas\n" in text


def test_without_the_network_it_says_what_to_do(new: Callable[..., Done], tmp_path: Path) -> None:
    done = new("lit", "--doi", "10.1000/182")
    assert done.code == 3
    assert "api.crossref.org gave nothing" in done.err
    assert "add --offline" in done.err
    assert not (tmp_path / "records").exists()


def test_an_entry_of_a_library_file(new: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "x.bib"
    file.write_text(BIB)
    several = new("lit", "--bib", str(file))
    assert several.code == 2
    assert f"{file}:3:1: Unexpectedly reached end of file" in several.err
    assert "holds 2 entries (a, b …); say which with --key" in several.err
    assert new("lit", "--bib", str(file), "--key", "bb").err.endswith("did you mean b?\n")
    assert new("lit", "--bib", str(file), "--key", "a", *DAY).code == 0
    assert "doi: '10.1000/1'\n" in (tmp_path / "records/lit/LIT-001.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("litt",), "no kind of record named 'litt'; did you mean lit?"),
        (("sota",), "no kind of record named 'sota'"),
        (("experiment",), "say which claim it is to measure"),
        (("experiment", "--title", "x"), "takes --claim, --name and --form, not --title"),
        (("note", "--arxiv", "1"), "--arxiv is for `new lit`, not for `new note`"),
        (("theory", "--form", "x"), "--form is for `new claim` and `new experiment`"),
        (("lit", "--arxiv", "1", "--doi", "2"), "give one of them"),
        (("lit", "--arxiv", "1"), "'1' is no arXiv id"),
        (("term", "--title", "x", "--fills", "y"), "'y' is no placeholder"),
        (("term",), "TERM-001 needs a title"),
        (("note",), "a note is the reading of one work"),
        (("note", "--paper", "LIT-9"), "no record, claim or sense named 'LIT-9'"),
    ],
)
def test_what_cannot_be_filed(
    new: Callable[..., Done], arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = new(*arguments)
    assert done.code == 2
    assert said in done.err
    assert list(tmp_path.iterdir()) in ([], [tmp_path / ".anthology"])


def test_a_note_reads_a_work(new: Callable[..., Done]) -> None:
    new("theory", "--title", "x")
    assert "THEORY-001 is no work" in new("note", "--paper", "THEORY-001").err


def test_an_experiment_is_begun(anthology: Run, write: Write) -> None:
    root = write(
        {
            "records/LIT-001.md": "---\nnumber: 1\n---\n",
            "records/NOTE-001.md": """
                ---
                paper: LIT-001
                ---
                | id | claim |
                |---|---|
                | C1 | It holds |
                """,
        }
    )
    shown = anthology("new", "experiment", "--claim", "NOTE-1#C1", "--diff", cwd=root)
    assert "+++ b/experiments/untitled/holds.py\n" in shown.out
    assert not (root / "experiments").exists()
    begin = ("new", "experiment", "--claim", "NOTE-1#C1", "--name", "topic.first")
    done = anthology(*begin, cwd=root)
    assert (done.code, done.out.splitlines()[-1]) == (
        0,
        "records/NOTE-001.md: NOTE-001#C1 is tested by topic.first; its form is universal now",
    )
    assert anthology("validate", cwd=root).code == 0
    assert anthology(*begin, cwd=root).code == 2
