"""Plots of what a test measured: its series, as SVG that is the same, byte for byte, each time.

The first series that an experiment declares is the x axis; each other one is a panel below
the last. Every seed is a thin line. The test's arms are dark and its controls lighter, and
each has a dash pattern and a marker of its own, so that a print in grey can be read.
"""

from __future__ import annotations

import io
import math
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

from anthology.criteria import MAIN
from anthology.errors import AnthologyError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes

    from anthology.runfile import Result, TestRun

SEEDS = 20  # drawn of each arm; more hide each other
PANEL = (6.0, 2.8)  # inches
DECADES = 3  # a positive series that spans more gets a logarithmic axis

ARMS = ("#000000", "#303030", "#505050")
CONTROLS = ("#808080", "#989898", "#b0b0b0")
DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "x")

STYLE: Mapping[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: it can be found and read out
    "svg.hashsalt": "anthology",  # ids within the file follow from its content
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "path.simplify": True,
}


class PlotError(AnthologyError):
    """There is nothing to draw, or nothing to draw it with."""


class _Group(NamedTuple):
    """The seeds of one arm, and how they are drawn."""

    name: str
    results: Sequence[Result]
    color: str
    dashes: str
    marker: str


def svg(run: TestRun, labels: Mapping[str, str], title: str = "") -> str:
    """Draw a test's series.

    Args:
        run: What was measured.
        labels: Name of each series to its axis label with its unit, in the order declared.
        title: Stands in the file for those who cannot see it, and above the plot.

    Raises:
        PlotError: It has fewer than two series, or matplotlib is not installed.

    """
    groups = list(_groups(run))
    given = {name for group in groups for each in group.results for name in each.series}
    names = [name for name in (*labels, *sorted(given - {*labels})) if name in given]
    if len(names) < 2:
        raise PlotError("a plot needs two series: one for each axis")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise PlotError("plots need matplotlib: pip install 'anthology-record[site]'") from None
    x, *ys = names
    with mpl.rc_context():
        mpl.rcdefaults()  # whatever the user's own settings are
        mpl.rcParams.update(STYLE)
        figure = Figure(figsize=(PANEL[0], PANEL[1] * len(ys) + 0.4), layout="constrained")
        panels = figure.subplots(len(ys), 1, sharex=True, squeeze=False)[:, 0]
        for panel, y in zip(panels, ys, strict=True):
            for group in groups:
                _draw(panel, group, x, y)
            panel.set_ylabel(textwrap.fill(labels.get(y, y), 38))
            _scale(panel, groups, x, y)
        panels[-1].set_xlabel(labels.get(x, x))
        if title:
            panels[0].set_title(title, loc="left")
        if len(groups) > 1:
            panels[0].legend(frameon=False, handlelength=4)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return out.getvalue()


def _groups(run: TestRun) -> Iterator[_Group]:
    count = 0
    for control, arms in [("", run.arms), *run.controls.items()]:
        shades = CONTROLS if control else ARMS
        for arm, results in arms.items():
            name = f"control {control}" if control else arm
            if control and arm != MAIN:
                name = f"{arm}, {name}"
            first = [results[seed] for seed in sorted(results)][:SEEDS]
            yield _Group(
                name, first, shades[count % len(shades)], DASHES[count % len(DASHES)],
                MARKERS[count % len(MARKERS)],
            )  # fmt: skip
            count += 1


def _draw(panel: Axes, group: _Group, x: str, y: str) -> None:
    """Draw each seed; the first alone carries the markers and the name."""
    for number, each in enumerate(group.results):
        across, up = each.series.get(x, ()), each.series.get(y, ())
        count = min(len(across), len(up))
        panel.plot(
            across[:count], up[:count],
            color=group.color, linestyle=group.dashes,
            linewidth=1.2 if number == 0 else 0.5,
            marker=group.marker if number == 0 else "", markersize=3.5,
            label=group.name if number == 0 else None,
        )  # fmt: skip


def _scale(panel: Axes, groups: Sequence[_Group], x: str, y: str) -> None:
    for name, choose in ((x, panel.set_xscale), (y, panel.set_yscale)):
        values = [
            value
            for group in groups
            for each in group.results
            for value in each.series.get(name, ())
            if math.isfinite(value)
        ]
        if values and min(values) > 0 and math.log10(max(values) / min(values)) > DECADES:
            choose("log")
