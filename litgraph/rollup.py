"""What a record states, by way of others: its readings, their claims, its accounts, its senses.

Asked about a work, people mean what it says, and what it says is filed elsewhere: in a
note's claim, in an account, in a sense of a word. Each member of a roll-up remembers the
member it came through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import ids

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anthology.edge import Edge
    from litgraph.graph import Graph

# Edges that say where something belongs rather than what it means.
STRUCTURE = frozenset({"reads", "source", "uses", "introduced-by", "about", "explains"})


def members(graph: Graph, name: str) -> Mapping[str, str]:
    """Return what `name` states, each with what it was reached through.

    The order is the one in which a reader would go: own parts, readings and their
    claims, accounts and their claims, senses.
    """
    found: dict[str, str] = {}

    def add(each: str, via: str) -> None:
        if each != name:
            found.setdefault(each, via)

    for part in graph.parts(name):
        add(part, name)
    for relation in ("reads", "source"):
        for edge in graph.into(name):
            if edge.relation == relation and edge.asserted:
                add(edge.subject, name)
                for part in graph.parts(edge.subject):
                    add(part, edge.subject)
    for holder in (name, *list(found)):
        for edge in graph.out(holder):
            if edge.relation == "uses" and edge.asserted:
                add(edge.object, holder)
    return found


def edges(graph: Graph, name: str, *, rolled: bool = True) -> list[tuple[Edge, str]]:
    """Return the edges of `name` and, rolled up, of what it states, each with its `via`.

    `via` is empty for the edges of `name` itself. An edge between two members of the
    roll-up is inner business and is left out, as is the mere use of a shared sense.
    """
    direct = [(each, "") for each in graph.out(name)]
    direct += [(each, "") for each in graph.into(name) if each.subject != name]
    if not rolled:
        return direct
    inside = members(graph, name)
    found = direct
    seen = {(each.subject, each.relation, each.object) for each, _ in direct}
    for member in inside:
        for each in (*graph.out(member), *graph.into(member)):
            other = each.object if each.subject == member else each.subject
            key = (each.subject, each.relation, each.object)
            if key in seen or other in inside or other == name:
                continue
            if each.relation in STRUCTURE and (each.object == member or each.relation == "uses"):
                continue
            seen.add(key)
            found.append((each, member))
    return found


def works(graph: Graph, name: str) -> list[str]:
    """Return the records and works that something belongs to.

    A claim's record and paper, a reading's paper, an account's sources, a sense's users;
    of a work, the work itself.
    """
    record, part = ids.split(name)
    found = {} if name.startswith("?") else {record: None}
    for edge in graph.out(record):
        if edge.relation in {"reads", "source"} and edge.asserted:
            found[edge.object] = None
    if part:
        for edge in graph.into(name):
            if edge.relation == "uses" and edge.asserted:
                found[edge.subject] = None
    return list(found)
