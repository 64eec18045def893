"""Plots of series: the same bytes each time, axes named, and not told apart by colour."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from anthology import runfile, runs, verify
from tests import toys
from tests.conftest import ROOT
from tests.unit.test_verify import CLAIM, claim, project, stored

if TYPE_CHECKING:
    from pathlib import Path

    from anthology.corpus import Corpus

pytest.importorskip("matplotlib")

from litgraph.site import plots

LABELS = {"step": "step", "path": "number so far (dimensionless)"}


@pytest.fixture
def found(tmp_path: Path) -> Corpus:
    text = claim(params="{spread: 0.1}", control="{other: {value: 7}, third: {value: 3}}")
    corpus = project(tmp_path, C1=text)
    verify.claim(corpus, CLAIM)
    return corpus


def test_a_plot_names_its_axes_its_groups_and_itself(found: Corpus) -> None:
    drawn = plots.svg(stored(found), LABELS, CLAIM)
    texts = " ".join(ET.fromstring(drawn).itertext())
    for each in (*LABELS.values(), CLAIM, "main", "control other", "control third"):
        assert each in texts


def test_the_same_numbers_make_the_same_bytes_in_another_process(found: Corpus) -> None:
    code = (
        "import sys; from pathlib import Path; from anthology import runs; "
        "from litgraph.site import plots; "
        "sys.stdout.write(plots.svg(runs.read(Path(sys.argv[1])).tests[''], eval(sys.argv[2])))"
    )
    file = runs.path(found.config, CLAIM)
    drawn = [
        subprocess.run(
            [sys.executable, "-c", code, str(file), repr(LABELS)],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    assert drawn[0] == drawn[1] == plots.svg(stored(found), LABELS)
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", drawn[0])


def test_groups_are_told_apart_without_colour(found: Corpus) -> None:
    drawn = plots.svg(stored(found), LABELS)
    colors = set(re.findall(r"stroke: (#[0-9a-f]{6})", drawn))
    assert all(each[1:3] == each[3:5] == each[5:7] for each in colors)  # greys only
    assert len(set(re.findall(r"stroke-dasharray: ([\d., ]+)", drawn))) >= 2


def test_wide_ranges_get_a_logarithmic_axis_and_odd_numbers_do_no_harm() -> None:
    series = {"x": (1.0, 2.0, 3.0), "y": (1e-8, float("nan"), 1.0), "z": (float("inf"), 1.0)}
    test = runfile.TestRun(parts={}, criteria={}, arms={"main": {0: runfile.Result({}, series)}})
    assert "10^{-8}" in plots.svg(test, {}).replace("−", "-") or "mathdefault" in plots.svg(
        test, {}
    )


def test_nothing_to_draw(tmp_path: Path) -> None:
    corpus = project(tmp_path, C1=toys.trouble("none"))
    verify.claim(corpus, CLAIM)
    with pytest.raises(plots.PlotError, match="needs two series"):
        plots.svg(stored(corpus), {})


def test_without_matplotlib_it_says_what_to_install(
    found: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(plots.PlotError, match="pip install"):
        plots.svg(stored(found), LABELS)
