"""Rules about what a test runs. The experiment's file is read; nothing of it is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from anthology.errors import AnthologyError, UnknownNameError, nearest
from litgraph.rules import _places, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from anthology.corpus import Corpus
    from anthology.experiment import Description, Parameter
    from anthology.records import Claim, Test
    from litgraph.rules import Fault

GROUPS = ("expect", "refute", "guard", "floor")


class Linked(NamedTuple):
    """A test and the contract of what it runs."""

    claim: Claim
    test: Test
    contract: Description


class Given(NamedTuple):
    """One parameter as a test gives it: where, its name, its text."""

    where: tuple[str, ...]
    name: str
    text: str | list[str]


@rule("C406")
def unknown_experiment(corpus: Corpus) -> Iterator[Fault]:
    """A test runs an experiment that is not there.

    Why: the claim cannot be measured.

    Instead: write `topic.measurement`, the path of the file below the folder of experiments,
    as `rank_collapse.rate` for `experiments/rank_collapse/rate.py`.
    """
    for claim, test in _tests(corpus):
        try:
            _file(corpus, test.run)
        except UnknownNameError as error:
            yield _places.of_test(corpus, claim, test, "run"), str(error)


@rule("C407")
def broken_experiment(corpus: Corpus) -> Iterator[Fault]:
    """A test runs a file that does not keep the contract of an experiment.

    Why: nothing of it can be run, and none of its parameters or metrics is known.

    Instead: decorate one function of the file's name with `@experiment(seconds=...,
    metrics={...})`; its parameters are `seed: int` and then keyword-only ones with types
    and defaults.
    """
    for claim, test in _tests(corpus):
        found = _describe(corpus, test.run)
        if isinstance(found, str):
            yield _places.of_test(corpus, claim, test, "run"), found


@rule("C408")
def wrong_parameter(corpus: Corpus) -> Iterator[Fault]:
    """A test gives a parameter that the experiment does not have, or a value of another type.

    Why: the run would stop, or run with something else than was meant.

    Instead: take a name or a value that the message offers.
    """
    for claim, test, contract in _linked(corpus):
        for where, name, text in _given(test):
            parameter = contract.parameters.get(name)
            said = (
                f"{test.run} has no parameter `{name}`{_offer(name, contract.parameters)}"
                if parameter is None
                else _unfit(parameter, text)
            )
            if said:
                unknown = parameter is None
                yield _places.of_test(corpus, claim, test, *where, name, name=unknown), said


@rule("C409")
def unknown_metric(corpus: Corpus) -> Iterator[Fault]:
    """A condition names a number that the experiment does not measure.

    Why: what is not measured keeps no bound, so the claim can never pass.

    Instead: take one of the metrics that the message offers.
    """
    for claim, test, contract in _linked(corpus):
        for key in GROUPS:
            for number, condition in enumerate(getattr(test, key)):
                for term in condition.terms:
                    if term.metric not in contract.metrics:
                        place = _places.of_test(corpus, claim, test, key, number)
                        offer = _offer(term.metric, contract.metrics)
                        yield place, f"{test.run} measures no `{term.metric}`{offer}"


@rule("C414")
def idle_control(corpus: Corpus) -> Iterator[Fault]:
    """A control changes nothing: every arm runs as it would without it.

    Why: what is the same cannot miss what the test meets, so the test is vacuous as written.

    Instead: change a parameter on which the claim rests. The values of `params`, of the arm
    and the experiment's defaults count.
    """
    for claim, test, contract in _linked(corpus):
        for name, changed in test.control.items():
            arms = [_values(contract, test.params, arm) for arm in test.arms.values()]
            with_it = [_values(contract, test.params, arm, changed) for arm in test.arms.values()]
            if arms == with_it:
                place = _places.of_test(corpus, claim, test, "control", name)
                yield place, f"the control `{name}` changes nothing that {test.run} is given"


def _tests(corpus: Corpus) -> Iterator[tuple[Claim, Test]]:
    for claim in corpus.claims.values():
        if claim.tests and claim.record in corpus.records:
            yield from ((claim, each) for each in claim.tests)


def _linked(corpus: Corpus) -> Iterator[Linked]:
    contracts: dict[str, Description | str | None] = {}
    for claim, test in _tests(corpus):
        if test.run not in contracts:
            contracts[test.run] = _describe(corpus, test.run)
        contract = contracts[test.run]
        if contract is not None and not isinstance(contract, str):
            yield Linked(claim, test, contract)


def _describe(corpus: Corpus, run: str) -> Description | str | None:
    """Return an experiment's contract, what is wrong with it, or None where there is none."""
    from anthology import experiment

    try:
        path = _file(corpus, run)
    except UnknownNameError:
        return None
    try:
        return experiment.describe(path)
    except AnthologyError as error:
        return str(error).replace(f"{corpus.root}/", "")


def _file(corpus: Corpus, run: str) -> Path:
    from anthology import keys  # not where no claim has a test

    return keys.locate(corpus.config, run).path


def _given(test: Test) -> Iterator[Given]:
    yield from (Given(("params",), name, text) for name, text in test.params.items())
    for key in ("arms", "control"):
        for part, params in getattr(test, key).items():
            yield from (Given((key, part), name, text) for name, text in params.items())


def _unfit(parameter: Parameter, text: str | list[str]) -> str:
    from anthology import experiment

    try:
        experiment.convert(parameter, text)
    except ValueError as error:
        return str(error)
    return ""


def _values(contract: Description, *given: Mapping[str, str | list[str]]) -> dict[str, object]:
    """Return what an experiment is called with; a value that does not fit stays text."""
    from anthology import experiment

    values: dict[str, object] = {name: each.default for name, each in contract.parameters.items()}
    for params in given:
        for name, text in params.items():
            parameter = contract.parameters.get(name)
            fits = parameter is not None and not _unfit(parameter, text)
            values[name] = experiment.convert(parameter, text) if fits and parameter else text
    return values


def _offer(name: str, known: Mapping[str, object]) -> str:
    near = nearest(name, known)
    if near:
        return f"; did you mean `{'` or `'.join(near)}`?"
    return f"; it has `{'`, `'.join(known)}`" if known else "; it has none"
