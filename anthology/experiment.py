"""The contract between an experiment and the bench that runs it.

An experiment is one function of a seed and keyword parameters that returns named
numbers. It measures and never judges: what the numbers must be stands in the claim.

    @experiment(seconds=0.1, metrics={"slope": "exponent of the growth (dimensionless)"})
    def growth(seed: int, *, width: int = 16) -> Measurement: ...

The contract is kept twice by the same rules: at decoration, where the experiment runs,
and by `describe`, which reads the file without importing it, where torch is not at hand.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, NoReturn, ParamSpec, get_args, get_origin

from anthology.errors import ExperimentError, nearest

if TYPE_CHECKING:
    from pathlib import Path

Value = bool | int | float | str
P = ParamSpec("P")

DEVICES = ("cpu", "cuda", "mps")
DTYPES = ("float64", "float32", "float16", "bfloat16")

_TYPES: Mapping[str, type] = {"bool": bool, "int": int, "float": float, "str": str}
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_WANTED = {"bool": "true or false", "int": "a whole number", "float": "a finite number, as 1e-3"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # what a condition can name
_INTEGER = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


@dataclass(frozen=True, slots=True, init=False)
class Measurement:
    """What one run measured.

    Attributes:
        metrics: Name to number. NaN and infinities are kept: the judge deals with them.
        series: Name to numbers, for plots; never judged.

    """

    metrics: Mapping[str, float]
    series: Mapping[str, tuple[float, ...]]

    def __init__(
        self, /, series: Mapping[str, Sequence[float]] | None = None, **metrics: float
    ) -> None:
        """Take the numbers by name. What is not a real number is a `TypeError`."""
        numbers = {name: _real(f"metric `{name}`", value) for name, value in metrics.items()}
        columns = {name: _column(name, values) for name, values in (series or {}).items()}
        object.__setattr__(self, "metrics", MappingProxyType(numbers))
        object.__setattr__(self, "series", MappingProxyType(columns))


def _real(what: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        given = type(value).__name__ + "; call .item() on it" * hasattr(value, "item")
        raise TypeError(f"{what} must be a real number, not {given}")
    return float(value)


def _column(name: str, values: object) -> tuple[float, ...]:
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        given = type(values).__name__ + "; call .tolist() on it" * hasattr(values, "tolist")
        raise TypeError(f"series `{name}` must be a list of real numbers, not {given}")
    return tuple(_real(f"series `{name}`, item {i}", value) for i, value in enumerate(values))


@dataclass(frozen=True, slots=True)
class Parameter:
    """One keyword parameter of an experiment.

    Attributes:
        name: As in the signature.
        kind: `bool`, `int`, `float` or `str`.
        default: What it is where nobody says otherwise, of that kind.
        choices: The values allowed, where it is annotated `Literal[...]`; else empty.

    """

    name: str
    kind: str
    default: Value
    choices: tuple[str, ...] = ()

    def accepts(self, value: object) -> bool:
        """Whether a Python value may be passed. An int may stand where a float is meant."""
        if isinstance(value, bool) or self.kind == "bool":
            return isinstance(value, bool) and self.kind == "bool"
        allowed = int | float if self.kind == "float" else _TYPES[self.kind]
        return isinstance(value, allowed) and (not self.choices or value in self.choices)

    def __str__(self) -> str:
        """As in the signature."""
        choices = ", ".join(f'"{choice}"' for choice in self.choices)
        return f"{self.name}: {f'Literal[{choices}]' if choices else self.kind} = {self.default!r}"


@dataclass(frozen=True, slots=True)
class Description:
    """What an experiment takes and returns, known without running it.

    Attributes:
        name: Of the function; of its file too.
        parameters: Name to parameter, in the order of the signature; `seed` is not one.
        seconds: Expected time of one seed.
        metrics: Name to what it is, with its unit.
        series: Name to axis label, with its unit.
        dtype: Floating-point type of the arithmetic.
        device: Class of the device.
        doc: The function's docstring.
        about: The module's docstring: where the measurement comes from.
        line: Of the `def`, where it was read from a file.

    """

    name: str
    parameters: Mapping[str, Parameter]
    seconds: float
    metrics: Mapping[str, str]
    series: Mapping[str, str] = field(default_factory=dict)
    dtype: str = "float64"
    device: str = "cpu"
    doc: str = ""
    about: str = ""
    line: int = field(default=0, compare=False)


class Experiment(Generic[P]):
    """A decorated function: called like it, and checked against what it declares.

    Attributes:
        description: What it takes and returns.

    """

    def __init__(self, function: Callable[P, Measurement], description: Description) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self.description = description

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Measurement:
        """Measure once.

        Raises:
            ExperimentError: An argument is not what the signature says, or other metrics
                or series came back than were declared.

        """
        name = self.description.name
        for key, parameter in self.description.parameters.items():
            if key in kwargs and not parameter.accepts(kwargs[key]):
                raise ExperimentError(f"{name}({key}={kwargs[key]!r}) is not `{parameter}`")
        measured = self._function(*args, **kwargs)
        if not isinstance(measured, Measurement):
            raise ExperimentError(f"{name} returned {type(measured).__name__}, no Measurement")
        _same(name, "metrics", self.description.metrics, measured.metrics)
        _same(name, "series", self.description.series, measured.series)
        return measured


def _same(name: str, what: str, declared: Mapping[str, str], got: Mapping[str, object]) -> None:
    faults = [f"`{each}` is declared and did not come back" for each in declared if each not in got]
    faults += [f"`{each}` came back undeclared" for each in got if each not in declared]
    if faults:
        raise ExperimentError(f"{what} of {name}: {'; '.join(faults)}")


def experiment(
    *,
    seconds: float,
    metrics: Mapping[str, str],
    series: Mapping[str, str] = MappingProxyType({}),
    dtype: str = "float64",
    device: str = "cpu",
) -> Callable[[Callable[P, Measurement]], Experiment[P]]:
    """Declare what the decorated function measures.

    All arguments must be literals; they are attributes of `Description`. Where they or
    the signature break the contract, an `ExperimentError` says how.
    """

    def decorate(function: Callable[P, Measurement]) -> Experiment[P]:
        where = f"{function.__module__}.{function.__qualname__}"
        about = getattr(function, "__globals__", {}).get("__doc__") or ""
        try:
            signature = inspect.signature(function, eval_str=True)
        except NameError as error:
            _refuse(where, f"an annotation cannot be resolved: {error}")
        description = Description(
            name=function.__name__,
            parameters=_parameters(where, signature),
            doc=inspect.getdoc(function) or "",
            about=inspect.cleandoc(about),
            **_declared(where, seconds, metrics, series, dtype, device),
        )
        return Experiment(function, description)

    return decorate


def describe(path: Path) -> Description:
    """Read an experiment's contract from its file. Nothing of it is imported or run.

    Raises:
        ExperimentError: The file cannot be read, or breaks the contract; with the line.

    """
    try:
        tree = ast.parse(path.read_bytes(), filename=str(path))
    except OSError as error:
        raise ExperimentError(f"{path}: cannot be read: {error.strerror}") from None
    except (SyntaxError, ValueError, RecursionError) as error:
        line, said = getattr(error, "lineno", None) or 1, getattr(error, "msg", error)
        raise ExperimentError(f"{path}:{line}: not Python: {said}") from None
    function, call = _decorated(path, tree)
    where = f"{path}:{function.lineno}"
    if function.name != path.stem:
        _refuse(where, f"the function is `{function.name}`; name it `{path.stem}`, as its file")
    return Description(
        name=function.name,
        parameters=_parameters(where, _written(where, function.args)),
        doc=ast.get_docstring(function) or "",
        about=ast.get_docstring(tree) or "",
        line=function.lineno,
        **_declared(where, **_literals(where, call)),
    )


def convert(parameter: Parameter, text: str | Sequence[str]) -> Value:
    """Give a value written in a record the type that the experiment's signature asks for.

    Raises:
        ValueError: It cannot be read as that type; the message says what would be.

    """
    name = parameter.name
    if not isinstance(text, str):
        raise ValueError(f"`{name}` takes one value, not a list of {len(text)}")
    plain = text.strip()
    if parameter.choices:
        if plain in parameter.choices:
            return plain
        near = nearest(plain, parameter.choices)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise ValueError(f"`{name}` is one of {', '.join(parameter.choices)}, not {plain!r}{hint}")
    if parameter.kind == "str":
        return str(text)
    if (value := _read(parameter.kind, plain)) is None:
        raise ValueError(f"`{name}` is {_WANTED[parameter.kind]}, not {plain!r}")
    return value


def _read(kind: str, text: str) -> Value | None:
    if kind == "bool":
        return _WORDS.get(text.lower())
    if kind == "int":
        return int(text) if _INTEGER.fullmatch(text) else None
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    return number if math.isfinite(number) else None


_SHAPE = "the parameters must be `seed: int`, without default, and then keyword-only ones"


def _refuse(where: str, message: str) -> NoReturn:
    raise ExperimentError(f"{where}: {message}")


def _parameters(where: str, signature: inspect.Signature) -> dict[str, Parameter]:
    given = list(signature.parameters.values())
    seed = inspect.Parameter("seed", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=int)
    if given[:1] != [seed] or any(each.kind is not each.KEYWORD_ONLY for each in given[1:]):
        _refuse(where, _SHAPE)
    return {each.name: _parameter(where, each) for each in given[1:]}


def _parameter(where: str, given: inspect.Parameter) -> Parameter:
    literal = get_origin(given.annotation) is Literal
    choices = get_args(given.annotation) if literal else ()
    kind = "str" if literal else getattr(given.annotation, "__name__", "")
    if kind not in _TYPES or not all(isinstance(choice, str) for choice in choices):
        allowed = f"{', '.join(_TYPES)} or Literal[...] of texts"
        _refuse(where, f"`{given.name}` must be annotated {allowed}")
    if given.default is given.empty:
        _refuse(where, f"`{given.name}` has no default")
    value: Value = given.default
    if not Parameter(given.name, kind, value, choices).accepts(value):
        _refuse(where, f"the default of `{given.name}` is {value!r}, which is not as annotated")
    return Parameter(given.name, kind, float(value) if kind == "float" else value, choices)


def _declared(
    where: str, seconds: object, metrics: object, series: object, dtype: object, device: object
) -> dict[str, Any]:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        _refuse(where, f"`seconds` must be a positive number, not {seconds!r}")
    numbers, columns = _glosses(where, "metrics", metrics), _glosses(where, "series", series)
    if not numbers or "series" in numbers:
        _refuse(where, "`metrics` must name at least one number, and none of them `series`")
    found = {"seconds": float(seconds), "metrics": numbers, "series": columns}
    for name, given, allowed in (("dtype", dtype, DTYPES), ("device", device, DEVICES)):
        if given not in allowed:
            _refuse(where, f"`{name}` is one of {', '.join(allowed)}, not {given!r}")
        found[name] = given
    return found


def _glosses(where: str, what: str, given: object) -> dict[str, str]:
    if not isinstance(given, Mapping):
        _refuse(where, f"`{what}` must map each name to what it is, not be {given!r}")
    for name, gloss in given.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            _refuse(where, f"{name!r} in `{what}` is no name: letters, digits and _ only")
        if not isinstance(gloss, str) or not gloss.strip():
            _refuse(where, f"`{what}` must say what `{name}` is, and its unit")
    return dict(given)


def _decorated(path: Path, tree: ast.Module) -> tuple[ast.FunctionDef, ast.expr]:
    found = [
        (node, decorator)
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if ast.unparse(getattr(decorator, "func", decorator)).split(".")[-1] == "experiment"
    ]
    if not found:
        _refuse(f"{path}:1", "no function is decorated with @experiment")
    if len(found) > 1:
        names = " and ".join(f"`{node.name}`" for node, _ in found)
        _refuse(f"{path}:{found[1][0].lineno}", f"one file holds one experiment, not {names}")
    return found[0]


def _literals(where: str, call: ast.expr) -> dict[str, object]:
    known = inspect.signature(experiment).parameters
    found = {name: each.default for name, each in known.items() if each.default is not each.empty}
    if not isinstance(call, ast.Call) or call.args:
        _refuse(where, "write the decorator as @experiment(seconds=..., metrics={...})")
    for keyword in call.keywords:
        name = keyword.arg or "**"
        if name not in known:
            _refuse(where, f"@experiment takes {', '.join(known)}; not `{name}`")
        found[name] = _literal(where, keyword.value, f"`{name}` of @experiment")
    for name in known:
        if name not in found:
            _refuse(where, f"@experiment says no `{name}`")
    return found


def _literal(where: str, node: ast.expr, what: str) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError):
        _refuse(where, f"{what} must be a literal, not `{ast.unparse(node)}`")


def _written(where: str, given: ast.arguments) -> inspect.Signature:
    """Return the signature as the live function would have it."""
    if given.posonlyargs or given.defaults or given.vararg or given.kwarg:
        _refuse(where, _SHAPE)
    new, empty = inspect.Parameter, inspect.Parameter.empty
    found = [
        new(each.arg, new.POSITIONAL_OR_KEYWORD, annotation=_annotation(each.annotation))
        for each in given.args
    ]
    for each, node in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        default = _literal(where, node, f"the default of `{each.arg}`") if node else empty
        annotation = _annotation(each.annotation)
        found.append(new(each.arg, new.KEYWORD_ONLY, annotation=annotation, default=default))
    try:
        return inspect.Signature(found)
    except ValueError as error:  # the parser lets one name stand twice
        _refuse(where, str(error))


def _annotation(node: ast.expr | None) -> object:
    """Return the type that an annotation names; itself where it is none of those allowed."""
    if isinstance(node, ast.Name):
        return _TYPES.get(node.id, node)
    if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("Literal"):
        try:
            return Literal[ast.literal_eval(node.slice)]
        except ValueError:
            return node
    return node
