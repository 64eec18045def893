"""Where a project's records, experiments and runs are, and what it is called.

The root is the nearest ancestor that holds `luria.yaml`, `luria.toml` or a
`pyproject.toml` with `[tool.anthology]`; else one that holds `records/` or `record/`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anthology.errors import ConfigError, NothingFoundError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LURIA = ("luria.yaml", "luria.yml", "luria.toml")
FOLDERS = ("records", "record")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A project's settings.

    Attributes:
        root: Everything else is relative to it.
        records: Folders that are scanned for records.
        experiments: Folders in which `topic.measurement` is looked up.
        runs: Folder of the run files.
        base: IRI under which this project's records stand; ends with `/` or `:`.
        source: The file that the settings come from, relative; empty for the defaults.
        selectors: Name to selection, for `[tool.anthology.selectors]`. No part of what is read.

    """

    root: Path
    records: tuple[str, ...] = FOLDERS
    experiments: tuple[str, ...] = ("experiments",)
    runs: str = "records/runs"
    base: str = "urn:anthology:record/"
    source: str = ""
    selectors: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)


_KEYS = ("records", "experiments", "runs", "base", "selectors")
_SELECTOR = re.compile(r"[a-z][a-z0-9_-]*")


def find_root(start: Path) -> Path:
    """Return the root that `start` belongs to; `start` itself where nothing marks one."""
    start = start.resolve()
    if start.is_file():
        start = start.parent
    places = (start, *start.parents)
    for place in places:
        if any((place / name).is_file() for name in LURIA) or _table(place) is not None:
            return place
    for place in places:
        if any((place / name).is_dir() for name in FOLDERS):
            return place
    return start


def is_root(folder: Path) -> bool:
    """Whether a folder carries a mark that makes it a root of its own, whatever lies above."""
    marked = any((folder / name).is_file() for name in LURIA)
    marked = marked or any((folder / name).is_dir() for name in FOLDERS)
    return marked or _table(folder) is not None


def load(root: Path) -> Config:
    """Read the settings of a root.

    Raises:
        NothingFoundError: There is no such folder.
        ConfigError: The settings cannot be read, or name a key that does not exist.

    """
    if not root.is_dir():
        raise NothingFoundError(f"no folder at {root}")
    root = root.resolve()
    table = _table(root)
    if table is None:
        found = next((name for name in LURIA if (root / name).is_file()), "")
        folder = next((name for name in FOLDERS if (root / name).is_dir()), "records")
        return Config(root=root, runs=f"{folder}/runs", source=found)
    given: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _KEYS:
            near = nearest(key, _KEYS, 1)
            hint = f"; did you mean `{near[0]}`?" if near else f"; the keys are {', '.join(_KEYS)}"
            raise ConfigError(f"pyproject.toml: [tool.anthology] has no key `{key}`{hint}")
        if key == "selectors":
            given[key] = _selectors(value)
            continue
        if key in {"records", "experiments"}:
            value = (value,) if isinstance(value, str) else tuple(value)
        kinds = tuple if key in {"records", "experiments"} else str
        if not isinstance(value, kinds) or not all(isinstance(each, str) for each in value):
            what = "a list of folders" if kinds is tuple else "one text"
            raise ConfigError(f"pyproject.toml: [tool.anthology] {key} must be {what}")
        given[key] = value
    if "base" in given and not given["base"].endswith(("/", ":", "#")):
        given["base"] += "/"
    if "records" in given and "runs" not in given:
        given["runs"] = f"{given['records'][0]}/runs"
    return Config(root=root, source="pyproject.toml", **given)


def _selectors(value: object) -> Mapping[str, str]:
    where = "pyproject.toml: [tool.anthology.selectors]"
    if not isinstance(value, dict):
        raise ConfigError(f'{where} must be a table, name = "selection"')
    for name, text in value.items():
        if not _SELECTOR.fullmatch(name):
            raise ConfigError(f"{where} {name!r}: a name is lower-case letters, digits, - and _")
        if not isinstance(text, str) or not text.strip():
            raise ConfigError(f'{where} {name} must be one text, such as "kind:claim"')
    return value


def _table(folder: Path) -> dict[str, Any] | None:
    path = folder / "pyproject.toml"
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if b"anthology" not in data:
        return None
    try:
        tool = tomllib.loads(data.decode("utf-8", errors="replace")).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path.name} cannot be read: {error}") from None
    table = tool.get("anthology") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None
