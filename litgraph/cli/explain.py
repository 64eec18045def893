"""`anthology explain`: what a rule's code or a relation means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from anthology.relations import Direction, RelationType
    from litgraph.rules import Rule

FAMILIES = {
    "F": "Files and front matter",
    "I": "Ids",
    "R": "Relations",
    "C": "Claims and their tests",
    "V": "Run files",
}


def explain(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A rule's code (R304) or name, or a relation (rejects); `rules` or `relations`.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say what a rule finds, why it matters and what to write instead; or what a relation means.

    Without a name, list the rules and the relations.
    """
    from anthology import relations
    from anthology.errors import UnknownNameError
    from litgraph import rules

    if name is None or name.lower() in {"rules", "relations"}:
        asked = (name or "all").lower()
        blocks = [] if asked == "relations" else list(_rules(rules.rules()))
        typer.echo("\n\n".join(blocks + ([] if asked == "rules" else [_relations()])))
        return
    direction = relations.find(name)
    if direction is not None:
        typer.echo(_relation(direction))
        return
    try:
        rule = rules.find(name)
    except UnknownNameError:
        known = [*(each.code for each in rules.rules()), *rules.names(), *relations.DIRECTIONS]
        raise UnknownNameError("rule or relation", name, known) from None
    typer.echo(f"{rule.code} {rule.name} ({rule.severity.value})\n\n{rule.page}")


def _rules(found: tuple[Rule, ...]) -> list[str]:
    wide = max(len(each.name) for each in found)
    blocks = []
    for letter in dict.fromkeys([*FAMILIES, *(each.code[0] for each in found)]):
        lines = [FAMILIES.get(letter, letter)]
        for each in found:
            if each.code[0] == letter:
                word = f"{each.severity.value:8}"
                lines.append(f"  {each.code}  {each.name:{wide}}  {word} {each.summary}")
        blocks.append("\n".join(lines))
    return blocks


def _relations() -> str:
    from anthology import relations

    wide = max(len(each.name) for each in relations.RELATIONS)
    head = "Relations, from {a} to {b}; `anthology explain NAME` says when to choose which"
    lines = (f"  {each.name:{wide}}  {each.gloss}" for each in relations.RELATIONS)
    return "\n".join([head, *lines])


def _relation(direction: Direction) -> str:
    """Describe a relation: what it says, when to choose it, between what, and its laws."""
    kind = direction.type
    title = kind.name if direction.forward else f"{kind.inverse} is {kind.name} from the other end"
    lines = [title, "", f"{kind.gloss.format(a='A', b='B')}."]
    if kind.use:
        lines.append(f"Choose it where: {kind.use}.")
    lines += ["", f"From:     {_kinds(kind.source)}", f"To:       {_kinds(kind.target)}"]
    lines.append(f"Inverse:  {'itself' if kind.symmetric else kind.inverse}")
    lines.append(f"Laws:     {', '.join(_laws(kind)) or 'none'}")
    if kind.public:
        lines.append(f"Public:   {', '.join(f'{how} {term}' for how, term in kind.public)}")
    near = _neighbours(kind)
    return "\n".join([*lines, "", "Its neighbours:", *near] if near else lines)


def _kinds(kinds: frozenset[str]) -> str:
    unfiled = 'what nobody filed yet ("?words")'
    words = {"*": "anything", "record": "any record", "placeholder": unfiled}
    return ", ".join(sorted((words.get(each, each) for each in kinds), key=str.casefold))


def _laws(kind: RelationType) -> list[str]:
    laws = ["never of itself"]
    if kind.symmetric:
        laws.append("holds both ways, stored once")
    elif kind.mutual:
        laws.append("may hold both ways")
    if kind.same_kind:
        laws.append("both ends of one kind")
    if kind.acyclic:
        laws.append("no chain returns to its start")
    if kind.transitive:
        laws.append("chains are walked")
    return laws


def _neighbours(kind: RelationType) -> list[str]:
    from anthology import relations

    if not kind.use:
        return []
    others = [each for each in relations.RELATIONS if each.use and each is not kind]
    wide = max(len(each.name) for each in others)
    return [f"  {each.name:{wide}}  {each.use}" for each in others]
