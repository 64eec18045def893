"""How a claim is tested, and what the record's own runs said: EARL and PROV-O, as quads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litgraph import iris
from litgraph.iris import VOCABULARY, expand
from litgraph.lexical import BOOLEAN, DECIMAL, INTEGER
from litgraph.quads import NamedGraph

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from anthology.corpus import Corpus
    from anthology.judge import Verdict
    from anthology.records import Claim, Test
    from anthology.runs import Run

OUTCOMES = {
    "corroborated": "passed", "supported": "passed", "refuted": "failed",
    "inconclusive": "cantTell", "vacuous": "cantTell", "error": "cantTell",
}  # fmt: skip


# What only a stored run can say: who asks for none of it needs none read.
PREDICATES = frozenset({
    *(VOCABULARY + each for each in (
        "verdict", "outcome", "cause", "detail", "passed", "stale", "staleBecause", "note",
        "seconds", "memory", "commit", "environment", "standing", "lookAgain",
    )),
    *(expand(f"earl:{each}") for each in ("subject", "result", "outcome", "test", "mode")),
})  # fmt: skip


class Results:
    """What is known of the claims' tests.

    Attributes:
        verdicts: By claim; one that is missing is untested.
        files: The run file of each claim that has one.

    """

    def __init__(self, corpus: Corpus, verdicts: Mapping[str, Verdict] | None) -> None:
        self.corpus = corpus
        self.files: Mapping[str, Path] = {}
        self.verdicts: Mapping[str, Verdict] = verdicts or {}
        if any(claim.tests for claim in corpus.claims.values()):
            from anthology import runs, verify

            self.files = runs.files(corpus)
            if verdicts is None:
                self.verdicts = verify.verdicts(corpus)

    def graphs(self, claim: Claim, here: NamedGraph) -> list[NamedGraph]:
        """Add a claim's tests and verdict; return the further graph that its run file is."""
        node = iris.of(here.base, claim.id)
        for test in claim.tests:
            _test(here, node, claim.id, test)
        verdict = self.verdicts.get(claim.id)
        here.say(node, "verdict", verdict.word if verdict else "untested")
        if verdict is None or verdict.word == "untested":
            return []
        file = self.files.get(claim.id)
        if file is None:
            _verdict(here, node, claim, verdict)
            return []
        there = NamedGraph(here.base, file.relative_to(self.corpus.root).as_posix())
        _verdict(there, node, claim, verdict)
        if run := _read(file):
            _run(there, node, claim, run)
        return [there]


def _read(file: Path) -> Run | None:
    from anthology import runs

    try:
        return runs.read(file)
    except runs.RunFileError:
        return None  # its verdict says so


def _case(claim: str, test: Test) -> str:
    return f"{claim}/test/{test.name}" if test.name else f"{claim}/test"


def _test(graph: NamedGraph, claim: str, name: str, test: Test) -> None:
    node, say = _case(claim, test), graph.say
    types = (VOCABULARY + "Test", expand("earl:TestCase"))
    graph.node(node, _case(name, test), f"test of {name}", test.line, *types)
    graph.link(node, "testOf", claim)
    say(node, "experiment", test.run)
    say(node, "seeds", str(test.seeds), INTEGER)
    for group in ("expect", "refute", "guard", "floor"):
        for condition in getattr(test, group):
            say(node, group, str(condition))
    for control in test.control:
        say(node, "control", control)
    say(node, "shows", test.shows)
    say(node, "doesNotShow", test.does_not_show)


def _verdict(graph: NamedGraph, claim: str, stated: Claim, verdict: Verdict) -> None:
    node, say, public = claim + "/verdict", graph.say, graph.public
    line = stated.line if graph.path.endswith(".md") else 1
    types = (VOCABULARY + "Verdict", expand("earl:Assertion"))
    graph.node(node, stated.id + "/verdict", str(verdict), line, *types)
    public(node, "earl:subject", claim, "")
    public(node, "earl:mode", expand("earl:automatic"), "")
    for test in stated.tests:
        public(node, "earl:test", _case(claim, test), "")
    result = node + "/result"
    graph.node(result, stated.id + "/verdict/result", verdict.word, line, expand("earl:TestResult"))
    public(node, "earl:result", result, "")
    public(result, "earl:outcome", expand("earl:" + OUTCOMES[verdict.word]), "")
    say(node, "outcome", verdict.word)
    say(node, "cause", verdict.cause)
    say(node, "detail", verdict.detail)
    say(node, "passed", str(verdict.passed), INTEGER)
    say(node, "seeds", str(verdict.seeds), INTEGER)
    say(node, "stale", "true" if verdict.stale else "false", BOOLEAN)
    for part, change in verdict.stale:
        say(node, "staleBecause", f"{part}: {change}")
    for note in verdict.notes:
        say(node, "note", note)


def _run(graph: NamedGraph, claim: str, stated: Claim, run: Run) -> None:
    """Say with what, and at what cost, the numbers behind a verdict were measured."""
    node, say = claim + "/run", graph.say
    types = (VOCABULARY + "Run", expand("prov:Activity"))
    graph.node(node, stated.id + "/run", f"run of {stated.id}", 1, *types)
    graph.public(claim + "/verdict", "prov:wasGeneratedBy", node, "")
    tests = run.tests.values()
    for test in stated.tests:
        if test.name in run.tests:
            graph.public(node, "prov:used", _case(claim, test), "")
    say(node, "seconds", f"{sum(each.seconds for each in tests):.1f}", DECIMAL)
    say(node, "memory", f"{max((each.memory for each in tests), default=0):.1f}", DECIMAL)
    for commit in dict.fromkeys(each.commit for each in tests):
        say(node, "commit", commit)
    for each in dict.fromkeys(
        f"{name} {value}" for test in tests for name, value in test.environment.items()
    ):
        say(node, "environment", each)
