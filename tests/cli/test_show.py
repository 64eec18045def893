"""`show`: one screen that says what something is, how it stands and what was measured."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.conftest import ROOT, Done

Run = Callable[..., Done]
Write = Callable[[Mapping[str, str]], Path]


def test_an_account_starts_with_its_standing(anthology: Run) -> None:
    done = anthology("show", "THEORY-066")
    lines = done.out.splitlines()
    assert lines[0].startswith("THEORY-066  contested, unanswered (rejected by NOTE-266#C5;")
    assert "mechanism:    the path that skips every layer" in done.out
    assert "  alternative-account  THEORY-011" in lines
    assert "→ corroborated (15/15)" in done.out
    assert max(map(len, lines)) <= 80


def test_a_claim_shows_its_criterion_numbers_scope_and_surroundings(anthology: Run) -> None:
    out = anthology("show", "NOTE-274#C1").out
    for said in (
        "NOTE-274#C1  uncontested",
        "universal: every one of 20 seeds must have slope in [2.9, 3.1]",
        "corroborated (20/20)",
        "slope         control causal mask  1 [",
        "  shows the local exponent",
        "  does not show the rate in a trained network",
        "float64 on cpu",
        "plot: anthology runs 'NOTE-274#C1' --plot plot.svg",
    ):
        assert said in out
    assert "verdict:      untested" in anthology("show", "NOTE-105#C1").out


def test_a_term_says_how_many_things_it_names(anthology: Run) -> None:
    out = anthology("show", "TERM-001").out
    assert out.startswith("TERM-001  names 2 things\nrank collapse\n")
    assert "TERM-001#weights  weight matrices converging to low-rank subspaces" in out
    assert "    used by LIT-350, NOTE-105\n    proposed LIT-516, LIT-528, NOTE-272\n" in out
    sense = anthology("show", "TERM-001#tokens").out
    assert sense.startswith("TERM-001#tokens  a sense of rank collapse\n")
    assert "prevented by: TERM-002" in sense


def test_a_note_says_what_it_reads_and_lists_its_claims(anthology: Run) -> None:
    out = anthology("show", "NOTE-266").out
    assert out.startswith("NOTE-266  a reading of LIT-521, read\n")
    assert "→ argued, not tested; " in out
    assert "rejects" in out


def test_a_refuted_claim_makes_its_neighbours_look_again(anthology: Run, write: Write) -> None:
    root = write({
        "pyproject.toml": "[tool.anthology]\n",
        "experiments/toy/number.py": '''
            """A number."""
            from anthology.experiment import Measurement, experiment

            @experiment(seconds=0.01, metrics={"x": "a number"})
            def number(seed: int, *, value: float = 1.0) -> Measurement:
                """Return the value."""
                return Measurement(x=value)
            ''',
        "records/NOTE-001.md": """
            ---
            claims:
              C1:
                text: it is small
                form: universal
                test:
                  run: toy.number
                  expect: x < 0.5
                  refute: x > 0.9
                  control: {large: {value: 9}}
              C2:
                text: it is very small
                relations: {refines: ['#C1']}
            ---
            """,
        "records/THEORY-001.md": "---\nstatus: Superseded\nmechanism: gone\n---\n",
    })  # fmt: skip
    done = anthology("verify", "NOTE-001#C1", cwd=root)
    assert done.code == 1
    assert "refuted" in done.out
    out = anthology("show", "NOTE-001#C1", cwd=root).out
    assert out.startswith("NOTE-001#C1  refuted by run (NOTE-001#C1 was refuted)\n")
    assert "look again: NOTE-001#C1 was refuted by a run" in (
        anthology("show", "NOTE-001#C2", cwd=root).out
    )
    assert "look again: NOTE-001#C1 was refuted" in anthology("show", "NOTE-001", cwd=root).out
    assert anthology("show", "THEORY-001", cwd=root).out.startswith("THEORY-001  superseded\n")


def test_json_holds_the_same(anthology: Run) -> None:
    answer = json.loads(anthology("show", "THEORY-066", "--format", "json").out)
    (row,) = answer["rows"]
    assert row["standing"] == "contested, unanswered"
    assert [each["subject"] for each in row["standing_edges"]] == ["NOTE-266#C5", "THEORY-062"]
    assert row["claims"][0]["verdict"] == "corroborated"
    assert row["fields"]["status"] == "Proposed"
    assert (ROOT / row["file"]).is_file()


def test_what_is_unknown(anthology: Run) -> None:
    done = anthology("show", "THEORY-67")
    assert (done.code, done.out) == (2, "")
    assert "did you mean THEORY-0" in done.err
    assert anthology("show", "THEORY-066", "--format", "tabel").code == 2


def test_from_the_index_as_from_the_files(anthology: Run, tmp_path: Path) -> None:
    for name in ("records", "experiments"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("LIT-530", "NOTE-274", "THEORY-011", "TERM-004", "NOTE-266#C5"):
        first = anthology("show", name, "--no-cache", cwd=tmp_path)
        for _ in range(2):
            assert anthology("show", name, cwd=tmp_path, CI="").out == first.out
