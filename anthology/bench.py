"""The child process in which experiments run: `python -m anthology.bench FD`.

It lives long and imports torch once. Each request, a JSON line on its standard input, is
measured in a fork of its own, so that no experiment sees what another did, and a crash ends
the fork alone. Each finished seed is one JSON line on the file descriptor FD, which nothing
else writes to. When its parent goes, so does everything it started.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import json
import os
import platform
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

Request = dict[str, Any]

# Options of prctl, from linux/prctl.h.
_PDEATHSIG = 1
_CHILD_SUBREAPER = 36


def main(arguments: list[str]) -> None:
    """Answer requests until standard input ends."""
    report = int(arguments[0])
    for extra in arguments[1:]:  # put on the path only to find this package
        while extra in sys.path:
            sys.path.remove(extra)
    os.environ.pop("PYTHONPATH", None)
    if outer := os.environ.pop("ANTHOLOGY_PYTHONPATH", ""):
        os.environ["PYTHONPATH"] = outer
    os.set_inheritable(report, False)
    _prctl(_CHILD_SUBREAPER, 1)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    buffer = b""
    while chunk := _read(0):
        buffer += chunk
        while b"\n" in buffer:
            line, _, buffer = buffer.partition(b"\n")
            _serve(json.loads(line), report, wake)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


def _serve(request: Request, report: int, wake: int) -> None:
    """Measure one request in a fork; report how the fork ended, and leave nothing of it."""
    if request["torch"]:
        _import_torch()
    scratch = tempfile.mkdtemp(prefix="anthology-")
    pid = os.fork()
    if pid == 0:
        _child(request, report, scratch)
    with contextlib.suppress(OSError):
        os.setpgid(pid, pid)  # here too: whoever comes first
    status = None
    while status is None:
        ready, _, _ = select.select([0, wake], [], [], 1.0)
        if wake in ready:
            _read(wake)
        if 0 in ready:  # the parent sends nothing before this is over: it is gone
            _kill(pid)
            shutil.rmtree(scratch, ignore_errors=True)
            os._exit(0)
        while True:
            try:
                ended, code = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if ended == 0:
                break
            if ended == pid:
                status = os.waitstatus_to_exitcode(code)
    _kill(pid)
    shutil.rmtree(scratch, ignore_errors=True)
    # A fork that was killed may have left half a line.
    _report(report, {"id": request["id"], "ended": status}, lead="\n")


def _import_torch() -> None:
    if "torch" not in sys.modules and importlib.util.find_spec("torch") is not None:
        with contextlib.suppress(ImportError):
            importlib.import_module("torch")


def _kill(group: int) -> None:
    """End a fork and whatever it started, also what has left its process group."""
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    for _ in range(1000):
        children = _children()
        if not children:
            return
        for each in children:
            with contextlib.suppress(OSError):
                os.kill(each, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.002)


def _children() -> list[int]:
    """Return this process's children; orphans of the fork are among them on Linux."""
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    except OSError:
        return []
    return [int(each) for each in text.split()]


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _report(descriptor: int, line: dict[str, Any], lead: str = "") -> None:
    data = f"{lead}{json.dumps(line)}\n".encode()
    while data:
        data = data[os.write(descriptor, data) :]


# ---------------------------------------------------------------- within the fork


def _child(request: Request, report: int, scratch: str) -> None:
    """Measure every item of a request; never returns."""
    status = 70
    me = os.getpid()
    try:
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _prctl(_PDEATHSIG, signal.SIGKILL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.chdir(scratch)
        if request["device"] == "cpu":  # a driver maps more than it uses
            _limit(request["memory"])
        _report(report, {"id": request["id"], "pid": me})
        status = _measure(request, report, me)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _limit(memory: int) -> None:
    """Bound the address space, counted from what this process maps already."""
    if not memory or not hasattr(resource, "RLIMIT_AS"):
        return
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return
    bound = pages * resource.getpagesize() + memory
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _measure(request: Request, report: int, me: int) -> int:
    for folder in reversed(request["folders"]):
        sys.path.insert(0, folder)
    name = {"id": request["id"]}
    try:
        function = _load(request)
        environment = _settle(request["device"])
    except BaseException as error:
        _report(report, name | {"item": None} | _fault(error, request["folders"]))
        return 1
    _report(report, name | {"environment": environment})
    for item in request["items"]:
        _report(report, name | {"begins": item["item"]})
        start = time.perf_counter()
        try:
            measured = function(item["seed"], **item["params"])
            line = {
                "metrics": {key: float(value) for key, value in measured.metrics.items()},
                "series": {key: list(map(float, each)) for key, each in measured.series.items()},
            }
        except BaseException as error:
            if os.getpid() != me:
                return 0
            line = _fault(error, request["folders"])
        if os.getpid() != me:  # a fork of the experiment came back: its parent reports
            return 0
        line["seconds"] = time.perf_counter() - start
        line["memory"] = _peak()
        _report(report, name | {"item": item["item"]} | line)
        if "error" in line and not request["keep_going"]:
            return 1
    return 0


def _load(request: Request) -> Any:
    module = importlib.import_module(request["module"])
    found = os.path.realpath(module.__file__ or "")
    if found != os.path.realpath(request["path"]):
        raise ImportError(f"{request['module']} is another module here: {found}")
    return getattr(module, request["function"])


def _settle(device: str) -> dict[str, str | int]:
    """Set torch up, where the experiment imported it; say what it runs on."""
    found: dict[str, str | int] = {
        "python": platform.python_version(),
        "platform": f"{platform.system().lower()}-{platform.machine().lower()}",
    }
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(1)  # several are slower on small matrices, and may round otherwise
        if device != "cpu":
            torch.set_default_device(device)
        found["torch"] = str(torch.__version__)
        found["threads"] = torch.get_num_threads()
    return found


def _peak() -> int:
    """Return the most memory that this process held, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _fault(error: BaseException, folders: list[str]) -> dict[str, Any]:
    """Report an exception: in words, and whether it lies with this machine."""
    chain, each = [error], error.__cause__ or error.__context__
    while each is not None and each not in chain:
        chain.append(each)
        each = each.__cause__ or each.__context__
    return {
        "error": _say(error, folders),
        "starved": isinstance(error, MemoryError) or "can't allocate memory" in str(error),
        "absent": any(isinstance(each, ImportError) for each in chain),
    }


def _say(error: BaseException, folders: list[str]) -> str:
    """Say an exception in one line, with the project's own place nearest to it."""
    said = " ".join(str(error).split())[:300]
    if isinstance(error, SystemExit):
        return f"exited with {said or '0'}"
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return "torch is not installed: pip install 'anthology-record[verify]'"
    place = ""
    ours = str(Path(__file__).resolve().parent) + os.sep
    for frame in traceback.extract_tb(error.__traceback__):
        file = os.path.realpath(frame.filename)
        if file.startswith(ours) or "site-packages" in file:
            continue
        for root in map(os.path.realpath, folders):
            if file.startswith(root + os.sep):
                place = f" ({os.path.relpath(file, root)}:{frame.lineno})"
    kind = type(error).__name__
    return f"{kind}: {said}{place}" if said else f"{kind}{place}"


if __name__ == "__main__":
    main(sys.argv[1:])
