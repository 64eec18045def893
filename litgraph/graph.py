"""What a question asks of a record: a `Corpus` answers it, and so does the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from anthology.config import Config
    from anthology.edge import Edge
    from anthology.records import Claim, Record, Sense


class Graph(Protocol):
    """A record that can be asked. Ids are as the record writes them: `NOTE-274#C1`."""

    @property
    def config(self) -> Config:
        """Where things are."""

    @property
    def root(self) -> Path:
        """The project's root."""

    @property
    def records(self) -> Mapping[str, Record]:
        """Id to record, in the order of ids."""

    @property
    def claims(self) -> Mapping[str, Claim]:
        """Full id to claim."""

    @property
    def senses(self) -> Mapping[str, Sense]:
        """Full id to sense."""

    @property
    def edges(self) -> Sequence[Edge]:
        """Every edge once, in the table's direction."""

    @property
    def placeholders(self) -> Sequence[str]:
        """What edges point at and nobody has filed, `?slug`."""

    def find(self, name: str) -> str | None:
        """Return the id of today for any spelling of an id, or None."""

    def resolve(self, name: str) -> str:
        """Return the id of today, or raise `UnknownNameError` with the near ones."""

    def kind(self, name: str) -> str:
        """Return `LIT` and the like, `claim`, `sense`, `placeholder`, `foreign` or `unknown`."""

    def label(self, name: str) -> str:
        """Return what a person would call it."""

    def out(self, name: str) -> Sequence[Edge]:
        """Return the edges of which it is the subject."""

    def into(self, name: str) -> Sequence[Edge]:
        """Return the edges of which it is the object."""

    def parts(self, name: str) -> Sequence[str]:
        """Return the ids of a record's claims and senses."""

    def place(self, name: str) -> tuple[str, int, int]:
        """Return path, line and column of a record, claim or sense."""
