"""How well a mean is known: Student's t-interval, by the standard library alone."""

from __future__ import annotations

import math
import statistics
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def interval(values: Iterable[float], level: float = 0.95) -> tuple[float, float, float]:
    """Return the mean and the t-interval of its estimate; NaN where there is none."""
    given = list(values)
    if not given or not all(map(math.isfinite, given)):
        return math.nan, math.nan, math.nan
    mean = statistics.fmean(given)
    if len(given) < 2:
        return mean, math.nan, math.nan
    spread = math.sqrt(math.fsum((each - mean) ** 2 for each in given) / (len(given) - 1))
    half = t_quantile(level, len(given) - 1) * spread / math.sqrt(len(given))
    return mean, mean - half, mean + half


@lru_cache(maxsize=256)
def t_quantile(level: float, df: int) -> float:
    """Return t with P(|T| <= t) = level for Student's distribution of `df` degrees of freedom.

    Exact for df <= 1000 (Abramowitz & Stegun 26.7.3 and 26.7.4, inverted by bisection); above,
    the expansion 26.7.5 about the normal quantile, whose error is below 1e-12 there.
    """
    if df > 1000:
        x = statistics.NormalDist().inv_cdf((1 + level) / 2)
        terms = (
            (x**3 + x) / 4,
            (5 * x**5 + 16 * x**3 + 3 * x) / 96,
            (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        )
        return x + math.fsum(term / df**power for power, term in enumerate(terms, 1))
    low, high = 0.0, math.pi / 2  # of the angle whose tangent is t / sqrt(df)
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if _within_angle(middle, df) < level:
            low = middle
        else:
            high = middle
    return math.tan((low + high) / 2) * math.sqrt(df)


def _within_angle(angle: float, df: int) -> float:
    """Return P(|T| <= sqrt(df) tan(angle))."""
    cosine, sine = math.cos(angle), math.sin(angle)
    if df % 2 == 0:
        term, total = 1.0, 1.0
        for k in range(1, df // 2):
            term *= (2 * k - 1) / (2 * k) * cosine * cosine
            total += term
        return sine * total
    if df == 1:
        return 2 * angle / math.pi
    term = total = cosine
    for k in range(1, (df - 1) // 2):
        term *= 2 * k / (2 * k + 1) * cosine * cosine
        total += term
    return 2 / math.pi * (angle + sine * total)
