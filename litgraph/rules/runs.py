"""Rules about run files: what is stored must be read, belong to a claim, and say what it shows."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from anthology.errors import AnthologyError
from anthology.findings import Severity
from litgraph.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from anthology.corpus import Corpus
    from anthology.runfile import Run, TestRun
    from litgraph.rules import Fault, Place


@rule("V501")
def not_a_run_file(corpus: Corpus) -> Iterator[Fault]:
    """A file among the runs cannot be read as one.

    Why: its claim counts as never measured, or its verdict as an error.

    Instead: restore it from git, or delete it and run `anthology verify` again.
    """
    for file in _files(corpus):
        read = _read(file)
        if isinstance(read, str):
            yield (_relative(corpus, file), 1, 1), f"this file {read}"


@rule("V502")
def verdict_does_not_follow(corpus: Corpus) -> Iterator[Fault]:
    """A run file states a verdict that does not follow from its numbers.

    Why: a verdict only ever comes from a run. This one was typed by hand, or the numbers
    were changed after it was reached.

    Instead: run `anthology verify` for the claim, which writes the verdict anew.
    """
    for file in _files(corpus):
        run = _read(file)
        if isinstance(run, str):
            continue
        for name, test in run.tests.items():
            try:
                verdict = test.judged()
            except AnthologyError as error:
                yield _place(corpus, file, name, "criteria"), f"{run.claim}: {error}"
                continue
            if not test.states(verdict):
                what = f"{run.claim}{f' ({name})' if name else ''}"
                said = f"the file says that {what} is {_stated(test)}; its numbers say {verdict}"
                yield _place(corpus, file, name, "verdict"), said


@rule("V503", Severity.WARNING)
def run_of_nothing(corpus: Corpus) -> Iterator[Fault]:
    """A run file belongs to no claim, or holds a test that its claim does not have.

    Why: nobody is shown what it holds. The claim was deleted or renamed without `formerly:`.

    Instead: delete the file, or restore the claim's old id below `formerly:`.
    """
    for file in _files(corpus):
        named = _named(file)
        name = corpus.find(named)
        place = (_relative(corpus, file), 1, 1)
        if name is None or name not in corpus.claims:
            yield place, f"no claim has the id {named}"
            continue
        run = _read(file)
        tests = {each.name for each in corpus.claims[name].tests}
        for test in () if isinstance(run, str) else run.tests:
            if test not in tests:
                what = f"no test named {test!r}" if test else "no unnamed test"
                yield _place(corpus, file, test, ""), f"{name} has {what}"


@rule("V504")
def run_under_another_name(corpus: Corpus) -> Iterator[Fault]:
    """A run file's name and the claim that it says it is of are two.

    Why: the numbers of one claim would be shown as another's.

    Instead: give the file the name of its claim, or run `anthology verify` again.
    """
    for file in _files(corpus):
        run, named = _read(file), _named(file)
        if isinstance(run, str) or run.claim == named:
            continue
        if (corpus.find(run.claim) or run.claim) != (corpus.find(named) or named):
            place = (_relative(corpus, file), *_line(file, r'"claim"\s*:\s*(?=")'))
            yield place, f"the file is named for {named} and says that it is of {run.claim}"


def _files(corpus: Corpus) -> list[Path]:
    """Return the run files; where there is none, nothing that judges is imported."""
    return sorted((corpus.root / corpus.config.runs).glob("*.json"))


def _named(file: Path) -> str:
    from anthology import runs

    return runs.claim_of(file)


def _read(file: Path) -> Run | str:
    """Read a run file once for all rules; what is wrong with it is text."""
    status = file.stat()
    return _cached(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1024)
def _cached(file: Path, _changed: int, _size: int) -> Run | str:
    from anthology import runs

    try:
        return runs.read(file)
    except AnthologyError as error:
        return str(error)


def _relative(corpus: Corpus, file: Path) -> str:
    return file.relative_to(corpus.root).as_posix()


def _place(corpus: Corpus, file: Path, test: str, key: str) -> Place:
    start = rf'"tests"\s*:\s*\{{.*?(?="{re.escape(test)}"\s*:)'
    inner = rf'.*?"{key}"\s*:\s*(?=\S)' if key else ""
    return _relative(corpus, file), *_line(file, start + inner)


def _line(file: Path, pattern: str) -> tuple[int, int]:
    """Return where the text ends that a pattern matches; the first line if it does not."""
    text = file.read_text("utf-8", errors="replace")
    match = re.search(pattern, text, re.DOTALL)
    end = match.end() if match else 0
    return text.count("\n", 0, end) + 1, end - text.rfind("\n", 0, end)


def _stated(test: TestRun) -> str:
    word = test.verdict
    return f"{word.word} ({word.cause or f'{word.passed}/{word.seeds}'})"
