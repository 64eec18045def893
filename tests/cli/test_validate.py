from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from litgraph import cli, rules
from tests.conftest import ROOT, Done

Run = Callable[..., Done]
Write = Callable[[Mapping[str, str]], Path]


def record(scheme: str, number: int, keys: str = "", rest: str = "") -> str:
    keys = f"{keys}\n" if keys else ""
    return f"---\nnumber: {number}\ntitle: A\n{keys}---\n# {scheme}-{number:03d}: A\n{rest}"


@pytest.fixture
def faulty(write: Write) -> Path:
    """A record with an error, a warning and a piece of information."""
    return write({
        "records/lit/LIT-001.md": record("LIT", 1, "extends: [LIT-002, LIT-02]\nshelf: 3"),
        "records/lit/LIT-002.md": record("LIT", 2, "arxiv: somewhere"),
        "records/theory/THEORY-001.md": record("THEORY", 1),
    })  # fmt: skip


@pytest.fixture
def anthology(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process, which is ten times faster."""

    def _run(*arguments: str, cwd: Path = ROOT, **environment: str) -> Done:
        with monkeypatch.context() as patch:
            patch.chdir(cwd)
            for name, value in {"COLUMNS": "80", **environment}.items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["anthology", *arguments])
            code: object = 0
            try:
                cli.main()
            except SystemExit as end:
                code = end.code
            printed = capsys.readouterr()
        return Done(int(str(code or 0)), printed.out, printed.err)

    return _run


def files(root: Path) -> dict[str, bytes]:
    found = (each for each in root.rglob("*") if ".anthology" not in each.parts)
    return {str(each.relative_to(root)): each.read_bytes() for each in found if each.is_file()}


# ---------------------------------------------------------------- what is printed


def test_this_repositorys_record_is_clean(anthology: Run) -> None:
    done = anthology("validate", "records")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("nothing wrong in ")


def test_full_shows_the_line_and_points_at_the_place(faulty: Path, anthology: Run) -> None:
    (faulty / "records/lit/LIT-003.md").write_text(record("LIT", 3, "extends: [LIT-002,\tLIT-020]"))
    done = anthology("validate", str(faulty))
    assert done.code == 1
    assert done.err == ""
    assert done.out == (
        "records/lit/LIT-002.md:4:8: warning: I206 'somewhere' is no arXiv id; "
        "write it as '2103.03404'\n"
        "  4 | arxiv: somewhere\n"
        "    |        ^^^^^^^^^\n"
        "records/lit/LIT-003.md:4:20: error: R301 no record has the id LIT-020; "
        "did you mean LIT-002?\n"
        "  4 | extends: [LIT-002, LIT-020]\n"
        "    |                    ^^^^^^^\n"
        "1 more is information; --format concise lists it\n"
        "1 error and 1 warning in 4 records; `anthology explain CODE` says what to do\n"
    )


def test_a_long_line_is_cut_around_the_place(write: Write, anthology: Run) -> None:
    names = ", ".join(f"LIT-{number}" for number in range(1, 100))
    root = write({"records/LIT-001.md": record("LIT", 1, f"rivals: [{names}]")})
    lines = anthology("validate", str(root), "--select", "R301", "--limit", "0").out.splitlines()
    for head, line, mark in zip(lines[0:-1:3], lines[1:-1:3], lines[2:-1:3], strict=True):
        column = mark.index("^")
        assert line[column : mark.rindex("^") + 1] in head
        assert len(line) < 112


def test_concise_is_a_line_for_each_and_nothing_else(faulty: Path, anthology: Run) -> None:
    done = anthology("validate", str(faulty), "--format", "concise")
    assert done.out.splitlines() == [
        "records/lit/LIT-001.md:5:1: F118 the key `shelf` is kept, but nothing reads it",
        "records/lit/LIT-002.md:4:8: I206 'somewhere' is no arXiv id; write it as '2103.03404'",
    ]
    assert (done.code, done.err) == (0, "")


def test_json_is_a_versioned_envelope(faulty: Path, anthology: Run) -> None:
    done = anthology("validate", str(faulty), "-f", "json")
    assert done.code == 0
    found = json.loads(done.out)
    assert (found["schema"], found["count"]) == ("anthology.findings/1", 2)
    assert found["rows"][1] == {
        "code": "I206", "name": "not-an-arxiv-id", "severity": "warning",
        "message": "'somewhere' is no arXiv id; write it as '2103.03404'",
        "file": "records/lit/LIT-002.md", "line": 4, "column": 8,
    }  # fmt: skip


def test_a_table_groups_findings_by_file(faulty: Path, anthology: Run) -> None:
    out = anthology("validate", str(faulty), "--format", "table").out
    assert out.index("records/lit/LIT-001.md") < out.index("F118") < out.index("I206")


@pytest.mark.parametrize("format", ["concise", "json", "table"])
def test_every_format_reports_the_same(faulty: Path, anthology: Run, format: str) -> None:
    out = anthology("validate", str(faulty), "--format", format).out
    assert [code for code in ("F118", "I206") if out.count(code) == 1] == ["F118", "I206"]


@pytest.mark.parametrize("format", ["table", "json", "concise"])
def test_nothing_found_in_every_format(write: Write, anthology: Run, format: str) -> None:
    root = write({"records/LIT-001.md": record("LIT", 1)})
    done = anthology("validate", str(root), "--format", format)
    assert done.code == 0
    assert (
        done.out
        == {
            "table": "nothing wrong in 1 record\n",
            "json": '{"schema": "anthology.findings/1", "count": 0, "rows": []}\n',
            "concise": "",
        }[format]
    )


def test_repeated_findings_fit_a_screen_and_are_counted(write: Write, anthology: Run) -> None:
    root = write({
        f"records/LIT-{number:03d}.md": record("LIT", number, "arxiv: x\nsource: [LIT-8, LIT-9000]")
        for number in range(10, 310)
    })  # fmt: skip
    done = anthology("validate", str(root))
    lines = done.out.splitlines()
    assert done.code == 1
    assert len(lines) <= 24
    assert lines[-4:] == [
        "I206: 297 more in 297 files",
        "R301: 597 more in 299 files",
        "--limit 0 shows them all, --format concise a line each",
        "600 errors and 300 warnings in 300 records; `anthology explain CODE` says what to do",
    ]
    whole = anthology("validate", str(root), "--limit", "0").out
    assert whole.count(": R301 ") == 600
    assert "more in" not in whole
    assert len(anthology("validate", str(root), "-f", "concise").out.splitlines()) == 900


def test_what_is_information_is_listed_where_it_is_asked_for(faulty: Path, anthology: Run) -> None:
    assert "F118" not in anthology("validate", str(faulty)).out
    for asked in (["--select", "F118"], ["--fail-on", "info"]):
        assert ": info: F118 " in anthology("validate", str(faulty), *asked).out


def test_nothing_in_a_record_can_steer_the_terminal(write: Write, anthology: Run) -> None:
    root = write({"records/LIT-001.md": record("LIT", 1, "arxiv: \x1b[31mred\nvenue: a\x9bb")})
    (root / "records" / "LIT-\udcff2.md").write_text("")
    for name in ("full", "concise", "table"):
        out = anthology("validate", str(root), "--format", name).out
        assert "F104" in out
        assert out.replace("\n", "").isprintable()


def test_a_pipe_or_no_color_switches_colour_off(faulty: Path, anthology: Run) -> None:
    assert "\x1b" not in anthology("validate", str(faulty)).out
    assert "\x1b" not in anthology("validate", str(faulty), NO_COLOR="1").out


# ---------------------------------------------------------------- what is chosen


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        (["--select", "I"], ["I206"]),
        (["--select", "F1,i206"], ["F118", "I206"]),
        (["--select", "F118", "--select", "not-an-arxiv-id"], ["F118", "I206"]),
        (["--ignore", "I2"], ["F118"]),
        (["--select", "F,I", "--ignore", "F118"], ["I206"]),
    ],
)
def test_select_and_ignore(
    faulty: Path, anthology: Run, options: list[str], codes: list[str]
) -> None:
    out = anthology("validate", str(faulty), "--format", "concise", *options).out
    assert [line.split()[1] for line in out.splitlines()] == codes


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--fail-on", "warning"], 1),
        (["--fail-on", "info"], 1),
        (["--fail-on", "warning", "--ignore", "I206"], 0),
        (["--fail-on", "info", "--ignore", "I206"], 1),
    ],
)
def test_what_fails(faulty: Path, anthology: Run, options: list[str], code: int) -> None:
    assert anthology("validate", str(faulty), *options).code == code


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--select", "R3O4"], "no rule named 'R3O4'; did you mean R314 or R304?"),
        (["--ignore", "wrong-knid"], "no rule named 'wrong-knid'; did you mean wrong-kind"),
        (["--fail-on", "warnings"], "no level named 'warnings'; did you mean warning?"),
        (["--format", "consise"], "no format named 'consise'; did you mean concise"),
        (["--limit", "-1"], "-1"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_what_there_is_not_is_exit_2(
    faulty: Path, anthology: Run, options: list[str], said: str
) -> None:
    done = anthology("validate", str(faulty), *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


# ---------------------------------------------------------------- where


def test_paths_restrict_the_report_and_not_what_is_read(faulty: Path, anthology: Run) -> None:
    (faulty / "records/theory/THEORY-002.md").write_text(
        record("THEORY", 2, "extended-by: [LIT-1, THEORY-9]")
    )

    def found(*paths: str, cwd: Path = faulty) -> list[str]:
        out = anthology("validate", *paths, "--format", "concise", cwd=cwd).out
        return [line.split()[1] for line in out.splitlines()]

    assert found("records/theory") == ["R304", "R301"]
    assert found("records/theory/THEORY-001.md", "records/lit/LIT-002.md") == ["I206"]
    assert found("records") == found(".") == found() == ["F118", "I206", "R304", "R301"]
    assert found("theory", cwd=faulty / "records") == ["R304", "R301"]
    assert found(str(faulty / "records" / "theory"), cwd=ROOT) == ["R304", "R301"]
    assert found("theory", "--root", str(faulty), cwd=faulty / "records") == ["R304", "R301"]
    full = anthology("validate", "records/theory", cwd=faulty).out
    assert full.endswith(" in 2 records; `anthology explain CODE` says what to do\n")


def test_a_folder_that_holds_a_record_is_a_project_of_its_own(write: Write, anthology: Run) -> None:
    root = write({
        "pyproject.toml": "[tool.anthology]\n",
        "records/LIT-001.md": record("LIT", 1),
        "tests/case/records/LIT-002.md": record("LIT", 2, "arxiv: x"),
    })  # fmt: skip
    assert anthology("validate", cwd=root).out == "nothing wrong in 1 record\n"
    out = anthology("validate", "tests/case", "-f", "concise", cwd=root).out
    assert out.startswith("records/LIT-002.md:4:8: I206")
    done = anthology("validate", "tests", cwd=root)
    assert (done.code, done.out) == (4, "")


@pytest.mark.parametrize("path", ["nowhere", "records/lit/LIT-999.md", "empty", "x.md"])
def test_a_path_that_matches_nothing_is_exit_4(faulty: Path, anthology: Run, path: str) -> None:
    (faulty / "empty").mkdir()
    (faulty / "x.md").write_text("x")
    (faulty / "luria.yaml").write_text("")
    done = anthology("validate", path, "records", cwd=faulty)
    assert (done.code, done.out) == (4, "")
    assert path in done.err


def test_a_path_outside_of_the_root_is_exit_4(faulty: Path, anthology: Run) -> None:
    done = anthology("validate", "..", "--root", ".", cwd=faulty)
    assert (done.code, done.out) == (4, "")
    assert ".. is outside of the record at " in done.err


def test_no_record_at_all_is_exit_4(tmp_path: Path, anthology: Run) -> None:
    (tmp_path / "records").mkdir()
    done = anthology("validate", str(tmp_path))
    assert (done.code, done.out) == (4, "")
    assert "no record found below" in done.err


def test_a_run_file_is_a_path_too(write: Write, anthology: Run) -> None:
    root = write({
        "records/LIT-001.md": record("LIT", 1, "arxiv: x"), "records/runs/LIT-1.C1.json": "{",
    })  # fmt: skip
    out = anthology("validate", "records/runs", "--format", "concise", cwd=root).out
    assert [line.split()[1] for line in out.splitlines()] == ["V501", "V503"]


# ---------------------------------------------------------------- nothing is written


@pytest.mark.parametrize("options", [[], ["--no-cache"], ["--format", "json"], ["--root", "."]])
def test_nothing_is_written_but_the_index(faulty: Path, anthology: Run, options: list[str]) -> None:
    def git(*arguments: str) -> str:
        command = ["git", "-C", str(faulty), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    git("init", "--quiet")
    git("add", "--all")
    before, status = files(faulty), git("status", "--porcelain")
    anthology("validate", *options, cwd=faulty)
    assert files(faulty) == before
    assert git("status", "--porcelain") == status


def test_the_index_never_changes_a_finding(faulty: Path, anthology: Run) -> None:
    place = faulty / "records/lit/LIT-001.md"

    def found(*options: str) -> str:
        return anthology("validate", str(faulty), "-f", "concise", *options).out

    for text in ("extends: LIT-9", "date: never", "extends: [LIT-1", "extends: [LIT-2]"):
        place.write_text(record("LIT", 1, text))
        fresh = found("--no-cache")
        assert found() == found() == fresh
        assert ("LIT-001.md" in fresh) is (text != "extends: [LIT-2]")


# ---------------------------------------------------------------- explain


def test_each_rule_has_a_page(anthology: Run) -> None:
    listed = anthology("explain")
    assert listed.code == 0
    for rule in rules.rules():
        assert f"  {rule.code}  {rule.name} " in listed.out
    page = anthology("explain", "R304")
    assert page.out.startswith("R304 wrong-kind (error)\n\nA relation joins kinds of things")
    assert "\n\nWhy: " in page.out
    assert "\n\nInstead: " in page.out
    assert anthology("explain", "wrong-kind").out == anthology("explain", "r304").out == page.out


def test_a_relation_is_explained_from_either_end(anthology: Run) -> None:
    out = anthology("explain", "rejects").out
    assert out.startswith("rejects\n\nA holds that B is not so.\n")
    assert "From:     claim, LIT, NOTE, THEORY\n" in out
    assert '"?words"' in out
    assert "qualifies            the target is right only under conditions" in out
    assert anthology("explain", "rejected_by").out.startswith(
        "rejected-by is rejects from the other end\n"
    )
    assert "Inverse:  itself\n" in anthology("explain", "alternative_account").out
    assert "no chain returns to its start" in anthology("explain", "refines").out
    assert anthology("explain", "paper").out.startswith("reads\n")


def test_lists_of_rules_and_of_relations(anthology: Run) -> None:
    only_rules, only_relations = (anthology("explain", each).out for each in ("rules", "relations"))
    assert anthology("explain").out == f"{only_rules}\n{only_relations}"
    assert "alternative-account  {a} and {b} explain" in only_relations


@pytest.mark.parametrize(
    ("name", "near"), [("R3O4", "R304"), ("refine", "refines"), ("wrong-knid", "wrong-kind")]
)
def test_what_cannot_be_explained_is_exit_2(anthology: Run, name: str, near: str) -> None:
    done = anthology("explain", name)
    assert (done.code, done.out) == (2, "")
    assert f"no rule or relation named {name!r}; did you mean" in done.err
    assert near in done.err
