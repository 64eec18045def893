"""The table of relations keeps its own laws."""

from __future__ import annotations

import pytest

from anthology import relations
from anthology.relations import RELATIONS, RelationType

NAMES = [each.name for each in RELATIONS]


def test_names_and_inverses_are_told_apart() -> None:
    inverses = [each.inverse for each in RELATIONS if not each.symmetric]
    assert len({*NAMES, *inverses}) == len(NAMES) + len(inverses)


@pytest.mark.parametrize("relation", RELATIONS, ids=NAMES)
def test_entry(relation: RelationType) -> None:
    assert "{a}" in relation.gloss
    assert "{b}" in relation.gloss
    assert not (relation.symmetric and relation.acyclic)
    assert relation.transitive <= relation.acyclic
    if relation.symmetric:
        assert relation.source == relation.target
    forward = relations.find(relation.name)
    assert forward == (relation, True)
    backward = relations.find(relation.inverse)
    assert backward == (relation, relation.symmetric)


def test_the_table_is_the_one_decided() -> None:
    symmetric = {each.name for each in RELATIONS if each.symmetric}
    assert symmetric == {
        "contradicts", "alternative-account", "homonym", "compared-against", "rivals",
    }  # fmt: skip
    acyclic = {each.name for each in RELATIONS if each.acyclic}
    assert acyclic == {"refines", "extends", "qualifies", "corrects", "supersedes", "reads"}
    assert {each.name for each in RELATIONS if each.transitive} == {
        "refines", "extends", "supersedes",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("written", "name", "forward"),
    [
        ("refined_by", "refines", False),
        ("extended_by", "extends", False),
        ("alternative_account", "alternative-account", True),
        ("paper", "reads", True),
        ("compared_against", "compared-against", True),
        ("superseded_by", "supersedes", False),
        ("Refines", "refines", True),
    ],
)
def test_spellings_of_the_real_format(written: str, name: str, forward: bool) -> None:
    found = relations.find(written)
    assert found is not None
    assert (found.type.name, found.forward) == (name, forward)


def test_unknown_is_none() -> None:
    assert relations.find("refutes") is None


@pytest.mark.parametrize(
    ("relation", "source", "target"),
    [
        ("refines", "LIT", "LIT"),
        ("rejects", "claim", "THEORY"),
        ("rejects", "claim", "placeholder"),
        ("homonym", "sense", "sense"),
        ("explains", "THEORY", "SOTA"),
        ("explains", "THEORY", "TERM"),
        ("uses", "NOTE", "sense"),
        ("contested-by", "SOTA", "LIT"),
        ("source", "claim", "LIT"),
    ],
)
def test_kinds_that_are_allowed(relation: str, source: str, target: str) -> None:
    kind = relations.BY_NAME[relation]
    assert relations.allows(kind.source, source)
    assert relations.allows(kind.target, target)


@pytest.mark.parametrize(
    ("relation", "kind"),
    [("rejects", "LIT"), ("homonym", "LIT"), ("explains", "LIT"), ("reads", "THEORY"),
     ("uses", "TERM"), ("alternative-account", "LIT"), ("refines", "placeholder")],
)  # fmt: skip
def test_targets_that_are_not(relation: str, kind: str) -> None:
    assert not relations.allows(relations.BY_NAME[relation].target, kind)


def test_predicates_are_camel_case() -> None:
    assert relations.camel("alternative-account") == "alternativeAccount"
    assert relations.camel("homonym") == "homonym"
