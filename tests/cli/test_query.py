"""`query` and `path`, as a user types them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT, Done

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Done]


def rows(done: Done) -> list[dict[str, Any]]:
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert answer["count"] == len(answer["rows"])
    return list(answer["rows"])


def triples(found: list[dict[str, Any]]) -> set[tuple[str, str, str, str | None]]:
    return {(each["subject"], each["relation"], each["object"], each["via"]) for each in found}


def test_the_seed_and_what_it_states(anthology: Run) -> None:
    found = rows(anthology("query", "LIT-530", "--format", "json"))
    assert triples(found) >= {
        ("THEORY-065", "refines", "THEORY-066", "THEORY-066"),
        ("LIT-528", "refines", "LIT-530", None),
        ("NOTE-266#C5", "rejects", "THEORY-066", "THEORY-066"),
        ("THEORY-066", "alternative-account", "THEORY-011", "THEORY-066"),
        ("TERM-001#weights", "homonym", "TERM-001#tokens", "TERM-001#tokens"),
        ("NOTE-274", "reads", "LIT-530", None),
    }
    by = {(each["subject"], each["relation"]): each for each in found}
    rejection = by["NOTE-266#C5", "rejects"]
    assert "LIT-521" in rejection["subject_works"]
    assert "LIT-530" in rejection["object_works"]
    assert rejection["aspect"] == "cause of a training crash"
    homonym = by["TERM-001#weights", "homonym"]
    assert {"LIT-350", "NOTE-105"} <= set(homonym["subject_works"])
    assert {"LIT-530", "NOTE-274", "THEORY-066"} <= set(homonym["object_works"])
    assert by["THEORY-066", "alternative-account"]["component"] == "TERM-002"
    # The tension that nobody declared stays a proposal.
    assert by["NOTE-274#C3", "qualifies"]["status"] == "proposed"


def test_every_row_leads_back_to_its_line(anthology: Run) -> None:
    for each in rows(anthology("query", "--format", "json")):
        line = (ROOT / each["file"]).read_text(encoding="utf-8").splitlines()[each["line"] - 1]
        ends = {each["subject"], each["object"]}
        assert any(end in line or end.rpartition("#")[2] in line for end in ends), each


def test_the_same_rejection_from_its_other_side(anthology: Run) -> None:
    found = rows(anthology("query", "LIT-521", "--format", "json"))
    assert ("NOTE-266#C5", "rejects", "THEORY-066", "NOTE-266#C5") in triples(found)


@pytest.mark.parametrize("relation", ["rejects", "homonym"])
def test_one_relation_alone(anthology: Run, relation: str) -> None:
    found = rows(anthology("query", relation, "--format", "json"))
    assert found
    assert {each["relation"] for each in found} == {relation}


def test_words_are_told_apart_by_what_they_are(anthology: Run) -> None:
    def ask(*words: str) -> set[tuple[str, str, str]]:
        found = rows(anthology("query", *words, "-f", "json"))
        return {(each["subject"], each["relation"], each["object"]) for each in found}

    both = {("NOTE-266#C5", "rejects", "THEORY-066"), ("THEORY-062", "rejects", "THEORY-066")}
    assert ask("LIT-521", "rejects") == both
    assert ask("rejects", "THEORY-066") == both
    assert ask("_", "rejects", "THEORY-066") == both
    assert ask("THEORY-066", "rejected-by") == both
    assert ask("THEORY-066", "rejects") == set()
    assert ask("rejects", "LIT-521") == set()
    assert ask("LIT-528", "refines", "LIT-530") == {("LIT-528", "refines", "LIT-530")}
    assert ask("LIT-530", "refined_by", "LIT-528") == {("LIT-528", "refines", "LIT-530")}
    assert ask("THEORY-011", "THEORY-066") == {("THEORY-066", "alternative-account", "THEORY-011")}
    assert ask("lit-14", "--no-rollup") == ask("LIT-014", "--no-rollup") != set()


def test_depth_walks_further(anthology: Run) -> None:
    near = triples(rows(anthology("query", "LIT-528", "--no-rollup", "-f", "json")))
    far = triples(rows(anthology("query", "LIT-528", "--no-rollup", "--depth", "2", "-f", "json")))
    assert near < far
    assert ("NOTE-274", "reads", "LIT-530", "LIT-530") in far


def test_status_selects(anthology: Run) -> None:
    found = rows(anthology("query", "homonym", "--status", "proposed", "-f", "json"))
    assert found
    assert {each["status"] for each in found} == {"proposed"}


def test_a_table_of_80_columns(anthology: Run) -> None:
    done = anthology("query", "LIT-530")
    lines = done.out.splitlines()
    assert lines[0].startswith("LIT-530  Attention is not all you need")
    assert max(map(len, lines[1:])) <= 80
    assert any(each.split()[:3] == ["rejected-by", "NOTE-266#C5", "LIT-521"] for each in lines)
    assert "\x1b" not in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["LIT-531"], "did you mean"),
        (["rejcts"], "did you mean rejects"),
        (["xyzzy"], "the relations are refines, extends"),
        (["LIT-530", "LIT-521", "LIT-528"], "too many words"),
        (["rejects", "refines"], "two relations"),
        (["LIT-530", "LIT-521", "rejects"], "between the two ids"),
        (["--status", "activ"], "did you mean active"),
        (["--format", "jsn"], "did you mean json"),
    ],
)
def test_what_is_unknown_is_exit_2_and_nothing_on_stdout(
    anthology: Run, words: list[str], message: str
) -> None:
    done = anthology("query", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.startswith("error: ")


def test_no_record_is_exit_4(anthology: Run, tmp_path: Path) -> None:
    done = anthology("query", "--root", str(tmp_path))
    assert (done.code, done.out) == (4, "")
    assert "no record found below" in done.err
    assert anthology("query", "--root", str(tmp_path / "nowhere")).code == 4


def test_an_empty_answer_is_exit_0(anthology: Run) -> None:
    done = anthology("query", "contradicts")
    assert (done.code, done.out) == (0, "no such edge\n")


def test_a_placeholder_can_be_asked_for(
    anthology: Run, write: Callable[[Mapping[str, str]], Path]
) -> None:
    root = write({
        "records/NOTE-001.md": """
            ---
            claims:
              C1:
                text: it sits elsewhere
                relations:
                  rejects: [{to: "?activation-account", says: the account of activations}]
            ---
            """
    })  # fmt: skip
    found = rows(anthology("query", "?activation-account", "-f", "json", "--root", str(root)))
    assert triples(found) == {("NOTE-001#C1", "rejects", "?activation-account", None)}
    assert found[0]["status"] == "target-absent"


def test_the_reader_may_stop_reading(anthology: Run) -> None:
    import subprocess
    import sys

    command = f"{sys.executable} -m litgraph query --format json | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in {0, 141}  # ended by SIGPIPE, as `cat` would be
    assert done.stderr == ""
    assert done.stdout.startswith('{"schema"')


def test_path_explains_in_the_direction_asked(anthology: Run) -> None:
    found = rows(anthology("path", "LIT-521", "LIT-530", "-f", "json"))
    assert [each["relation"] for each in found] == ["source-of", "rejects", "source"]
    assert [each["to"] for each in found] == ["THEORY-062", "THEORY-066", "LIT-530"]
    shown = anthology("path", "LIT-521", "LIT-530", "--limit", "3").out
    assert shown.count("path 1") == 1
    assert "path 2" in shown


def test_path_of_nothing(anthology: Run) -> None:
    assert "did you mean" in anthology("path", "LIT-521", "LIT-531").err
    done = anthology("path", "LIT-801", "LIT-530")
    assert (done.code, done.out) == (0, "nothing in the record connects LIT-801 and LIT-530\n")
