"""`anthology verify`: run what is linked to claims, and judge."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anthology.errors import AnthologyError
from litgraph.cli._options import Cache, Format, Root, graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from anthology.judge import Verdict
    from litgraph.graph import Graph


class UsageError(AnthologyError):
    """An option's value cannot be read."""


def verify(
    selectors: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]...",
            help="Claims, or records with claims. All by default.",
            show_default=False,
        ),
    ] = None,
    stale: Annotated[
        bool, typer.Option("--stale", help="Only claims whose numbers are out of date.")
    ] = False,
    failed: Annotated[
        bool, typer.Option("--failed", help="Only claims refuted, vacuous or in error.")
    ] = False,
    rerun: Annotated[bool, typer.Option("--rerun", help="Measure again what is fresh.")] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Experiments that run at once.")
    ] = 1,
    executor: Annotated[
        str,
        typer.Option(metavar="NAME", help="Where: local, slurm, or submitit-local to try it."),
    ] = "local",
    device: Annotated[
        str, typer.Option(metavar="NAME", help="What torch computes on, such as cuda.")
    ] = "",
    seeds: Annotated[
        int, typer.Option(min=0, metavar="N", help="Measure only the first N seeds of each test.")
    ] = 0,
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="Stop after 90, 5m or 1h; the next run goes on.")
    ] = "",
    max_memory: Annotated[
        str, typer.Option(metavar="SIZE", help="What an experiment may hold: 500M, 4G.")
    ] = "4G",
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Measure a test's other seeds after one failed.")
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Name each part that makes a claim's numbers stale.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be measured; run nothing.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Run nothing; exit 5 unless every verdict is fresh.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 5 for an inconclusive verdict too.")
    ] = False,
    format: Format = "table",
    root: Root = None,
    no_cache: Cache = False,
) -> None:
    """Measure what is linked to claims and judge the numbers. What is fresh is not run again.

    Exit codes: 0 fine; 1 a claim is refuted, vacuous or in error; 5 something is stale
    (under --strict, or inconclusive). With --check only 0 or 5. This runs the project's code:
    for changes by strangers use --check.
    """
    from anthology import verify as verifying
    from anthology.errors import UnknownNameError
    from litgraph import formats

    if format not in formats.names():
        raise UnknownNameError("format", format, formats.names())
    limit, memory = _seconds(budget), _bytes(max_memory)
    corpus = graph(root, cache=not no_cache)
    chosen = verifying.select(corpus, selectors or ())
    if stale or failed or check:
        before = verifying.verdicts(corpus, names=chosen)
        if stale:
            chosen = [each for each in chosen if before[each].stale]
        if failed:
            chosen = [each for each in chosen if before[each].failed]
    if check:
        bad = {
            name: before[name]
            for name in chosen
            if _old(before[name]) or (strict and before[name].word == "inconclusive")
        }
        _print(corpus, bad, format, "every verdict is fresh", why=True)
        raise typer.Exit(5 if bad else 0)

    from anthology import measure

    options = measure.Options(
        rerun=rerun, jobs=jobs, device=device, seeds=seeds, budget=limit, memory=memory,
        keep_going=keep_going, progress=_progress if sys.stderr.isatty() else None,
        **_elsewhere(executor, corpus),
    )  # fmt: skip
    if dry_run:
        _announce(measure.pending(corpus, chosen, options), format)
        return
    start = time.perf_counter()
    try:
        verdicts = measure.run(corpus, chosen, options)
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted; finished seeds are kept, and the next run goes on there\n")
        raise typer.Exit(130) from None
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    else:
        took = time.perf_counter() - start
        sys.stderr.write(f"verified {len(chosen)} {_claims(len(chosen))} in {took:.1f} s\n")
    if selectors and len(verdicts) == 1 and format == "table":
        from litgraph.cli import _claims as printed

        for name, verdict in verdicts.items():
            sys.stdout.writelines(f"{line}\n" for line in printed.describe(corpus, name, verdict))
    else:
        kinds = " and ".join(filter(None, ("stale" * stale, "failed" * failed)))
        _print(corpus, verdicts, format, f"no claim is {kinds}" if kinds else "no claim", why=why)
    raise typer.Exit(_code(verdicts.values(), strict=strict))


def _code(verdicts: Iterable[Verdict], *, strict: bool) -> int:
    found = list(verdicts)
    if any(each.failed for each in found):
        return 1
    if any(each.stale or (strict and each.word == "inconclusive") for each in found):
        return 5
    return 0


def _old(verdict: Verdict) -> bool:
    """Whether a verdict is not fresh: something changed, or it was never reached."""
    from anthology.verify import NOT_RUN

    words = [each for _, each in verdict.tests] or [verdict]
    return bool(verdict.stale) or any(each.cause == NOT_RUN for each in words)


def _print(
    corpus: Graph, verdicts: Mapping[str, Verdict], format: str, empty: str, *, why: bool = False
) -> None:
    from litgraph import formats
    from litgraph.cli import _claims as printed

    rows = printed.rows(corpus, verdicts)
    if format == "table":
        for row, verdict in zip(rows, verdicts.values(), strict=True):
            word = verdict.word if verdict.cause else str(verdict)
            row["verdict"] = word + (", stale" if verdict.stale else "")
            cause = ": ".join(filter(None, (verdict.cause, verdict.detail)))
            reasons = (cause, *(row["stale"] if why else ()), *verdict.notes)
            row["because"] = "; ".join(filter(None, reasons))
    sheet = formats.Sheet(
        "anthology.verdicts/1", rows, ("claim", "verdict", "text", "because"),
        note="because", titles={"text": "what is claimed"}, empty=empty,
    )  # fmt: skip
    formats.write(format, sheet, sys.stdout)


def _announce(pending: Mapping[tuple[str, str], tuple[int, str]], format: str) -> None:
    from litgraph import formats

    rows = [
        {"claim": claim, "test": test, "measurements": count, "why": reason}
        for (claim, test), (count, reason) in pending.items()
    ]
    sheet = formats.Sheet(
        "anthology.pending/1", rows, ("claim", "test", "measurements", "why"),
        empty="nothing to measure: every verdict is fresh",
    )  # fmt: skip
    formats.write(format, sheet, sys.stdout)


def _progress(done: int, total: int, claim: str) -> None:
    sys.stderr.write(f"\r\x1b[Kmeasuring {done}/{total}  {claim}")
    sys.stderr.flush()


def _claims(count: int) -> str:
    return "claim" if count == 1 else "claims"


def _elsewhere(executor: str, corpus: Graph) -> dict[str, Any]:
    """Return the option that sends jobs to other machines; none for this one.

    Raises:
        UnknownNameError: There is no such executor.
        AnthologyError: It cannot be used here.

    """
    if executor == "local":
        return {}
    from anthology.errors import UnknownNameError
    from anthology.journal import scratch
    from litgraph import cluster

    if executor not in cluster.CLUSTERS:
        raise UnknownNameError("executor", executor, ("local", *cluster.CLUSTERS))
    return {"runner": cluster.runner(executor, scratch(corpus.config) / "jobs")}


def _seconds(text: str) -> float:
    """Read `90`, `90s`, `5m`, `1h`."""
    return _number(text, {"s": 1, "m": 60, "h": 3600}, "a time is 90, 90s, 5m or 1h")


def _bytes(text: str) -> int:
    """Read `500M`, `4G`, a number of bytes."""
    units = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
    return int(_number(text.lower().removesuffix("b"), units, "a size is 500M or 4G"))


def _number(text: str, units: Mapping[str, int], hint: str) -> float:
    if not text:
        return 0.0
    unit = units.get(text[-1].lower())
    try:
        value = float(text[:-1] if unit else text) * (unit or 1)
    except ValueError:
        raise UsageError(f"cannot read {text!r}: {hint}") from None
    if not 0 <= value < float("inf"):
        raise UsageError(f"cannot use {text!r}: {hint}")
    return value
