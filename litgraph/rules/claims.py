"""Rules about claims and the criteria that they are judged by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology.findings import Severity
from litgraph.rules import _places, reported, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.corpus import Corpus
    from anthology.criteria import Condition
    from anthology.records import Claim, Test
    from litgraph.rules import Fault

REFUTABLE = frozenset({"universal", "statistical", "causal"})


@reported("C401")
def claim_row() -> None:
    """The Claims table lacks a column, or a row of it an id of its own that can name a claim.

    Why: a claim is known by its id within the note; without one nothing can point at it.

    Instead: let the header be `| id | claim | strength | support |`, and write `C1`, `C2` and
    so on, each once.
    """


@reported("C402")
def claim_without_words() -> None:
    """Front matter tells of a claim that no row of the Claims table holds.

    Why: nobody can read what is tested or related there. Often the row was renumbered.

    Instead: add the row, or write `text:` where the note has no table.
    """


@reported("C403")
def claim_told_twice() -> None:
    """Front matter and the Claims table say different things of one claim.

    Why: the table owns the words, the strength and the support. What front matter says of
    them is dropped, and a reader of it is misled.

    Instead: delete it in front matter; if it is the better wording, move it to the table.
    """


@reported("C404")
def wrong_test() -> None:
    """A test has a key that no test has, or a condition that cannot be read.

    Why: the test cannot be judged, or not by what was meant: a misspelt `refute` refutes
    nothing.

    Instead: write what the message says. The keys are `run`, `seeds`, `params`, `arms`,
    `expect`, `refute`, `control`, `guard`, `floor`, `shows` and `does_not_show`.
    """


@rule("C405")
def no_control(corpus: Corpus) -> Iterator[Fault]:
    """A criterion has no control: nothing shows that it could fail.

    Why: many expectations hold whether or not the claim does, because of how the numbers
    were made. A control changes what the claim rests on; if the expectation still holds, it
    was vacuous. This goes for existential claims, too.

    Instead: add `control:` with a name and the parameters that it changes.
    """
    for claim, test in _tests(corpus):
        if not test.control and claim.form != "definition":
            place = _places.of_test(corpus, claim, test, "expect")
            yield place, f"{claim.id} has a criterion and no control that must miss it"


@rule("C410")
def form_and_criterion(corpus: Corpus) -> Iterator[Fault]:
    """A claim is tested in a way that its form does not allow.

    Why: the form says what a pass means. That some network does it is not refuted by seeds
    that miss it, so `refute` means nothing for an existential claim; a definition has
    nothing to run; a cause shows only against an arm without it; one seed has no interval.

    Instead: change the form or the test, as the message says.
    """
    for claim, test in _tests(corpus):
        key, said = "", ""
        if not claim.form:
            key, said = "run", "has a test and no `form`, so nothing says what a pass would mean"
        elif claim.form == "definition":
            key, said = "run", "is a definition, which has nothing to run; delete the test"
        elif claim.form == "existential" and test.refute:
            key, said = "refute", "is existential: seeds that miss it do not refute it"
        elif claim.form == "causal" and len(test.arms) < 2:
            key, said = "run", "is causal and needs two arms, with the intervention and without"
        elif claim.form == "causal" and len({_frozen(each) for each in test.arms.values()}) < 2:
            key, said = "arms", "is causal, and its arms do not differ"
        elif claim.form == "statistical" and test.seeds < 2:
            key, said = "seeds", "is statistical, and one seed gives no interval"
        if said:
            yield _places.of_test(corpus, claim, test, key), f"{claim.id} {said}"


@rule("C411", Severity.WARNING)
def nothing_refutes(corpus: Corpus) -> Iterator[Fault]:
    """A universal, statistical or causal claim is tested and has no `refute`.

    Why: then it can pass or be inconclusive, and never fail.

    Instead: say which numbers would refute it; a margin below `expect` is usual.
    """
    for claim, test in _tests(corpus):
        if claim.form in REFUTABLE and not test.refute:
            place = _places.of_test(corpus, claim, test, "expect")
            yield place, f"{claim.id} is {claim.form}, and no number would refute it"


@rule("C412")
def contradictory_criterion(corpus: Corpus) -> Iterator[Fault]:
    """The conditions of a test contradict each other.

    Why: one number would meet `expect` and `refute` at once, or none could meet `expect`.

    Instead: leave a gap between the two, and let all of `expect` hold together.
    """
    for claim, test in _tests(corpus):
        for number, each in enumerate(test.expect):
            for key, group in (("refute", test.refute), ("expect", test.expect[:number])):
                for other in group:
                    if _same_quantity(each, other) and _overlap(each, other) is (key == "refute"):
                        said = "can both hold" if key == "refute" else "cannot both hold"
                        place = _places.of_test(corpus, claim, test, "expect", number)
                        yield place, f"{claim.id}: `{each}` and `{other}` ({key}) {said}"


@rule("C413", Severity.WARNING)
def tested_and_untested(corpus: Corpus) -> Iterator[Fault]:
    """A claim has a test, and also says why it has none.

    Why: one of the two is left over.

    Instead: delete `untested:`, or the test.
    """
    for claim in corpus.claims.values():
        if claim.tests and claim.untested and claim.record in corpus.records:
            place = _places.of_claim(corpus, claim, "untested")
            yield place, f"{claim.id} is tested, and says why it is untested"


def _tests(corpus: Corpus) -> Iterator[tuple[Claim, Test]]:
    for claim in corpus.claims.values():
        if claim.tests and claim.record in corpus.records:
            yield from ((claim, each) for each in claim.tests)


def _frozen(params: object) -> str:
    return repr(sorted(params.items())) if isinstance(params, dict) else repr(params)


def _same_quantity(a: Condition, b: Condition) -> bool:
    return (a.left, a.sign, a.right) == (b.left, b.sign, b.right)


def _overlap(a: Condition, b: Condition) -> bool:
    """Whether one number can lie within both bounds."""
    low, high = max(a.low, b.low), min(a.high, b.high)
    return low < high or (low == high and a.holds(low) and b.holds(low))
