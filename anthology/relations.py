"""The closed table of relation types: every way one record can bear on another.

To add a relation, add one entry to `RELATIONS`. Parsing, inverses, the RDF
vocabulary, completion and the reference in README are derived from it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

ANY = frozenset({"*"})
RECORD = frozenset({"record"})


class RelationType(NamedTuple):
    """One relation type.

    Attributes:
        name: As written in a record and on the command line.
        inverse: How the edge reads from its target; equal to `name` if symmetric.
        gloss: One sentence with {a} and {b}.
        use: When to choose it among its neighbours.
        source: Kinds that may assert it: a scheme (`LIT`), `claim`, `sense`, `verdict`,
            `record` (any record) or `*`.
        target: Kinds it may be asserted of; `placeholder` too where a target may be absent.
        same_kind: Whether both ends must be of one kind.
        acyclic: Whether a chain of it may not return to its start.
        transitive: Whether questions walk chains of it.
        mutual: Whether it may hold in both directions at once (only asked where not symmetric).
        weight: Cost of one step in a shortest explanation; small is telling.
        public: The nearest public terms, as (mapping property, CURIE).

    """

    name: str
    inverse: str
    gloss: str
    use: str = ""
    source: frozenset[str] = ANY
    target: frozenset[str] = ANY
    same_kind: bool = False
    acyclic: bool = False
    transitive: bool = False
    mutual: bool = False
    weight: float = 1.0
    public: tuple[tuple[str, str], ...] = ()

    @property
    def symmetric(self) -> bool:
        """Whether the edge reads the same from both ends, and is stored once."""
        return self.name == self.inverse


def _kinds(*names: str) -> frozenset[str]:
    return frozenset(names)


STATEMENTS = _kinds("LIT", "THEORY", "claim")

RELATIONS: tuple[RelationType, ...] = (
    RelationType(
        "refines", "refined-by", "{a} keeps what {b} says and says it more exactly",
        use="the target stays right and gets sharper",
        source=STATEMENTS, target=STATEMENTS, same_kind=True, acyclic=True, transitive=True,
        public=(("closeMatch", "cito:extends"), ("closeMatch", "cito:qualifies")),
    ),
    RelationType(
        "extends", "extended-by", "{a} takes what {b} says to new ground",
        use="the target stays right; new ground",
        source=RECORD | {"claim"}, target=RECORD | {"claim"},
        same_kind=True, acyclic=True, transitive=True,
        public=(("exactMatch", "cito:extends"),),
    ),
    RelationType(
        "qualifies", "qualified-by", "{a} limits the conditions under which {b} holds",
        use="the target is right only under conditions",
        source=_kinds("LIT", "claim"), target=_kinds("claim", "THEORY"), acyclic=True,
        public=(("exactMatch", "cito:qualifies"),),
    ),
    RelationType(
        "corrects", "corrected-by", "{a} says that a stated part of {b} is wrong",
        use="the target is wrong in a stated part",
        source=RECORD | {"claim"}, target=RECORD | {"claim"}, same_kind=True, acyclic=True,
        public=(("exactMatch", "cito:corrects"),),
    ),
    RelationType(
        "supersedes", "superseded-by", "{a} takes the place of {b}",
        use="the target is no longer to be used",
        source=RECORD | {"claim"}, target=RECORD | {"claim"}, acyclic=True, transitive=True,
        public=(("exactMatch", "dcterms:replaces"),),
    ),
    RelationType(
        "rejects", "rejected-by", "{a} holds that {b} is not so",
        use="the writer says that the target does not hold",
        source=_kinds("claim", "NOTE", "THEORY", "LIT"),
        target=_kinds("claim", "THEORY", "placeholder"), mutual=True, weight=0.5,
        public=(("exactMatch", "cito:disputes"),),
    ),
    RelationType(
        "contradicts", "contradicts", "{a} and {b} cannot both hold",
        use="the two cannot both hold, whoever says so",
        source=_kinds("claim"), target=_kinds("claim"), weight=0.5,
        public=(("exactMatch", "cito:disagreesWith"),),
    ),
    RelationType(
        "supports", "supported-by", "{a} speaks for {b}",
        use="what the source says or measured speaks for the target",
        source=_kinds("claim", "NOTE", "LIT", "verdict"), target=_kinds("claim", "THEORY"),
        public=(("exactMatch", "cito:supports"),),
    ),
    RelationType(
        "alternative-account", "alternative-account",
        "{a} and {b} explain one thing by different mechanisms, and both may hold",
        use="both may hold and explain one thing differently",
        source=_kinds("THEORY", "claim"), target=_kinds("THEORY", "claim"),
        same_kind=True, weight=0.5,
    ),
    RelationType(
        "homonym", "homonym", "{a} and {b} are one word for two things",
        use="one word names two things",
        source=_kinds("sense"), target=_kinds("sense"), weight=0.5,
        public=(("closeMatch", "lexinfo:homonym"),),
    ),
    RelationType(
        "reads", "read-as", "{a} is a close reading of {b}",
        source=_kinds("NOTE"), target=_kinds("LIT"), acyclic=True,
        public=(("exactMatch", "cito:reviews"),),
    ),
    RelationType(
        "source", "source-of", "{a} draws on {b}",
        target=_kinds("LIT"), public=(("exactMatch", "dcterms:source"),),
    ),
    RelationType(
        "introduced-by", "introduces", "{a} was introduced by {b}",
        target=_kinds("LIT"), public=(("closeMatch", "dcterms:source"),),
    ),
    RelationType(
        "explains", "explained-by", "{a} says why {b} works",
        source=_kinds("THEORY", "claim"), target=_kinds("TERM", "practice"),
    ),
    RelationType(
        "uses", "used-by", "{a} uses the word in the sense {b}",
        source=RECORD, target=_kinds("sense"), weight=2.0,
    ),
    RelationType(
        "about", "topic-of", "{a} is about {b}",
        target=_kinds("TERM"), weight=2.0, public=(("exactMatch", "dcterms:subject"),),
    ),
    RelationType(
        "compared-against", "compared-against", "{a} and {b} were measured against each other",
        source=RECORD, target=RECORD, same_kind=True,
    ),
    RelationType(
        "rivals", "rivals", "{a} and {b} explain one thing, and only one can be right",
        source=RECORD, target=RECORD, same_kind=True, weight=0.5,
    ),
    RelationType(
        "contested-by", "contests", "{a} is contested by {b}",
        source=_kinds("practice", "THEORY"), target=_kinds("LIT"), weight=0.5,
        public=(("closeMatch", "cito:disputes"),),
    ),
)  # fmt: skip

BY_NAME: Mapping[str, RelationType] = MappingProxyType({each.name: each for each in RELATIONS})

# Keys of the public record's front matter that name a relation of the table.
SYNONYMS: Mapping[str, str] = MappingProxyType({"paper": "reads"})

QUALIFIERS = (
    "because", "evidence", "aspect", "component", "by", "filed", "quoted", "says", "was",
)  # fmt: skip


class Direction(NamedTuple):
    """A relation's name as somebody wrote it: which type, and read from which end."""

    type: RelationType
    forward: bool


def _directions() -> Mapping[str, Direction]:
    table = {each.inverse: Direction(each, forward=False) for each in RELATIONS}
    table |= {each.name: Direction(each, forward=True) for each in RELATIONS}
    table |= {alias: table[name] for alias, name in SYNONYMS.items()}
    return MappingProxyType(table)


DIRECTIONS = _directions()


def find(name: str) -> Direction | None:
    """Look a relation up by its name or its inverse's, `_` and `-` alike."""
    return DIRECTIONS.get(name) or DIRECTIONS.get(name.replace("_", "-").lower())


def allows(kinds: frozenset[str], kind: str) -> bool:
    """Whether a set of kinds in the table covers a node's kind.

    A scheme that is none of the four kinds of record counts as a `practice`, too.
    """
    if "*" in kinds or kind in kinds:
        return True
    if not kind.isupper():
        return False
    return "record" in kinds or (
        "practice" in kinds and kind not in {"LIT", "NOTE", "THEORY", "TERM"}
    )


def camel(name: str) -> str:
    """Return the name as an RDF predicate: `alternative-account` → `alternativeAccount`."""
    head, *rest = name.split("-")
    return head + "".join(word.capitalize() for word in rest)
