"""The contract of an experiment, at decoration and as read from a file."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest

from anthology.errors import ExperimentError
from anthology.experiment import (
    Experiment,
    Measurement,
    Parameter,
    convert,
    describe,
    experiment,
)

METRICS = {"slope": "exponent (dimensionless)"}


# Measurement


def test_measurement_keeps_what_it_is_given() -> None:
    measured = Measurement(series={"x": [1, 2.5]}, slope=3, loss=math.inf, gap=math.nan)
    assert measured.metrics["slope"] == 3.0
    assert isinstance(measured.metrics["slope"], float)
    assert measured.metrics["loss"] == math.inf
    assert math.isnan(measured.metrics["gap"])
    assert measured.series == {"x": (1.0, 2.5)}


def test_measurement_is_immutable() -> None:
    measured = Measurement(slope=3.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        measured.metrics = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        measured.metrics["slope"] = 4.0  # type: ignore[index]


class Scalar:
    """Stands for a 0-d tensor."""

    def item(self) -> float:
        return 1.0

    def tolist(self) -> list[float]:
        return [1.0]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (True, "metric `slope` must be a real number, not bool"),
        ("3", "not str"),
        (None, "not NoneType"),
        (3j, "not complex"),
        (Scalar(), r"not Scalar; call \.item\(\) on it"),
    ],
)
def test_metric_must_be_a_real_number(value: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        Measurement(slope=value)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ("123", "series `x` must be a list of real numbers, not str"),
        (Scalar(), r"call \.tolist\(\) on it"),
        ([1.0, True], "series `x`, item 1 must be a real number, not bool"),
        ([1.0, Scalar()], r"item 1 must be a real number, not Scalar; call \.item\(\)"),
    ],
)
def test_series_must_be_real_numbers(values: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        Measurement(series={"x": values})


# The decorator


@experiment(seconds=1, metrics=METRICS, series={"x": "log size"})
def line(
    seed: int,
    *,
    mask: Literal["none", "causal"] = "none",
    skip: bool = False,
    depth: int = 2,
    radius: float = 1,
    label: str = "",
) -> Measurement:
    """Measure a line."""
    extra = {"other": 1.0} if label == "extra" else {}
    series = {} if label == "bare" else {"x": [radius]}
    return Measurement(series=series, slope=float(depth), **extra)


def test_decorated_function_stays_callable() -> None:
    measured = line(0, depth=3, radius=2)
    assert measured.metrics == {"slope": 3.0}
    assert isinstance(line, Experiment)
    assert (line.__name__, line.__doc__) == ("line", "Measure a line.")  # type: ignore[attr-defined]


def test_description_says_what_was_declared() -> None:
    said = line.description
    assert (said.name, said.seconds, said.dtype, said.device) == ("line", 1.0, "float64", "cpu")
    assert said.metrics == METRICS
    assert said.series == {"x": "log size"}
    assert said.doc == "Measure a line."
    assert said.about == __doc__
    assert said.parameters == {
        "mask": Parameter("mask", "str", "none", ("none", "causal")),
        "skip": Parameter("skip", "bool", default=False),
        "depth": Parameter("depth", "int", 2),
        "radius": Parameter("radius", "float", 1.0),
        "label": Parameter("label", "str", ""),
    }
    assert str(said.parameters["mask"]) == 'mask: Literal["none", "causal"] = \'none\''
    assert isinstance(said.parameters["radius"].default, float)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"label": "extra"}, "metrics of line: `other` came back undeclared"),
        ({"label": "bare"}, "series of line: `x` is declared and did not come back"),
        ({"mask": "casual"}, r"line\(mask='casual'\) is not `mask: Literal"),
        ({"skip": 1}, "is not `skip: bool = False`"),
        ({"depth": True}, "is not `depth: int = 2`"),
        ({"depth": 2.0}, "is not `depth: int = 2`"),
        ({"radius": "1"}, r"is not `radius: float = 1\.0`"),
    ],
)
def test_call_is_checked(arguments: Any, says: str) -> None:
    with pytest.raises(ExperimentError, match=says):
        line(0, **arguments)


def test_call_must_return_a_measurement() -> None:
    @experiment(seconds=1, metrics=METRICS)
    def number(seed: int) -> Measurement:
        return 3.0  # type: ignore[return-value]

    with pytest.raises(ExperimentError, match="number returned float, no Measurement"):
        number(0)


# One contract, two readings: each signature is refused live and from its file alike.

HEAD = """from typing import Literal
from anthology.experiment import Measurement, experiment
"""
DECORATOR = '@experiment(seconds=1, metrics={"slope": "exponent (dimensionless)"})'


def source(signature: str = "seed: int", decorator: str = DECORATOR, name: str = "probe") -> str:
    return f"{HEAD}\n{decorator}\ndef {name}({signature}) -> Measurement:\n    '''Doc.'''\n"


SEED = "the parameters must be `seed: int`, without default, and then keyword-only ones"
BROKEN = [
    (source(""), SEED),
    (source("*, seed: int"), SEED),
    (source("seed"), SEED),
    (source("seed: float"), SEED),
    (source("seed: int = 0"), SEED),
    (source("seed: int, /"), SEED),
    (source("seed: int, depth: int"), SEED),
    (source("seed: int, depth: int = 1"), SEED),
    (source("seed: int, *rest: int"), SEED),
    (source("seed: int, **rest: int"), SEED),
    (source("seed: int, *, depth: int"), "`depth` has no default"),
    (source("seed: int, *, depth=1"), "`depth` must be annotated bool, int, float, str or Literal"),
    (source("seed: int, *, depth: list = 1"), "`depth` must be annotated"),
    (source("seed: int, *, depth: int | None = None"), "`depth` must be annotated"),
    (source("seed: int, *, depth: Literal[1, 2] = 1"), "`depth` must be annotated"),
    (source("seed: int, *, depth: int = True"), "the default of `depth` is True, which is not"),
    (source("seed: int, *, depth: int = 1.0"), r"the default of `depth` is 1\.0"),
    (source("seed: int, *, skip: bool = 0"), "the default of `skip` is 0"),
    (source("seed: int, *, mask: Literal['a', 'b'] = 'c'"), "the default of `mask` is 'c'"),
    (
        source(decorator="@experiment(seconds=0, metrics={'a': 'b'})"),
        "`seconds` must be a positive",
    ),
    (source(decorator="@experiment(seconds=True, metrics={'a': 'b'})"), "`seconds` must be"),
    (source(decorator="@experiment(seconds=1, metrics={})"), "`metrics` must name at least one"),
    (source(decorator="@experiment(seconds=1, metrics=['a'])"), "`metrics` must map each name"),
    (source(decorator="@experiment(seconds=1, metrics={'series': 'b'})"), "none of them `series`"),
    (source(decorator="@experiment(seconds=1, metrics={'a b': 'c'})"), "'a b' in `metrics` is no"),
    (source(decorator="@experiment(seconds=1, metrics={'a': ''})"), "must say what `a` is"),
    (
        source(decorator="@experiment(seconds=1, metrics={'a': 'b'}, dtype='f8')"),
        "`dtype` is one of",
    ),
    (
        source(decorator="@experiment(seconds=1, metrics={'a': 'b'}, device='')"),
        "`device` is one of",
    ),
]


def load(text: str) -> Any:
    """Import the text, as the bench would."""
    names: dict[str, Any] = {"__name__": "probe", "__doc__": None}
    exec(compile(text, "probe.py", "exec"), names)
    return names["probe"]


def read(folder: Path, text: str) -> Any:
    file = folder / "probe.py"
    file.write_text(text, encoding="utf-8")
    return describe(file)


@pytest.mark.parametrize(("text", "says"), BROKEN)
def test_both_readings_refuse(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=says):
        load(text)
    with pytest.raises(ExperimentError, match=says) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'probe.py'}:5: ")


@pytest.mark.parametrize("postponed", ["", "from __future__ import annotations\n"])
def test_both_readings_agree(postponed: str, tmp_path: Path) -> None:
    signature = (
        "seed: int, *, mask: Literal['none', 'causal'] = 'none', one: Literal['x'] = 'x', "
        "skip: bool = True, depth: int = -2, radius: float = 1, label: str = 'a'"
    )
    text = postponed + source(signature)
    written, live = read(tmp_path, text), load(text).description
    assert written == live
    assert (written.line, written.doc) == (5 + bool(postponed), "Doc.")
    assert written.parameters["depth"].default == -2
    assert written.parameters["one"].choices == ("x",)


def test_annotation_that_cannot_be_resolved() -> None:
    text = "from __future__ import annotations\n" + source("seed: int, *, depth: Nowhere = 1")
    with pytest.raises(ExperimentError, match=r"an annotation cannot be resolved: .*Nowhere"):
        load(text)


# describe


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def probe(:\n", ":1: not Python: "),
        ("x = '\0'\n", ":1: not Python: "),
        ("", ":1: no function is decorated with @experiment"),
        ("def probe(seed: int): ...\n", "no function is decorated"),
        (source(decorator="@experiment"), "write the decorator as @experiment"),
        (source(decorator="@experiment(1)"), "write the decorator as @experiment"),
        (source(decorator="@experiment(seconds=1)"), "says no `metrics`"),
        (source(decorator="@experiment(metrics={'a': 'b'})"), "says no `seconds`"),
        (source(decorator="@experiment(second=1)"), "takes seconds, .*; not `second`"),
        (source(decorator="@experiment(**SETTINGS)"), r"not `\*\*`"),
        (
            source(decorator="@experiment(seconds=1, metrics=METRICS)"),
            "`metrics` of @experiment must be a literal, not `METRICS`",
        ),
        (
            source("seed: int, *, pairs: int = 1 << 14"),
            "the default of `pairs` must be a literal, not `1 << 14`",
        ),
        (source("seed: int, *, mask: Literal[NONE] = 'a'"), "`mask` must be annotated"),
        (source("seed: int, *, a: int = 1, a: int = 1"), "duplicate parameter name"),
        (source(name="other"), "the function is `other`; name it `probe`, as its file"),
        (source() + source(name="other"), "holds one experiment, not `probe` and `other`"),
    ],
)
def test_describe_refuses(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=says):
        read(tmp_path, text)


def test_describe_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"absent\.py: cannot be read: No such file"):
        describe(tmp_path / "absent.py")
    (tmp_path / "latin.py").write_bytes(b"x = 'caf\xe9'\n")
    with pytest.raises(ExperimentError, match=r"latin\.py:1: not Python"):
        describe(tmp_path / "latin.py")


def test_describe_takes_a_qualified_decorator(tmp_path: Path) -> None:
    text = source().replace("@experiment", "@bench.experiment")
    assert read(tmp_path, text).name == "probe"


def test_describe_runs_nothing(tmp_path: Path) -> None:
    text = "import torch\nimport nowhere\nraise SystemExit\n" + source()
    assert read(tmp_path, text).seconds == 1.0


def test_the_contract_needs_no_torch() -> None:
    code = "import sys, anthology.experiment; assert not {'torch', 'pydantic'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


# convert

MASK = Parameter("mask", "str", "none", ("none", "causal"))
SKIP = Parameter("skip", "bool", default=False)
DEPTH = Parameter("depth", "int", 1)
RADIUS = Parameter("radius", "float", 1.0)
LABEL = Parameter("label", "str", "")


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (MASK, "causal", "causal"),
        (SKIP, "true", True),
        (SKIP, "Yes", True),
        (SKIP, "on", True),
        (SKIP, "false", False),
        (SKIP, "no", False),
        (DEPTH, "12", 12),
        (DEPTH, "-3", -3),
        (RADIUS, "1e-3", 1e-3),
        (RADIUS, ".5", 0.5),
        (RADIUS, "2", 2.0),
        (RADIUS, "-1.", -1.0),
        (LABEL, "no", "no"),
        (LABEL, "0704.0001", "0704.0001"),
    ],
)
def test_convert(parameter: Parameter, text: str, value: object) -> None:
    got = convert(parameter, text)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("parameter", "text", "says"),
    [
        (MASK, "casual", "`mask` is one of none, causal, not 'casual'; did you mean causal"),
        (MASK, "", "`mask` is one of none, causal, not ''"),
        (SKIP, "1", "`skip` is true or false, not '1'"),
        (SKIP, "maybe", "`skip` is true or false, not 'maybe'"),
        (DEPTH, "1.0", "`depth` is a whole number, not '1.0'"),
        (DEPTH, "1_000", "`depth` is a whole number"),
        (DEPTH, "", "`depth` is a whole number"),
        (RADIUS, "nan", "`radius` is a finite number, as 1e-3, not 'nan'"),
        (RADIUS, "inf", "`radius` is a finite number"),
        (RADIUS, "1e999", "`radius` is a finite number"),
        (RADIUS, "0,5", "`radius` is a finite number"),
        (DEPTH, ["1", "2"], "`depth` takes one value, not a list of 2"),
        (LABEL, ["a"], "`label` takes one value, not a list of 1"),
    ],
)
def test_convert_refuses(parameter: Parameter, text: str | list[str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        convert(parameter, text)
