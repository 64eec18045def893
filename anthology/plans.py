"""What measuring a test would take: its experiment, typed parameters, and current key.

Everything here is read from files. No experiment is imported, and torch need not be there.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from anthology import cache, experiment, keys
from anthology.errors import AnthologyError, nearest
from anthology.judge import Criterion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from anthology.config import Config
    from anthology.experiment import Description
    from anthology.keys import Place
    from anthology.records import Claim, Parameters, Test
    from anthology.runfile import Result, TestRun

PATIENCE = 20.0  # an item may take this many times what its experiment expects
LEAST = 10.0  # seconds that any item may take: the machine may be busy


class Item(NamedTuple):
    """One seed of one arm; `control` is empty for the test itself."""

    control: str
    arm: str
    seed: int
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """A test that can be run.

    Attributes:
        place: The experiment's file.
        description: What the experiment takes and returns.
        parts: The measurement key, part by part.
        torch: Whether the experiment or what it imports needs torch.

    """

    place: Place
    description: Description
    parts: Mapping[str, Any]
    torch: bool

    @property
    def limit(self) -> float:
        """Seconds that one seed of one arm may take."""
        return max(LEAST, PATIENCE * self.description.seconds)

    def items(self) -> Iterator[Item]:
        """Yield everything to measure: seed by seed for the test, then for each control."""
        for control in ("", *self.parts["controls"]):
            for seed in range(self.parts["seeds"]):
                for arm in self.parts["arms"]:
                    yield Item(control, arm, seed, given(self.parts, control, arm))


class PlanError(AnthologyError):
    """A test cannot be run as it is written.

    Attributes:
        where: Keys of the test that lead to the fault, such as `control`, `causal mask`.

    """

    def __init__(self, message: str, *where: str) -> None:
        super().__init__(message)
        self.where = where


def make(config: Config, test: Test, device: str = "") -> Plan:
    """Look a test's experiment up and give its parameters their types.

    Raises:
        PlanError: There is no such experiment, or it takes or gives something else.

    """
    try:
        place = keys.locate(config, test.run)
        description = _describe(place.path)
    except AnthologyError as error:
        said = str(error).replace(f"{config.root}/", "")
        raise PlanError(said, "run") from None
    code, foreign = keys.code(config, place)
    params = _typed(description, test.params, "params")
    arms = {name: _typed(description, each, "arms", name) for name, each in test.arms.items()}
    controls = {
        name: _typed(description, each, "control", name) for name, each in test.control.items()
    }
    _metrics_exist(description, test)
    torch = "torch" in foreign
    parts = {
        "run": test.run,
        "code": code,
        "params": params,
        "arms": arms,
        "controls": controls,
        "seeds": test.seeds,
        "device": device or description.device,
        "dtype": description.dtype,
    }
    if torch:
        parts["torch"] = keys.torch_minor()
    return Plan(place, description, parts, torch)


def _describe(path: Path) -> Description:
    try:
        stamp = hashlib.sha256(path.name.encode() + b"/" + path.read_bytes()).hexdigest()
    except OSError:
        stamp = ""
    if stamp not in cache.descriptions:
        cache.descriptions[stamp] = experiment.describe(path)
    return cache.descriptions[stamp]


def _typed(description: Description, given: Parameters, *where: str) -> dict[str, Any]:
    typed = {}
    for name, text in given.items():
        parameter = description.parameters.get(name)
        if parameter is None:
            near = nearest(name, description.parameters)
            hint = f"did you mean {' or '.join(near)}?" if near else ""
            hint = hint or f"it takes {', '.join(description.parameters) or 'none'}"
            message = f"the experiment {description.name} has no parameter `{name}`; {hint}"
            raise PlanError(message, *where, name)
        try:
            typed[name] = experiment.convert(parameter, text)
        except ValueError as error:
            raise PlanError(str(error), *where, name) from None
    return typed


def _metrics_exist(description: Description, test: Test) -> None:
    for key in ("expect", "refute", "guard", "floor"):
        for condition in getattr(test, key):
            for term in condition.terms:
                if term.metric not in description.metrics:
                    near = nearest(term.metric, description.metrics)
                    hint = f"did you mean {' or '.join(near)}?" if near else ""
                    hint = hint or f"it measures {', '.join(description.metrics)}"
                    message = f"the experiment {description.name} measures no `{term.metric}`"
                    raise PlanError(f"`{condition}`: {message}; {hint}", key)


def given(parts: Mapping[str, Any], control: str, arm: str) -> dict[str, Any]:
    """Return what an arm of the test, or of a control, is called with."""
    changed = parts["controls"][control] if control else {}
    return {**parts["params"], **parts["arms"][arm], **changed}


def identity(parts: Mapping[str, Any], control: str, arm: str) -> str:
    """Digest what one arm's numbers rest on: equal where they can be used again."""
    rests = {name: parts.get(name) for name in ("run", "code", "torch", "device", "dtype")}
    rests["given"] = given(parts, control, arm)
    text = json.dumps(rests, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def usable(old: TestRun | None, parts: Mapping[str, Any]) -> dict[tuple[str, str, int], Result]:
    """Return the stored results that rest on what the test rests on now, arm by arm."""
    usable: dict[tuple[str, str, int], Result] = {}
    if old is None:
        return usable
    groups = {"": old.arms, **old.controls}
    for control, arms in groups.items():
        if control and control not in parts["controls"]:
            continue
        for arm, results in arms.items():
            if arm not in parts["arms"]:
                continue
            try:
                before = identity(old.parts, control, arm)
            except (KeyError, TypeError):
                continue
            if before == identity(parts, control, arm):
                usable |= {(control, arm, seed): result for seed, result in results.items()}
    return usable


def criterion(claim: Claim, test: Test, parts: Mapping[str, Any] | None = None) -> Criterion:
    """Return what a claim's test is judged by.

    Args:
        claim: Its form says what a pass means.
        test: Its conditions.
        parts: The key of the numbers to judge; by default those that the test asks for.

    """
    return Criterion(
        form=claim.form,
        expect=test.expect,
        refute=test.refute,
        guard=test.guard,
        floor=test.floor,
        seeds=parts["seeds"] if parts else test.seeds,
        arms=tuple(parts["arms"] if parts else test.arms),
        controls=tuple(parts["controls"] if parts else test.control),
    )
