"""The models: what a record, a claim, a sense, a test and a relation hold.

All are frozen. A model never reads a file and never looks another record up; that
is `reader`'s and `corpus`'s work. Every scalar arrives as text and gets its type here.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    model_validator,
)

from anthology import criteria, ids
from anthology.criteria import MAIN, Condition

Form = Literal["", "universal", "existential", "statistical", "causal", "definition"]
Status = Literal["active", "proposed", "withdrawn", "target-absent"]


def _as_list(value: object) -> object:
    """Accept one value where a list is meant; an absent value is an empty list."""
    if value is None or value == "":
        return ()
    return value if isinstance(value, list | tuple) else (value,)


def _date(value: str) -> str:
    if not value:
        return value
    start, slash, end = value.partition("/")
    try:
        dt.date.fromisoformat(start)
        if slash:
            dt.date.fromisoformat(start[: len(start) - len(end)] + end)
    except ValueError:
        raise ValueError(
            f"{value!r} is no date; write 'YYYY-MM-DD', or 'YYYY-MM-DD/DD' for a span of days"
        ) from None
    return value


def _published(value: str) -> str:
    if value and not re.fullmatch(r"\d{4}(-(0[1-9]|1[0-2])(-\d{2})?)?", value):
        raise ValueError(f"{value!r} is no date; write 'YYYY', 'YYYY-MM' or 'YYYY-MM-DD'")
    return _date(value) if len(value) == 10 else value


def _condition(value: object) -> object:
    return criteria.parse(value) if isinstance(value, str) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_as_list)]
Day = Annotated[str, AfterValidator(_date)]
Published = Annotated[str, AfterValidator(_published)]
Conditions = Annotated[
    tuple[Annotated[Condition, BeforeValidator(_condition), PlainSerializer(str)], ...],
    BeforeValidator(_as_list),
]
Parameters = Mapping[str, str | list[str]]


class Model(BaseModel):
    """Base of the models: immutable, and strict about names."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Relation(Model):
    """One typed edge as a file states it, before its ends are looked up.

    Attributes:
        relation: Name in the table of relations, never an inverse's.
        subject: Who asserts it; empty for the record itself.
        to: The other end as written: an id, `#part`, or `?slug` for one nobody filed yet.
        forward: Whether the file named the relation from its subject's side.

    """

    relation: str
    to: str
    subject: str = Field("", alias="from")
    forward: bool = True
    status: Status = "active"
    because: str = ""
    evidence: Texts = ()
    aspect: str = ""
    component: str = ""
    by: str = ""
    filed: Day = ""
    quoted: str = ""
    says: str = ""
    was: str = ""
    line: int = 1
    column: int = 1


class Test(Model):
    """How a claim is measured and what its numbers must be.

    Attributes:
        run: The experiment, `topic.measurement`.
        seeds: Number n of seeds; 0 to n-1 are run, paired across arms.
        params: Parameters of every arm, as text; the experiment's signature types them.
        arms: Name to parameters that this arm changes. `main` is the default arm.
        expect: All must hold.
        refute: Any suffices.
        guard: All must hold for a seed's numbers to mean anything.
        floor: Where any holds, the number is below what the arithmetic can tell.
        control: Name to changed parameters under which `expect` must fail.
        shows: What a pass shows, in a sentence.
        does_not_show: What it does not.

    """

    __test__: ClassVar[bool] = False  # pytest: not a test case

    name: str = ""
    run: str
    seeds: int = Field(1, ge=1, le=100_000)
    params: Parameters = Field(default_factory=dict)
    arms: Mapping[str, Parameters] = Field(default_factory=lambda: {MAIN: {}})
    expect: Conditions
    refute: Conditions = ()
    guard: Conditions = ()
    floor: Conditions = ()
    control: Mapping[str, Parameters] = Field(default_factory=dict)
    shows: str = ""
    does_not_show: str = ""
    line: int = 1
    column: int = 1

    @model_validator(mode="after")
    def _arms_exist(self) -> Test:
        if not self.expect:
            raise ValueError("`expect` is empty: a test must say what its numbers must be")
        for group in (self.expect, self.refute, self.guard, self.floor):
            for condition in group:
                for term in condition.terms:
                    if term.arm not in self.arms:
                        raise ValueError(
                            f"`{condition}` names the arm {term.arm!r}; "
                            f"the arms are {', '.join(self.arms) or 'none'}"
                        )
        return self


class Claim(Model):
    """One thing that a record says, and how it is tested.

    Attributes:
        id: `NOTE-274#C1`, or `CLAIM-001` where it stands alone.
        text: The claim in words.
        strength: The curator's own words, free text.
        support: What it rests on, free text.
        form: What a pass means; empty where nobody has said.
        locator: Where the work says it.
        untested: Why nothing here can run it.

    """

    id: str
    text: str = ""
    strength: str = ""
    support: str = ""
    form: Form = ""
    locator: str = ""
    untested: str = ""
    tests: tuple[Test, ...] = ()
    relations: tuple[Relation, ...] = ()
    extra: Mapping[str, Any] = Field(default_factory=dict)
    line: int = 1
    column: int = 1

    @property
    def record(self) -> str:
        """The id of the record that states it."""
        return ids.record_of(self.id)

    @property
    def strength_head(self) -> str:
        """The first word of the strength, lower case: `strong in direction` is `strong`."""
        match = re.match(r"[A-Za-z]+", self.strength.strip("*_` "))
        return match[0].lower() if match else ""


class Sense(Model):
    """One of the things that a term names.

    Attributes:
        id: `TERM-001#tokens`.
        refers_to: What the word means here.
        locus: What it happens to.
        axis: Along what it happens.
        prevented_by: The record of what prevents it.

    """

    id: str
    refers_to: str = ""
    locus: str = ""
    axis: str = ""
    prevented_by: str = ""
    relations: tuple[Relation, ...] = ()
    extra: Mapping[str, Any] = Field(default_factory=dict)
    line: int = 1
    column: int = 1


class Concept(Model):
    """A term as one note defines it: a candidate sense, from its Concepts section."""

    term: str
    definition: str
    line: int = 1


class Record(Model):
    """What every record holds, whatever its kind; also the model of kinds nobody declared.

    Attributes:
        id: The file's stem.
        path: File relative to the root, with `/`.
        date: Filing date, ISO 8601: a day, or a span of days.
        heading: The body's first heading, without the id.
        extra: Keys that no model names, kept as they were written.
        shell: Whether the front matter could not be read, so that only the id is known.

    """

    scheme: ClassVar[str] = ""

    id: str
    path: str
    number: str = ""
    status: str = ""
    status_note: str = ""
    title: str = ""
    date: Day = ""
    tags: Texts = ()
    summary: str = ""
    formerly: Texts = ()
    heading: str = ""
    claims: tuple[Claim, ...] = ()
    concepts: tuple[Concept, ...] = ()
    relations: tuple[Relation, ...] = ()
    extra: Mapping[str, Any] = Field(default_factory=dict)
    shell: bool = False

    @property
    def kind(self) -> str:
        """The scheme of its id, `LIT`."""
        return ids.scheme_of(self.id)


class Lit(Record):
    """A work."""

    scheme: ClassVar[str] = "LIT"

    published: Published = ""
    arxiv: str = ""
    doi: str = ""
    url: str = ""
    venue: str = ""
    first_author: str = ""
    authors: Texts = ()
    keywords: Texts = ()
    implementations: Texts = ()


class Note(Record):
    """A close reading of one work, with the claims that the reader found in it."""

    scheme: ClassVar[str] = "NOTE"


class Theory(Record):
    """An account of why something works.

    Attributes:
        mechanism: How, in one line.
        promote_when: What would settle it.

    """

    scheme: ClassVar[str] = "THEORY"

    mechanism: str = ""
    promote_when: str = ""


class Term(Record):
    """A name and the things it names."""

    scheme: ClassVar[str] = "TERM"

    aliases: Texts = ()
    definition: str = ""
    senses: tuple[Sense, ...] = ()


class ClaimRecord(Record):
    """A claim in a file of its own; `claims` holds exactly that one."""

    scheme: ClassVar[str] = "CLAIM"


KINDS: Mapping[str, type[Record]] = {
    each.scheme: each for each in (Lit, Note, Theory, Term, ClaimRecord)
}
