"""An edge of the record: who says what of whom, in what words, and where it is written."""

from __future__ import annotations

from typing import NamedTuple


class Edge(NamedTuple):
    """One typed edge, in the table's direction.

    Attributes:
        subject: Id of the end that asserts it.
        relation: Name in the table of relations.
        object: Id of the other end; as written where nothing has that id.
        status: `active`, `proposed`, `withdrawn` or `target-absent`.
        path: The file that states it, relative to the root.
        also: Other places that state the same edge, such as its converse.

    """

    subject: str
    relation: str
    object: str
    status: str = "active"
    because: str = ""
    evidence: tuple[str, ...] = ()
    aspect: str = ""
    component: str = ""
    by: str = ""
    filed: str = ""
    quoted: str = ""
    says: str = ""
    was: str = ""
    path: str = ""
    line: int = 1
    column: int = 1
    also: tuple[tuple[str, int, int], ...] = ()

    @property
    def asserted(self) -> bool:
        """Whether the record holds it as true, its target filed or not."""
        return self.status in {"active", "target-absent"}
