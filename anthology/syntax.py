"""Code by its syntax: one digest for all files that say the same, and what a file imports.

A comment, a docstring, a bare text, the layout and the order of imports are no difference.
"""

from __future__ import annotations

import ast
import hashlib
from typing import TYPE_CHECKING, NamedTuple

from anthology import cache

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Source(NamedTuple):
    """What a code file comes to.

    Attributes:
        digest: Of its syntax.
        imports: Dotted names that it imports, wherever in the file.

    """

    digest: str
    imports: tuple[str, ...]


def read(path: Path) -> Source:
    """Digest a code file by its syntax; by its bytes where it has none."""
    data = path.read_bytes()
    stamp = hashlib.sha256(data).hexdigest()
    if stamp not in cache.sources:
        cache.sources[stamp] = _source(data)
    return Source(*cache.sources[stamp])


def _source(data: bytes) -> Source:
    try:
        tree = ast.parse(data)
        text = "".join(_canonical(tree))
    except (SyntaxError, ValueError, RecursionError):
        return Source(digest(data.decode("utf-8", errors="replace")), ())
    imports: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports.update((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            head = "." * node.level + (node.module or "")
            imports[head] = None
            joint = "" if head.endswith(".") else "."
            imports.update((f"{head}{joint}{alias.name}", None) for alias in node.names)
    return Source(digest(text), tuple(imports))


def digest(text: str) -> str:
    """Return a short digest of a text."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:16]


def _canonical(node: object) -> Iterator[str]:
    """Write a syntax tree so that any two Pythons and any two layouts write it alike.

    Unlike `ast.dump`, absent and empty fields are left out: newer Pythons add some.
    """
    if isinstance(node, ast.AST):
        yield type(node).__name__
        yield "("
        for name in node._fields:
            value = getattr(node, name, None)
            if name == "decorator_list" and isinstance(value, list):
                value = [each for each in value if not _declares(each)]
            if value is None or value == [] or name in {"ctx", "type_comment", "kind"}:
                continue
            yield f"{name}="
            yield from _canonical(value)
            yield ","
        yield ")"
    elif isinstance(node, list):
        yield "["
        if node and isinstance(node[0], ast.stmt):
            node = _statements(node)
        for each in node:
            yield from _canonical(each)
            yield ","
        yield "]"
    else:
        yield f"{type(node).__name__}:{node!r}"


def _declares(decorator: ast.expr) -> bool:
    """Whether it is `@experiment(...)`: what it declares and the numbers rest on is a part."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(call, "id", getattr(call, "attr", "")) == "experiment"


def _statements(body: list[ast.stmt]) -> list[object]:
    """Leave out docstrings and other bare texts; sort each run of imports."""
    kept: list[object] = []
    run: list[str] = []
    for each in body:
        if isinstance(each, ast.Import | ast.ImportFrom):
            module = getattr(each, "module", "") or ""
            level = "." * getattr(each, "level", 0)
            run += (f"{level}{module}|{alias.name}|{alias.asname or ''}" for alias in each.names)
            continue
        if run:
            kept.append(sorted(run))
            run = []
        text = isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        if not (text and isinstance(each.value.value, str)):  # type: ignore[attr-defined] # as above
            kept.append(each)
    if run:
        kept.append(sorted(run))
    return kept
