"""What names a record outside the records: run files, and what experiments say in words."""

from __future__ import annotations

import io
import json
import os
import re
import tokenize
from typing import TYPE_CHECKING

from anthology import ids, keys, runs
from litgraph.mending.changes import Change

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from anthology.config import Config
    from anthology.corpus import Corpus
    from litgraph.mending.references import Names

_CLAIM = re.compile(r'"claim"\s*:\s*("(?:[^"\\]|\\.)*")')
_BETWEEN = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT}


def counted(count: int) -> tuple[str, ...]:
    """Say how many references were changed."""
    return (f"{count} reference{'s' * (count > 1)}",) if count else ()


def runs_of(corpus: Corpus, names: Mapping[str, str], given: Names) -> Iterator[Change]:
    """Move the run files of what gets another name, and leave every run as fresh as it was.

    In a file the claim's id changes, and the key of the claim's words where these name what
    gets another name: the words are no others for it.
    """
    moves = {ids.key(old): new for old, new in names.items()}
    for path in sorted(runs.folder(corpus.config).glob("*.json")):
        claim = runs.claim_of(path)
        new = _moved(claim, moves)
        text = before = path.read_bytes().decode("utf-8", errors="surrogateescape")
        match = _CLAIM.search(text)
        if match and new and ids.key(json.loads(match[1])) == ids.key(claim):
            text = f"{text[: match.start(1)]}{json.dumps(new)}{text[match.end(1) :]}"
        today = corpus.claims.get(corpus.find(claim) or "")
        if today is not None:
            said, count = given.replace(today.text)
            if count:
                text = text.replace(f'"{keys.text(today.text)}"', f'"{keys.text(said)}"', 1)
        if new or text != before:
            place = runs.path(corpus.config, new) if new else path
            yield Change(
                _relative(corpus.config, place),
                _bytes(before),
                _bytes(text),
                was=_relative(corpus.config, path) if new else "",
                said=(f"was {claim}",) if new else ("the claim's words name it",),
            )


def _moved(claim: str, moves: Mapping[str, str]) -> str:
    """Return the new id of a claim; empty where it keeps the one it has."""
    if new := moves.get(ids.key(claim)):
        return new
    record, part = ids.split(claim)
    home = moves.get(ids.key(record), "")
    return f"{home}#{part}" if home and part else home


def experiments(settings: Config, given: Names) -> Iterator[Change]:
    """Change comments and docstrings; a measurement does not rest on them."""
    seen: set[Path] = set()
    for folder in settings.experiments:
        for path in sorted((settings.root / folder).rglob("*.py")):
            if path in seen:
                continue
            seen.add(path)
            try:
                data = path.read_bytes()
                text = data.decode("utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            replaced, count = words(text, given)
            if count:
                yield Change(
                    _relative(settings, path), data, replaced.encode(), said=counted(count)
                )


def words(code: str, given: Names) -> tuple[str, int]:
    """Return code with the new names in its comments and docstrings, and how many they are."""
    if next(given.find(code), None) is None:
        return code, 0
    starts = [0]
    for line in io.StringIO(code, newline=""):
        starts.append(starts[-1] + len(line))
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return code, 0
    parts, position, total, depth, first = [], 0, 0, 0, True
    for token in tokens:
        depth += (token.string in {*"([{"}) - (token.string in {*")]}"})
        # A text that starts a statement is one that nobody uses: a docstring.
        alone = token.type == tokenize.STRING and first and not depth
        if alone or token.type == tokenize.COMMENT:
            start, end = (starts[line - 1] + column for line, column in (token.start, token.end))
            new, count = given.replace(code[start:end])
            parts += [code[position:start], new]
            position, total = end, total + count
        first = not depth and (alone or token.type in _BETWEEN)
    return "".join((*parts, code[position:])), total


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogateescape")


def _relative(settings: Config, path: Path) -> str:
    return os.path.relpath(path, settings.root).replace(os.sep, "/")
