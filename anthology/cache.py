"""What was read of code files before, by their bytes: a question need not parse them again.

Kept in `.anthology/code.json`. Deleting it costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from anthology.experiment import Description, Parameter
from anthology.journal import scratch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from anthology.config import Config

SCHEMA = "anthology.code/1"  # to be raised whenever a digest is made otherwise
MOST = 10_000  # entries

Source = tuple[str, tuple[str, ...]]  # digest, imported names

sources: dict[str, Source] = {}
descriptions: dict[str, Description] = {}


@contextlib.contextmanager
def kept(config: Config) -> Iterator[None]:
    """Know what earlier processes read of this project, and let later ones know."""
    path = config.root / ".anthology" / "code.json"
    _load(path)
    before = len(sources) + len(descriptions)
    yield
    if len(sources) + len(descriptions) > before:
        with contextlib.suppress(OSError):  # a project that cannot be written to is only slower
            draft = scratch(config) / f"code.json.{os.getpid()}"
            draft.write_text(_text(), encoding="utf-8")
            draft.replace(path)


def _load(path: Path) -> None:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        data = json.loads(path.read_bytes())
        if data["schema"] != SCHEMA:
            return
        for stamp, (digest, imports) in data["sources"].items():
            sources.setdefault(stamp, (digest, tuple(imports)))
        for stamp, each in data["descriptions"].items():
            descriptions.setdefault(stamp, _description(each))


def _description(data: dict[str, Any]) -> Description:
    parameters = {
        name: Parameter(each["name"], each["kind"], each["default"], tuple(each["choices"]))
        for name, each in data["parameters"].items()
    }
    return Description(**{**data, "parameters": parameters})


def _text() -> str:
    data = {
        "schema": SCHEMA,
        "sources": dict(list(sources.items())[-MOST:]),
        "descriptions": {
            stamp: asdict(each) | {"doc": "", "about": ""}
            for stamp, each in list(descriptions.items())[-MOST:]
        },
    }
    return json.dumps(data)
