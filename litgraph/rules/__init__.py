"""The rules: what a record must keep to, each with its own page.

A rule is one decorated generator in a module of this package; it yields a place and a
message for each fault. Its docstring is the page that `anthology explain CODE` prints:
what it finds, `Why:` that matters, and what to do `Instead:`. To add a rule, add the
generator and a case in `tests/golden/faults`; nothing else names it.

Codes: F1 reading, I2 identity, R3 structure, C4 claims, V5 run files.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from anthology.corpus import Corpus
from anthology.errors import UnknownNameError
from anthology.findings import Finding, Severity

Place = tuple[str, int, int]  # path relative to the root, line, column
Fault = tuple[Place, str]
Check = Callable[[Corpus], Iterator[Fault]]
Page = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        code: Its family's letter, and three digits.
        severity: Of everything that it finds.
        check: The generator.

    """

    code: str
    severity: Severity
    check: Check

    @property
    def name(self) -> str:
        """What it finds, in a word or two: `wrong-kind`."""
        return self.check.__name__.strip("_").replace("_", "-")

    @property
    def page(self) -> str:
        """Its documentation."""
        return inspect.getdoc(self.check) or ""

    @property
    def summary(self) -> str:
        """The page's first line, without the full stop."""
        return self.page.split("\n")[0].rstrip(".")

    def __call__(self, corpus: Corpus) -> Iterator[Finding]:
        """Yield what it finds in a corpus."""
        for place, message in self.check(corpus):
            yield Finding(*place, self.code, message, self.severity)


_RULES: dict[str, Rule] = {}


def rule(code: str, severity: Severity = Severity.ERROR) -> Callable[[Check], Rule]:
    """Register the decorated generator under a code."""

    def register(check: Check) -> Rule:
        if code in _RULES:
            raise ValueError(f"the code {code} is taken by `{_RULES[code].name}`")
        page = inspect.getdoc(check) or ""
        if not all(each in page for each in ("\n\nWhy: ", "\n\nInstead: ")):
            raise ValueError(f"rule {code} needs a docstring: what, `Why:` and `Instead:`")
        return _RULES.setdefault(code, Rule(code, severity, check))

    return register


def reported(code: str, severity: Severity = Severity.ERROR) -> Callable[[Page], Rule]:
    """Register a fault that reading the files reports itself; the function is only its page."""

    def register(page: Page) -> Rule:
        def check(corpus: Corpus) -> Iterator[Fault]:
            for each in corpus.findings:
                if each.code == code:
                    yield (each.path, each.line, each.column), each.message

        check.__name__, check.__doc__ = page.__name__, page.__doc__
        return rule(code, severity)(check)

    return register


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule, by code."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return tuple(_RULES[code] for code in sorted(_RULES))


def find(name: str) -> Rule:
    """Look a rule up by its code or name.

    Raises:
        UnknownNameError: There is no such rule; the message names the near ones.

    """
    for each in rules():
        if name.upper() == each.code or name.lower() == each.name:
            return each
    raise UnknownNameError("rule", name, [each.code for each in rules()] + names())


def names() -> list[str]:
    """Return the names of the rules, in the order of their codes."""
    return [each.name for each in rules()]


def select(wanted: Iterable[str] = (), unwanted: Iterable[str] = ()) -> tuple[Rule, ...]:
    """Return the rules whose code starts with, or whose name is, one of those wanted.

    Raises:
        UnknownNameError: No code starts so; the message names the near ones.

    """
    kept = [each for name in wanted for each in _matching(name)] or list(rules())
    dropped = [each for name in unwanted for each in _matching(name)]
    return tuple(each for each in rules() if each in kept and each not in dropped)


def _matching(name: str) -> list[Rule]:
    found = [each for each in rules() if each.code.startswith(name.upper())] if name else []
    return found or [find(name)]


def validate(corpus: Corpus, selected: Iterable[Rule] | None = None) -> list[Finding]:
    """Return what is wrong with a record, by place. Nothing is written."""
    chosen = rules() if selected is None else tuple(selected)
    found = {finding: None for each in chosen for finding in each(corpus)}
    return sorted(found, key=lambda each: each[:5])
