"""The two keys of a verdict: what was measured, and by which criterion it was judged.

The measurement key is a mapping of named parts, so that what went stale can be said part
by part. Code is compared by its syntax: a comment, a docstring, a reformat or the order of
imports is no change. Ids are in neither key, so that renaming a record leaves it fresh.

What is not seen: a module imported by a computed name, and data files that an experiment reads.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from anthology import syntax
from anthology.errors import UnknownNameError

if TYPE_CHECKING:
    from anthology.config import Config
    from anthology.criteria import Condition

# The measuring tool itself: its versions are not what a claim is about.
_OURS = frozenset({"anthology", "litgraph"})

Parts = Mapping[str, Any]


class Place(NamedTuple):
    """Where an experiment is.

    Attributes:
        run: `topic.measurement`.
        path: The file.
        module: The name that it is imported by.
        folders: What must be on the import path for that.

    """

    run: str
    path: Path
    module: str
    folders: tuple[Path, ...]

    @property
    def function(self) -> str:
        """The name of the measuring function: the file's."""
        return self.run.rpartition(".")[2]


def folders(config: Config) -> tuple[Path, ...]:
    """Return what must be on the import path for a project's experiments."""
    parents = ((config.root / each).resolve() for each in config.experiments)
    found = (each if each == config.root else each.parent for each in parents)
    return tuple(dict.fromkeys((*found, config.root)))


def locate(config: Config, run: str) -> Place:
    """Look an experiment up by its name; nothing is imported.

    Raises:
        UnknownNameError: No experiment has that name; the message names the near ones.

    """
    parts = run.split(".")
    if len(parts) >= 2 and all(each.isidentifier() for each in parts):
        for name in config.experiments:
            folder = (config.root / name).resolve()
            path = folder.joinpath(*parts).with_suffix(".py")
            if path.is_file():
                package = () if folder == config.root else (folder.name,)
                return Place(run, path, ".".join((*package, *parts)), folders(config))
    raise UnknownNameError("experiment", run, experiments(config))


def experiments(config: Config) -> list[str]:
    """Return the names of a project's experiments: modules that define a function of their name."""
    found: set[str] = set()
    for name in config.experiments:
        folder = config.root / name
        for path in sorted(folder.glob("*/**/*.py")):
            relative = path.relative_to(folder).with_suffix("")
            text = path.read_text("utf-8", errors="replace")
            if f"def {path.stem}(" in text and not path.stem.startswith("_"):
                found.add(".".join(relative.parts))
    return sorted(found)


def code(config: Config, place: Place) -> tuple[dict[str, str], frozenset[str]]:
    """Return file to digest for an experiment and its project imports, and what else it imports."""
    digests: dict[str, str] = {}
    foreign: set[str] = set()
    roots = folders(config)
    waiting = [place.path, *_files(place.module, roots)]
    while waiting:
        path = waiting.pop()
        name = _relative(path, config.root)
        if name in digests:
            continue
        source = syntax.read(path)
        digests[name] = source.digest
        for imported in _absolute(source.imports, path, roots):
            if imported.partition(".")[0] in _OURS:
                continue
            files = list(_files(imported, roots))
            waiting += files
            if not files:
                foreign.add(imported.partition(".")[0])
    return dict(sorted(digests.items())), frozenset(foreign)


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _absolute(names: Iterable[str], path: Path, roots: Iterable[Path]) -> Iterator[str]:
    """Resolve relative imports: `..lab.attention` seen from a file."""
    for name in names:
        bare = name.lstrip(".")
        level = len(name) - len(bare)
        if not level:
            yield name
            continue
        folder = path.parents[level - 1] if level <= len(path.parents) else path.parent
        for root in roots:
            if folder.is_relative_to(root):
                yield ".".join((*folder.relative_to(root).parts, *filter(None, (bare,))))
                break


def _files(name: str, roots: Iterable[Path]) -> Iterator[Path]:
    """Return the project's files that importing a dotted name runs."""
    parts = name.split(".")
    for root in roots:
        first = root / parts[0]
        if not first.is_dir() and not first.with_suffix(".py").is_file():
            continue
        for count in range(1, len(parts) + 1):
            step = root.joinpath(*parts[:count])
            for path in (step / "__init__.py", step.with_suffix(".py")):
                if path.is_file():
                    yield path.resolve()
        return


# ---------------------------------------------------------------- versions and texts


def torch_minor() -> str:
    """Return torch's minor version, `2.13`; empty where it is not installed. Never imports it."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return ""
    try:  # what its package states: importlib.metadata takes longer to import than all of this
        said = Path(spec.origin).with_name("version.py").read_text("utf-8")
    except OSError:
        said = ""
    found = re.search(r"__version__ = ['\"](\d+\.\d+)", said)
    if found is not None:
        return found[1]
    from importlib import metadata

    try:
        return ".".join(metadata.version("torch").split(".")[:2])
    except metadata.PackageNotFoundError:
        return ""


def text(words: str) -> str:
    """Return the key of a claim's words: spaces and emphasis are no change."""
    return syntax.digest(" ".join(words.replace("*", "").replace("_", "").split()).casefold())


def criteria(form: str, groups: Mapping[str, Iterable[Condition]]) -> dict[str, Any]:
    """Return the judgement key: form and conditions as written."""
    listed = {name: [str(each) for each in group] for name, group in groups.items()}
    return {"form": form} | {name: group for name, group in listed.items() if group}


# ---------------------------------------------------------------- what changed


def changes(stored: Parts, current: Parts) -> tuple[tuple[str, str], ...]:
    """Compare two measurement keys part by part: (part, what changed), in words.

    A part that is empty on the current side is unknown here, such as torch's version where
    torch is not installed; unknown is not changed.
    """
    return tuple(_changes(stored, current))


def _changes(stored: Parts, current: Parts) -> Iterator[tuple[str, str]]:
    for part in ("run", "seeds", "torch", "device", "dtype"):
        old, new = stored.get(part), current.get(part)
        if new not in (None, "") and old != new:
            yield part, f"{part}: {_say(old)} → {_say(new)}"
    old_code, new_code = stored.get("code", {}), current.get("code", {})
    for path in sorted({*old_code, *new_code}):
        if path not in new_code:
            yield "code", f"{path} is no longer imported"
        elif path not in old_code:
            yield "code", f"{path} is imported now"
        elif old_code[path] != new_code[path]:
            yield "code", f"code of {path} changed"
    yield from _values("params", "params", stored.get("params", {}), current.get("params", {}))
    for part, one in (("arms", "arm"), ("controls", "control")):
        olds, news = stored.get(part, {}), current.get(part, {})
        for name in sorted({*olds, *news}):
            if name not in news or name not in olds:
                yield part, f"{one} `{name}` {'added' if name in news else 'removed'}"
            else:
                yield from _values(part, f"{one} `{name}`", olds[name], news[name])


def _values(
    part: str, said: str, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    for name in sorted({*old, *new}):
        if name not in old or name not in new or not _same(old[name], new[name]):
            yield part, f"{said}: {name} {_say(old.get(name))} → {_say(new.get(name))}"


def _same(old: object, new: object) -> bool:
    """Compare typed values: 1 and 1.0 differ from True, lists item by item."""
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_same, old, new))
    return old == new and isinstance(old, bool) == isinstance(new, bool)


def _say(value: object) -> str:
    if value is None:
        return "its default"
    return str(value).lower() if isinstance(value, bool) else str(value)
