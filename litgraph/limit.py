"""Bounds on a query: how long it may take, and how deep it may nest.

An engine in native code hears no Ctrl-C and recurses on the machine's stack. Here it works
in a thread of its own, with a stack that no query of the permitted length exhausts, while
the main thread waits: for the answer, for the clock, or for whoever loses patience.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from anthology.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable

STACKS = (256 << 20, 64 << 20)  # bytes; reserved, and used only where they are needed

_Answer = TypeVar("_Answer")


def within(seconds: float, work: Callable[[], _Answer]) -> _Answer:
    """Return what `work` returns, or raise what it raises; 0 seconds is no bound.

    Raises:
        QueryError: It took longer. It is left behind, and ends with the process at the latest.

    """
    answers: list[_Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)

    thread = _start(run)
    thread.join(seconds or None)
    if thread.is_alive():
        raise QueryError(
            f"no answer after {seconds:g} s; narrow the query, or allow more with --timeout"
        )
    if errors:
        raise errors[0]
    return answers[0]


def _start(run: Callable[[], None]) -> threading.Thread:
    """Start a thread with the largest stack that the machine gives."""
    before = threading.stack_size()
    try:
        for size in STACKS:
            thread = threading.Thread(target=run, daemon=True)
            threading.stack_size(size)
            try:
                thread.start()
            except RuntimeError:  # not that much address space
                continue
            return thread
    finally:
        threading.stack_size(before)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
