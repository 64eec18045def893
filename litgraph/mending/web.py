"""The one way to the network: a text behind an address, or an error that says what to do."""

from __future__ import annotations

import urllib.error
import urllib.request
from typing import Protocol

from anthology import __version__
from anthology.errors import AnthologyError

SECONDS = 20.0


class Fetch(Protocol):
    """Returns what an address holds; tests give one that knows the answers."""

    def __call__(self, url: str, /) -> bytes:
        """Return it, or raise a `FetchError`."""


class FetchError(AnthologyError):
    """An address gave nothing.

    Attributes:
        status: What the server answered; 0 where none did.

    """

    exit_code = 3

    def __init__(self, url: str, why: str, status: int = 0) -> None:
        self.status = status
        host = url.split("/")[2]
        super().__init__(f"{host} gave nothing ({why}); try again, or add --offline")


def fetch(url: str) -> bytes:
    """Return what an address holds.

    Raises:
        FetchError: No server answered in time, or not with what was asked for.

    """
    agent = f"anthology-record/{__version__}"
    request = urllib.request.Request(url, headers={"User-Agent": agent})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            raise FetchError(url, f"it answered {error.code} {error.reason}", error.code) from None
    except OSError as error:  # URLError and time-outs are
        reason = getattr(error, "reason", error)
        said = getattr(reason, "strerror", "") or str(reason) or type(error).__name__
        raise FetchError(url, said.lower()) from None
