"""`ask`, as a user types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Done

Run = Callable[..., Done]
LISTED = {"homonyms", "rejections", "alternatives", "refinements", "placeholders", "untested"}


def rows(done: Done) -> list[dict[str, Any]]:
    assert (done.code, done.err) == (0, "")
    return list(json.loads(done.out)["rows"])


def test_alone_it_lists_what_can_be_asked(anthology: Run) -> None:
    done = anthology("ask")
    assert done.code == 0
    assert {line.split()[0] for line in done.out.splitlines()[2:]} >= LISTED
    assert max(map(len, done.out.splitlines())) <= 80
    listed = rows(anthology("ask", "--format", "json"))
    assert {each["name"] for each in listed} >= LISTED
    assert all(each["title"] and each["tells"] and each["example"] for each in listed)


def test_homonyms_reads_as_an_answer_at_eighty_columns(anthology: Run) -> None:
    done = anthology("ask", "homonyms")
    first = done.out.partition("\n\n")[0]
    assert first == (
        "rank collapse (TERM-001)\n"
        "  TERM-001#tokens\n"
        "    token representations converging to rank 1\n"
        "    locus           activations\n"
        "    axis            depth\n"
        "    prevented by    skip connection (TERM-002)\n"
        "    used by         LIT-530, NOTE-274, THEORY-066\n"
        "    proposed users  LIT-528, NOTE-272\n"
        "  TERM-001#weights\n"
        "    weight matrices converging to low-rank subspaces\n"
        "    locus           weight matrices\n"
        "    axis            training time\n"
        "    used by         LIT-350, NOTE-105\n"
        "    proposed users  LIT-516, LIT-528, NOTE-272"
    )
    assert max(map(len, done.out.splitlines())) <= 80


def test_json_is_an_envelope_whose_rows_lead_back_to_a_file(anthology: Run) -> None:
    done = anthology("ask", "rejections", "--format", "json")
    assert json.loads(done.out)["schema"] == "anthology.ask.rejections/1"
    first = rows(done)[0]
    assert (first["by"], first["of"], first["of_works"]) == (
        "NOTE-266#C5", "THEORY-066", ["LIT-530", "THEORY-066"],
    )  # fmt: skip
    assert first["file"] == "records/note/NOTE-266.md"
    assert isinstance(first["line"], int)


@pytest.mark.parametrize("written", ["LIT-521", "LIT-0521", "lit-521"])
def test_an_id_keeps_the_rows_that_bear_on_it(anthology: Run, written: str) -> None:
    found = rows(anthology("ask", "lines-of-work", written, "-f", "json"))
    assert [(each["later"], each["earlier"]) for each in found] == [("LIT-521", "LIT-523")]


def test_an_empty_answer_says_what_there_is_not(anthology: Run) -> None:
    done = anthology("ask", "retired")
    assert (done.code, done.out) == (0, "nothing here points at a retired document\n")
    assert rows(anthology("ask", "retired", "--format", "json")) == []


def test_explain_prints_sparql_that_sparql_answers_alike(anthology: Run, tmp_path: Path) -> None:
    done = anthology("ask", "--explain", "refinements")
    assert done.out.startswith("# title: What is kept and said more exactly\n")
    path = tmp_path / "q.rq"
    path.write_text(done.out, encoding="utf-8")
    found = rows(anthology("sparql", str(path), "--format", "json"))
    assert {(each["refined_by"], each["of"]) for each in found} == {
        ("LIT-528", "LIT-530"), ("THEORY-065", "THEORY-066"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["homonym"], "error: no question named 'homonym'; did you mean homonyms?"),
        (["rejections", "LIT-9999"], "error: no record, claim or sense named 'LIT-9999'"),
        (["homonyms", "--format", "jsn"], "error: no format named 'jsn'; did you mean json?"),
    ],
)
def test_an_unknown_name_is_a_usage_error(
    anthology: Run, arguments: list[str], message: str
) -> None:
    done = anthology("ask", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(message)


def test_a_folder_without_a_record_is_nothing_found(anthology: Run, tmp_path: Path) -> None:
    done = anthology("ask", "homonyms", "--root", str(tmp_path))
    assert (done.code, done.out) == (4, "")
    assert "no record found" in done.err


def test_a_record_s_own_question_is_listed_and_answered(
    anthology: Run, write: Callable[[dict[str, str]], Path]
) -> None:
    root = write({
        "records/LIT-001.md": "---\ntitle: a\n---\n",
        "questions/titles.rq": "# title: Titles\n# columns: t\nSELECT ?t { ?s rdfs:label ?t }\n",
        "questions/bad.rq": "SELECT ?t { ?s rdfs:label ?t }\n",
    })  # fmt: skip
    done = anthology("ask", "--root", str(root))
    assert (done.code, done.err) == (2, "error: bad.rq: the header has no `# title:`\n")
    (root / "questions" / "bad.rq").unlink()
    assert "titles" in anthology("ask", "--root", str(root)).out
    assert rows(anthology("ask", "titles", "-f", "json", "--root", str(root))) == [{"t": "a"}]


def test_help_shows_examples_on_lines_of_their_own(anthology: Run) -> None:
    done = anthology("ask", "--help")
    assert "\n    anthology ask rejections THEORY-066  who rejects that account\n" in done.out
    assert "\\b" not in done.out
