"""A new experiment for a claim: a module that runs as it is, and the test that links it.

It measures a stand-in that decides nothing: the verdict is inconclusive until somebody
writes the measurement and says what its numbers must be.
"""

from __future__ import annotations

import keyword
import re
import textwrap
from typing import TYPE_CHECKING

from anthology import ids
from anthology.errors import AnthologyError, UnknownNameError
from anthology.manuscript import Manuscript
from anthology.notation import Inline
from litgraph.mending.changes import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.corpus import Corpus
    from anthology.notation import Value
    from anthology.records import Claim

WIDTH = 100  # columns of a line of code
FORMS = ("universal", "existential", "statistical", "causal")
_SMALL = re.compile(
    r"\b(?:an?|and|are|as|at|by|for|from|ha[sv]e?|in|into|is|it|its|not|of|on|or|that|the|their|"
    r"this|to|was|were|which|with|without)\b"
)

_MODULE = '''\
"""{about}

Source: {source}. Say here where the work says it, and in whose symbols.
"""

from __future__ import annotations

import torch

from anthology.experiment import Measurement, experiment


@experiment(
    seconds=0.01,
    metrics={{"effect": "a stand-in for what the claim speaks of (dimensionless)"}},
)
{signature}
    """Measure the effect, with what the claim rests on and without it.

    Args:
        seed: Seeds the one generator used.
        cause: Whether what the claim rests on is there; the control takes it away.
        samples: Number n of draws.

    Returns:
        The metrics declared; near 0.5 as long as nothing is measured.

    """
    rng = torch.Generator().manual_seed(seed)
    x = torch.rand(samples, generator=rng, dtype=torch.float64)  # (n,), no measurement yet
    if not cause:
        x = 1 - x  # (n,)
    return Measurement(effect=x.mean().item())
'''


class TrialError(AnthologyError):
    """No experiment can be begun for a claim as it stands."""


def experiment(corpus: Corpus, claim: str, name: str = "", form: str = "") -> list[Change]:
    """Begin an experiment for a claim.

    Args:
        corpus: The records.
        claim: The claim's id.
        name: `topic.measurement`; by default from the words of its record and of the claim.
        form: What a pass is to mean, where the claim does not say.

    Raises:
        TrialError: The claim has a test, or nothing to run; or the name is taken or is none.
        EditError: The claim's file cannot be read.

    """
    if claim not in corpus.claims:
        raise UnknownNameError("claim", claim, corpus.claims)
    said = corpus.claims[claim]
    form = said.form or form or FORMS[0]
    _check(said, form)
    name = name or _name(corpus, said)
    folder, path = _place(corpus, name)
    record = corpus.records[said.record]
    data = (corpus.root / record.path).read_bytes()
    manuscript = Manuscript(record.path, data)
    part = ids.split(claim)[1]
    keys = ("claims", part) if part else ()
    if not said.form:
        manuscript.set((*keys, "form"), form)
    above = "locator" if manuscript.find(*keys, "locator") is not None else "form"
    manuscript.set((*keys, "test"), _test(name, form), after=above)
    module = _MODULE.format(
        about=_about(said),
        source=_source(corpus, said),
        signature=_signature(name.rpartition(".")[2]),
    )
    done = f"{claim} is tested by {name}" + f"; its form is {form} now" * (not said.form)
    return [
        *_packages(corpus, folder, path),
        Change(path, None, module.encode(), said=("written",)),
        Change(record.path, data, manuscript.data, said=(done,)),
    ]


def _check(claim: Claim, form: str) -> None:
    if claim.tests:
        raise TrialError(f"{claim.id} has a test already: it runs {claim.tests[0].run}")
    if claim.untested:
        raise TrialError(f"{claim.id} says why it is untested; delete `untested` first")
    if form == "definition":
        raise TrialError(f"{claim.id} is a definition, which has nothing to run")
    if form not in FORMS:
        raise UnknownNameError("form", form, FORMS)


def _test(name: str, form: str) -> dict[str, Value]:
    test: dict[str, Value] = {"run": name, "seeds": 10}
    quantity = "effect"
    if form == "causal":
        test["arms"] = {"main": Inline(cause=True), "without": Inline(cause=False)}
        quantity = "effect - without.effect"
    test["expect"] = f"{quantity} > 0.9"
    if form != "existential":
        test["refute"] = f"{quantity} < {-0.9 if form == 'causal' else 0.1}"
    test["control"] = {"without its cause": Inline(cause=False)}
    return test


def _name(corpus: Corpus, claim: Claim) -> str:
    """Name an experiment: the topic of the record's other ones, and the claim's first words."""
    beside = (each for other in corpus.records[claim.record].claims for each in other.tests)
    topic = next((each.run.rpartition(".")[0] for each in beside), "")
    if not topic:
        topic = _words(corpus.label(claim.record)) if "#" in claim.id else "claims"
    return f"{topic}.{_words(claim.text or claim.id)}"


def _signature(name: str) -> str:
    given, gives = "seed: int, *, cause: bool = True, samples: int = 1000", "Measurement"
    line = f"def {name}({given}) -> {gives}:"
    return line if len(line) <= WIDTH else f"def {name}(\n    {given}\n) -> {gives}:"


def _words(text: str) -> str:
    """Return the first telling words as a name."""
    words = re.findall(r"[a-z0-9]+", _SMALL.sub(" ", text.lower()))
    name = "_".join(words[:3]) or "untitled"
    return f"n{name}" if name[0].isdigit() or keyword.iskeyword(name) else name


def _place(corpus: Corpus, name: str) -> tuple[str, str]:
    """Return the folder of experiments, and the path of a new one."""
    parts = name.split(".")
    sound = all(each.isidentifier() and not keyword.iskeyword(each) for each in parts)
    if len(parts) != 2 or not sound:
        raise TrialError(f"{name!r} names no experiment: write topic.measurement")
    folder = corpus.config.experiments[0].strip("/")
    path = f"{folder}/{'/'.join(parts)}.py"
    if (corpus.root / path).exists():
        raise TrialError(f"{path} is there already; give another name with --name")
    return folder, path


def _packages(corpus: Corpus, folder: str, path: str) -> Iterator[Change]:
    said = {
        folder: "Measurements that test what the records claim.",
        path.rpartition("/")[0]: "Measurements of one topic.",
    }
    for place, words in said.items():
        file = f"{place}/__init__.py"
        if not (corpus.root / file).exists():
            yield Change(file, None, f'"""{words}"""\n'.encode(), said=("written",))


def _about(claim: Claim) -> str:
    text = " ".join(claim.text.replace("\\", "/").replace('"', "'").split()).rstrip(".")
    first, *rest = textwrap.wrap(f"{text or claim.id}.", 96, break_long_words=False)
    return "\n".join((first, *rest))


def _source(corpus: Corpus, claim: Claim) -> str:
    works = [
        each.object for each in corpus.out(claim.record) if each.relation in ("reads", "source")
    ]
    names = [*works[:1], claim.record, *([claim.locator] if claim.locator else [])]
    return " ".join(", ".join(names).replace("\\", "/").replace('"', "'").split())
