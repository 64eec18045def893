"""Make a record of any size, and the edges that it must be read as.

    python -m tests.generate 600 DIR

Works are `size`, notes 60 % of that, accounts 5 %. Every relation goes to a lower number,
so nothing is cyclic; converses and the second side of symmetric relations are written
too, as curators' tools do.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import NamedTuple

CONVERSE = {
    "extends": "extended_by",
    "corrects": "corrected_by",
    "compared_against": "compared_against",
    "refines": "refined_by",
    "rejects": "rejected_by",
    "alternative_account": "alternative_account",
    "homonym": "homonym",
}
# How often a record states a relation, and how many of it at most.
RATE = {
    "extends": (0.7, 2), "corrects": (0.1, 1), "compared_against": (0.3, 2), "refines": (0.4, 1),
    "rejects": (0.1, 1), "alternative_account": (0.1, 1), "homonym": (0.08, 1),
}  # fmt: skip
WORDS = (
    *("attention", "gradient", "residual", "entropy", "rank", "warmup", "kernel", "width"),
    *("depth", "token", "spectrum", "margin", "optimizer", "curvature", "noise", "precision"),
    *("schedule", "alignment", "sparsity", "momentum", "loss", "cache"),
)
FOLDER = {"LIT": "literature.d", "NOTE": "notes.d", "THEORY": "theory.d"}


class Made(NamedTuple):
    """What was written: how many records, and each edge once, in its own direction."""

    root: Path
    records: int
    edges: list[tuple[str, str, str]]


def make(root: Path, size: int, *, seed: int = 11, converse: bool = True) -> Made:
    """Write a record of `size` works below `root`."""
    chance = random.Random(seed)
    counts = {"LIT": size, "NOTE": round(size * 0.6), "THEORY": max(2, size // 20)}
    fields: dict[str, dict[str, list[str]]] = {}
    edges: list[tuple[str, str, str]] = []
    for scheme in ("LIT", "THEORY"):
        for number in range(2, counts[scheme] + 1):
            for relation, (rate, most) in RATE.items():
                if chance.random() >= rate:
                    continue
                for _ in range(chance.randint(1, most)):
                    here = code(scheme, number)
                    there = code(scheme, chance.randint(max(1, number - 50), number - 1))
                    stated = fields.setdefault(here, {}).setdefault(relation, [])
                    if there in stated:
                        continue
                    stated.append(there)
                    edges.append((here, relation.replace("_", "-"), there))
                    if converse:
                        back = fields.setdefault(there, {}).setdefault(CONVERSE[relation], [])
                        if here not in back:
                            back.append(here)
    for scheme, count in counts.items():
        folder = root / "record" / FOLDER[scheme]
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, count + 1):
            name = code(scheme, number)
            text = record(chance, scheme, number, size, fields.get(name, {}))
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return Made(root, sum(counts.values()), edges)


def code(scheme: str, number: int) -> str:
    """Return the id of a record."""
    return f"{scheme}-{number:03d}"


def record(
    chance: random.Random, scheme: str, number: int, size: int, fields: dict[str, list[str]]
) -> str:
    """Return the text of one file."""

    def prose(count: int) -> str:
        return " ".join(chance.choice(WORDS) for _ in range(count)).capitalize()

    title = prose(6)
    lines = ["---", f"number: {number}", f"status: {'Read' if scheme == 'NOTE' else 'Active'}"]
    lines += [f"title: {title}", "tags:", f"- {chance.choice(WORDS)}"]
    lines += [f"date: '2026-0{chance.randint(1, 9)}-{chance.randint(10, 28)}'"]
    if scheme == "LIT":
        lines += [f"published: '20{chance.randint(12, 25)}-01'", f"arxiv: '2{number:08.4f}'"]
        lines[-1] = f"arxiv: '{20 + number // 100000:02d}01.{number % 100000:05d}'"
    elif scheme == "NOTE":
        lines += [f"paper: {code('LIT', number)}"]
    else:
        sources = sorted({code("LIT", chance.randint(1, size)) for _ in range(3)})
        lines += ["source:", *(f"- {each}" for each in sources)]
    for relation, targets in fields.items():
        lines += [f"{relation}:", *(f"- {each}" for each in targets)]
    lines += ["summary: >-", f"  {prose(18)}.", "---", "", f"# {code(scheme, number)}: {title}", ""]
    lines += ["## Key takeaways", ""]
    for _ in range(5):
        other = code("LIT", chance.randint(1, size))
        lines.append(f"- {prose(22)} ([{other}](../literature.d/{other}.md)).")
    if scheme == "NOTE":
        lines += ["", "## Claims", "", "| id | claim | strength | support |", "|---|---|---|---|"]
        lines += [f"| C{n} | {prose(9)} | strong | {prose(3)} |" for n in range(1, 5)]
    return "\n".join([*lines, "", f"{prose(40)}.", ""])


if __name__ == "__main__":
    done = make(Path(sys.argv[2]), int(sys.argv[1]))
    print(done.records, "records,", len(done.edges), "edges")
