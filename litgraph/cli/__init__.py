"""The `anthology` command: one module here is one subcommand of the same name.

Command modules import only the standard library, typer and `anthology.errors` at module
level, so that `--help` and completion stay fast; they import their machinery when they run.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
import signal
import sys
from types import FrameType

import typer

from anthology.errors import AnthologyError

app = typer.Typer(
    name="anthology",
    add_completion=True,
    no_args_is_help=True,
    rich_markup_mode=None,  # rich would cost every --help its import
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from anthology import __version__

        typer.echo(f"anthology {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Ask a literature record, check it, and verify what it claims."""


# The order in which a newcomer meets them.
ORDER = (
    *("show", "query", "path", "ask", "sparql"),
    *("validate", "explain", "verify", "runs", "export"),
)


def _commands() -> list[str]:
    names = [each.name for each in pkgutil.iter_modules(__path__) if each.name[0] != "_"]
    return sorted(names, key=lambda each: (ORDER.index(each) if each in ORDER else 99, each))


for _name in _commands():
    _module = importlib.import_module(f"{__name__}.{_name}")
    _command = getattr(_module, "app", None)
    _word = _name.rstrip("_")  # `import_` is the command `import`
    if isinstance(_command, typer.Typer):
        app.add_typer(_command, name=_word)
    else:
        app.command(_word)(getattr(_module, _name))


_interrupted = False


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Note that Ctrl-C was pressed: typer reports it as any failure, with exit 1."""
    global _interrupted  # noqa: PLW0603 - a signal handler has nowhere else to tell it
    _interrupted = True
    signal.default_int_handler(number, frame)


def main() -> None:
    """Run the command line; say an `AnthologyError` in one line, with its exit code."""
    if hasattr(signal, "SIGPIPE"):
        # End quietly, as other commands do, where the reader has what it wanted: `| head`.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, _interrupt)
    # A command makes many objects and few cycles: to look for these ten times less often
    # saves a sixth of the time that reading takes.
    gc.set_threshold(100_000, 20, 20)
    try:
        app()
    except AnthologyError as error:
        sys.stderr.write(f"error: {error}\n")
        raise SystemExit(error.exit_code) from None
    except (KeyboardInterrupt, SystemExit):
        if _interrupted:
            raise SystemExit(130) from None
        raise
    except Exception:
        import traceback

        traceback.print_exc()
        sys.stderr.write("error: this is a fault of anthology, not of your record\n")
        raise SystemExit(3) from None
