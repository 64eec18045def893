"""What a run file holds: numbers, what they rest on, and the verdict for people who read it.

The text is made for git: sorted keys, one seed a line. Reading checks the shape by hand:
a question reads these files, and no model library is worth its import for that.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from anthology import criteria
from anthology.errors import AnthologyError
from anthology.judge import Criterion, Measured, Verdict, judge

SCHEMA = "anthology.run/1"
OPTIONAL = ("controls", "error", "seen", "commit", "dirty")  # left out where empty
WIDTH = 80  # columns; what fits stands on one line
DIGITS = 6  # of a series: it is drawn, never judged


class RunFileError(AnthologyError):
    """A run file cannot be read as one."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one seed of one arm gave."""

    metrics: Mapping[str, float]
    series: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


Arms = Mapping[str, Mapping[int, Result]]  # arm -> seed -> result


class Word(NamedTuple):
    """The verdict as the file states it."""

    word: str
    cause: str = ""
    passed: int = 0
    seeds: int = 0


UNTESTED = Word("untested")


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRun:
    """The numbers of one test.

    Attributes:
        parts: The measurement key, part by part.
        criteria: The judgement key: form and conditions that the verdict was reached by.
        seen: The criteria that stood when the values were first seen, where they differ.
        arms: Arm to seed to result.
        controls: Control to the same.
        error: Why the run could not be finished.
        verdict: What the numbers say by `criteria`.
        environment: Python, torch, platform and threads.
        commit: Git commit that the code stood at; empty outside git.
        dirty: Digest of the code's files where they differ from that commit.
        seconds: Time it took to measure.
        memory: Peak memory in megabytes.

    """

    __test__ = False  # pytest: not a test case

    parts: Mapping[str, Any]
    criteria: Mapping[str, Any]
    seen: Mapping[str, Any] = field(default_factory=dict)
    arms: Arms = field(default_factory=dict)
    controls: Mapping[str, Arms] = field(default_factory=dict)
    error: str = ""
    verdict: Word = UNTESTED
    environment: Mapping[str, str | int] = field(default_factory=dict)
    commit: str = ""
    dirty: str = ""
    seconds: float = 0.0
    memory: float = 0.0

    def measured(self) -> Measured:
        """Return the numbers as the judge takes them."""
        controls = {name: _turned(arms) for name, arms in self.controls.items()}
        return Measured(_turned(self.arms), controls, self.error)

    def criterion(self) -> Criterion:
        """Return the criterion that the file itself states.

        Raises:
            RunFileError: A condition of it cannot be read.

        """
        try:
            groups = {
                name: tuple(criteria.parse(each) for each in self.criteria.get(name, ()))
                for name in ("expect", "refute", "guard", "floor")
            }
        except (ValueError, TypeError, AttributeError) as error:
            raise RunFileError(f"states a criterion that cannot be read: {error}") from None
        return Criterion(
            form=str(self.criteria.get("form", "")),
            seeds=self.parts["seeds"],
            arms=tuple(self.parts["arms"]),
            controls=tuple(self.parts["controls"]),
            **groups,
        )

    def judged(self) -> Verdict:
        """Judge the numbers by the file's own criterion."""
        return judge(self.criterion(), self.measured())

    def states(self, verdict: Verdict) -> bool:
        """Whether the verdict that the file states is this one."""
        return self.verdict == stated(verdict)


@dataclass(frozen=True, slots=True)
class Run:
    """One claim's run file.

    Attributes:
        claim: The claim's id when the file was written.
        text: Key of the claim's words when its numbers were measured.
        tests: Name to numbers; the name of a claim's only test is empty.

    """

    claim: str
    text: str = ""
    tests: Mapping[str, TestRun] = field(default_factory=dict)


def stated(verdict: Verdict) -> Word:
    """Return a verdict as a file states it."""
    return Word(verdict.word, verdict.cause, verdict.passed, verdict.seeds)


def _turned(arms: Arms) -> dict[int, dict[str, Mapping[str, float]]]:
    """Turn arm -> seed into seed -> arm."""
    seeds: dict[int, dict[str, Mapping[str, float]]] = {}
    for arm, results in arms.items():
        for seed, result in results.items():
            seeds.setdefault(seed, {})[arm] = result.metrics
    return seeds


# ---------------------------------------------------------------- writing


def dumps(run: Run) -> str:
    """Write a run as text: sorted keys, what fits on a line, one seed a line."""
    tests = {name: _data(test) for name, test in run.tests.items()}
    data = {"schema": SCHEMA, "claim": run.claim, "text": run.text, "tests": tests}
    return "".join(_lines(_plain(data), "")) + "\n"


def _data(test: TestRun) -> dict[str, Any]:
    data = {each.name: getattr(test, each.name) for each in fields(test)}
    data["verdict"] = test.verdict._asdict()
    return {name: value for name, value in data.items() if value or name not in OPTIONAL}


def _plain(value: Any) -> Any:
    """Return what JSON can hold: text for NaN and infinities, sorted keys, numbers in order."""
    if isinstance(value, Result):
        value = {"metrics": value.metrics} | ({"series": value.series} if value.series else {})
    if isinstance(value, Mapping):
        return {str(key): _plain(value[key]) for key in sorted(value)}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _lines(value: Any, indent: str) -> Iterator[str]:
    line = json.dumps(value, ensure_ascii=False)
    leaf = not isinstance(value, dict) or "metrics" in value
    if leaf or (indent and len(line) + len(indent) < WIDTH and "verdict" not in value):
        yield line
        return
    inner = indent + " "
    yield "{\n"
    for number, (key, each) in enumerate(value.items()):
        yield f"{',' + chr(10) if number else ''}{inner}{json.dumps(key, ensure_ascii=False)}: "
        yield from _lines(each, inner)
    yield f"\n{indent}}}"


def rounded(series: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
    """Return series with as many digits as a plot can show."""
    return {
        name: tuple(float(f"{value:.{DIGITS}g}") for value in values)
        for name, values in series.items()
    }


# ---------------------------------------------------------------- reading


def loads(data: bytes) -> Run:
    """Read a run.

    Raises:
        RunFileError: It is none, or one of a schema that is not known here.

    """
    try:
        return _run(json.loads(data))
    except RecursionError:
        raise RunFileError("is no run file: it is nested too deep") from None
    except ValueError as error:
        raise RunFileError(f"is no run file: {error}") from None


def _run(data: object) -> Run:
    found = _mapping(data, "it")
    if found.get("schema") != SCHEMA:
        raise ValueError(f"its schema is {found.get('schema')!r}; this version reads {SCHEMA!r}")
    _known(found, "it", ("schema", "claim", "text", "tests"))
    tests = _mapping(found["tests"], "tests")
    return Run(
        _text(found["claim"], "claim"),
        _text(found["text"], "text"),
        {name: _test(test, f"tests.{name}") for name, test in tests.items()},
    )


def _test(data: object, at: str) -> TestRun:
    found = _mapping(data, at)
    _known(found, at, [each.name for each in fields(TestRun)], OPTIONAL)
    parts = _mapping(found["parts"], f"{at}.parts")
    for name in ("arms", "controls", "params", "code"):
        inner = _mapping(parts.get(name), f"{at}.parts.{name}")
        if name in ("arms", "controls"):
            for key, each in inner.items():
                _mapping(each, f"{at}.parts.{name}.{key}")
    if not isinstance(parts.get("seeds"), int) or isinstance(parts["seeds"], bool):
        raise ValueError(f"{at}.parts.seeds is no whole number")
    controls = _mapping(found.get("controls", {}), f"{at}.controls")
    verdict = _mapping(found["verdict"], f"{at}.verdict")
    _known(verdict, f"{at}.verdict", Word._fields)
    texts = ("error", "commit", "dirty")
    return TestRun(
        parts=parts,
        criteria=_mapping(found["criteria"], f"{at}.criteria"),
        seen=_mapping(found.get("seen", {}), f"{at}.seen"),
        arms=_arms(found["arms"], f"{at}.arms"),
        controls={name: _arms(each, f"{at}.controls.{name}") for name, each in controls.items()},
        verdict=Word(**verdict),
        environment=_mapping(found["environment"], f"{at}.environment"),
        seconds=_number(found["seconds"], f"{at}.seconds"),
        memory=_number(found["memory"], f"{at}.memory"),
        **{name: _text(found.get(name, ""), f"{at}.{name}") for name in texts},
    )


def _arms(data: object, at: str) -> dict[str, dict[int, Result]]:
    arms: dict[str, dict[int, Result]] = {}
    for arm, seeds in _mapping(data, at).items():
        results = arms.setdefault(arm, {})
        for seed, given in _mapping(seeds, f"{at}.{arm}").items():
            where = f"{at}.{arm}.{seed}"
            result = _mapping(given, where)
            _known(result, where, ("metrics", "series"), ("series",))
            metrics = _mapping(result["metrics"], f"{where}.metrics")
            series = _mapping(result.get("series", {}), f"{where}.series")
            results[int(seed)] = Result(
                {name: _number(each, f"{where}.metrics.{name}") for name, each in metrics.items()},
                {name: _column(each, f"{where}.series.{name}") for name, each in series.items()},
            )
    return arms


def _mapping(value: object, at: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{at} is no mapping")
    return value


def _known(
    value: Mapping[str, Any], at: str, names: Iterable[str], optional: Iterable[str] = ()
) -> None:
    if unknown := sorted({*value} - {*names}):
        raise ValueError(f"{at} has no field `{unknown[0]}`")
    if missing := sorted({*names} - {*value} - {*optional}):
        raise ValueError(f"{at} lacks `{missing[0]}`")


def _text(value: object, at: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{at} is no text")
    return value


def _number(value: object, at: str) -> float:
    """Read a number; JSON has none for NaN and infinities, so they stand as text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if value in ("nan", "inf", "-inf"):
        return float(str(value))
    raise ValueError(f"{at} is no number")


def _column(value: object, at: str) -> tuple[float, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{at} is no list")
    return tuple(_number(each, at) for each in value)
