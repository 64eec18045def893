"""The condition grammar: what a claim says its numbers must be.

    condition = quantity ("<" | "<=" | ">" | ">=") number
              | quantity "in" "[" number "," number "]"
    quantity  = term | term "-" term | term "/" term
    term      = [arm "."] metric | "|" term "-" term "|"   (the bars: absolute difference)

A condition is parsed into a value and compared; nothing is ever evaluated as code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

MAIN = "main"

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_TERM = rf"(?:{_NAME}\.)?{_NAME}"
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_QUANTITY = rf"(?P<bar>\|)?\s*(?P<a>{_TERM})(?:\s*(?P<sign>[-/])\s*(?P<b>{_TERM}))?\s*(?P<end>\|)?"
_CONDITION = re.compile(
    rf"\s*{_QUANTITY}\s*"
    rf"(?:(?P<op><=|>=|<|>)\s*(?P<x>{_NUMBER})"
    rf"|in\s*\[\s*(?P<low>{_NUMBER})\s*,\s*(?P<high>{_NUMBER})\s*\])\s*"
)

Numbers = Mapping[str, Mapping[str, float]]  # arm -> metric -> value, of one seed


class Term(NamedTuple):
    """One metric of one arm."""

    arm: str
    metric: str

    def value(self, numbers: Numbers) -> float:
        """Return the number, NaN where the run gave none."""
        return numbers.get(self.arm, {}).get(self.metric, math.nan)

    def __str__(self) -> str:
        """As written, the main arm left out."""
        return self.metric if self.arm == MAIN else f"{self.arm}.{self.metric}"


class Condition(NamedTuple):
    """A bound on one quantity.

    Attributes:
        text: As written, whitespace folded.
        left: The metric, or the first of two.
        sign: `-` difference, `/` ratio, `|-|` absolute difference, or empty.
        right: The second metric, or None.
        low: Lower bound, -inf if there is none.
        high: Upper bound, +inf if there is none.
        closed: Whether the bounds themselves are inside.

    """

    text: str
    left: Term
    sign: str
    right: Term | None
    low: float
    high: float
    closed: bool

    @property
    def terms(self) -> tuple[Term, ...]:
        """The metrics that it names."""
        return (self.left,) if self.right is None else (self.left, self.right)

    def quantity(self, numbers: Numbers) -> float:
        """Return what is bounded; NaN where a number is missing or a ratio has no value."""
        a = self.left.value(numbers)
        if self.right is None:
            return a
        b = self.right.value(numbers)
        if self.sign == "/":
            return a / b if b != 0 else math.nan
        return abs(a - b) if self.sign == "|-|" else a - b

    def holds(self, value: float) -> bool:
        """Whether a value lies inside the bounds. NaN lies inside none."""
        if math.isnan(value):
            return False
        if self.closed:
            return self.low <= value <= self.high
        return self.low < value < self.high

    def __str__(self) -> str:
        """As written."""
        return self.text


def parse(text: str) -> Condition:
    """Parse one condition.

    Raises:
        ValueError: It does not follow the grammar; the message says what would.

    """
    folded = " ".join(text.split())
    match = _CONDITION.fullmatch(folded)
    if match is None or bool(match["bar"]) != bool(match["end"]):
        raise ValueError(
            f"cannot read the condition `{folded}`; write it as `metric < 0.1`, "
            "`metric in [2.9, 3.1]`, `arm.metric > 1` or `a.metric - b.metric > 0`"
        )
    sign = match["sign"] or ""
    if match["bar"]:
        if sign != "-":
            raise ValueError(f"bars take a difference, as in `|a.x - b.x| < 1`: `{folded}`")
        sign = "|-|"
    left, right = _term(match["a"]), _term(match["b"]) if match["b"] else None
    if match["op"] is None:
        low, high, closed = float(match["low"]), float(match["high"]), True
        if low > high:
            raise ValueError(f"the interval of `{folded}` is empty: {low:g} > {high:g}")
    else:
        bound, closed = float(match["x"]), "=" in match["op"]
        low, high = (-math.inf, bound) if "<" in match["op"] else (bound, math.inf)
    return Condition(folded, left, sign, right, low, high, closed)


def _term(text: str) -> Term:
    arm, dot, metric = text.partition(".")
    return Term(arm, metric) if dot else Term(MAIN, arm)
