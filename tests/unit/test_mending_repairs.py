"""What `fix` repairs, what it leaves, and that doing it again changes nothing."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from anthology import corpus
from litgraph.mending import changes, repairs, slips

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from litgraph.mending.changes import Outcome

    Write = Callable[[Mapping[str, str]], Path]


def mended(text: str) -> tuple[str, list[str], list[str]]:
    data, done, left = slips.mend("LIT-001.md", textwrap.dedent(text).encode())
    return data.decode(), done, left


def head(*lines: str) -> str:
    return "\n".join(("---", *lines, "---", "# LIT-001: T", ""))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["title: A: b"], ["title: 'A: b'"]),
        (["title: it's: so"], ["title: 'it''s: so'"]),
        (["title: A: b  # as printed"], ["title: 'A: b'  # as printed"]),
        (["title: A: b   "], ["title: 'A: b'   "]),
        (["a: B: c", "d: E: f"], ["a: 'B: c'", "d: 'E: f'"]),
        (["history:", "- note: A: b"], ["history:", "- note: 'A: b'"]),
        (["arxiv: 2103.10"], ["arxiv: '2103.10'"]),
        (["first_author: No  # Norwegian"], ["first_author: 'No'  # Norwegian"]),
        (["<!-- pin: LIT-2 — why -->", "a: b"], ["# pin: LIT-2 — why", "a: b"]),
        (["a:", "  <!-- why -->", "- b"], ["a:", "  # why", "- b"]),
        (["<!-- one", "two -->", "a: b"], ["# one", "# two", "a: b"]),
        (["a: b", "<!---->"], ["a: b", "#"]),
        (["s: >-", "<!-- why -->", "  text"], ["# why", "s: >-", "  text"]),
        (["a: b", "s: |", "  x", "<!-- why -->", "  y"], ["a: b", "# why", "s: |", "  x", "  y"]),
        (["a: b", "<!-- why", "c: d"], ["a: b", "<!-- why", "c: d"]),
        (["s: 'x", "<!-- why -->", "  y'"], ["s: 'x", "<!-- why -->", "  y'"]),
    ],
)
def test_a_slip_of_yaml_is_mended(before: list[str], after: list[str]) -> None:
    text, done, left = mended(head(*before))
    assert text == head(*after)
    assert bool(done) == (before != after) != bool(left)
    assert mended(text)[0] == text


def test_line_ends_and_a_mark_survive() -> None:
    text = "\ufeff" + head("title: A: b", "<!-- why -->").replace("\n", "\r\n")
    data, _, _ = slips.mend("LIT-001.md", text.encode())
    wanted = text.replace("A: b", "'A: b'").replace("<!-- why -->", "# why")
    assert data == wanted.encode()


@pytest.mark.parametrize(
    "text", ["", "no front matter", "---\na: [\n---\n", "---\na: \udcff\n---\n"]
)
def test_what_cannot_be_read_is_not_touched(text: str) -> None:
    data = text.encode("utf-8", errors="surrogateescape")
    assert slips.mend("LIT-001.md", data) == (data, [], [])


def repaired(root: Path, *, both_sides: bool = False) -> Outcome:
    outcome = repairs.repair(corpus.load(root), both_sides=both_sides)
    changes.apply(corpus.load(root).config, outcome.changes)
    assert repairs.repair(corpus.load(root), both_sides=both_sides).changes == []
    return outcome


def test_an_edge_leads_to_what_was_filed_for_its_placeholder(write: Write) -> None:
    root = write(
        {
            "records/THEORY-001.md": """
                ---
                title: T
                date: '2026-09-01'
                relations:
                  rejects: "?new-account"
                  alternative-account:
                  - to: "?new-account"  # spoken of
                    says: words
                    status: target-absent
                    filed: '2026-08-01'
                  - "?other"
                ---
                """,
            "records/NOTE-001.md": """
                ---
                title: T
                claims:
                  C1:
                    text: x
                    relations:
                      rejects: ["?new-account", "?part"]
                ---
                """,
            "records/THEORY-002.md": '---\ntitle: T\nfills: "?new-account"\n---\n',
            "records/NOTE-002.md": """
                ---
                title: T
                fills: {C1: "?part"}
                claims:
                  C1: {text: x}
                ---
                """,
        }
    )
    repaired(root)
    theory = (root / "records/THEORY-001.md").read_text()
    assert theory == textwrap.dedent("""\
        ---
        title: T
        date: '2026-09-01'
        relations:
          rejects:
            to: THEORY-002
            was: '?new-account'
            filed: '2026-09-01'
          alternative-account:
          - to: THEORY-002  # spoken of
            says: words
            status: active
            filed: '2026-08-01'
            was: '?new-account'
          - "?other"
        ---
        """)
    note = (root / "records/NOTE-001.md").read_text()
    assert (
        "rejects: [{to: THEORY-002, was: '?new-account'}, {to: NOTE-002#C1, was: '?part'}]" in note
    )
    edges = corpus.load(root).edges
    assert {each.object for each in edges if each.was == "?part"} == {"NOTE-002#C1"}


def test_a_placeholder_that_two_fill_is_left(write: Write) -> None:
    root = write(
        {
            "records/THEORY-001.md": '---\nrejects: "?a"\n---\n',
            "records/THEORY-002.md": '---\nfills: "?a"\n---\n',
            "records/THEORY-003.md": '---\nfills: ["?a"]\n---\n',
        }
    )
    outcome = repaired(root)
    assert outcome.changes == []
    assert "records/THEORY-003.md:1:1: THEORY-002 fills ?a, too" in outcome.left[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["- LIT-2", "- LIT-3", "- LIT-2"], ["- LIT-2", "- LIT-3"]),
        (["- LIT-2", "- LIT-2", "- LIT-2"], ["- LIT-2"]),
        (["- LIT-2", "- {to: LIT-2, because: x}"], ["- {to: LIT-2, because: x}"]),
        (["- {to: LIT-2, because: x}", "- LIT-2"], ["- {to: LIT-2, because: x}"]),
        (["- LIT-2  # seen", "- LIT-3", "- LIT-2"], ["- LIT-2  # seen", "- LIT-3"]),
        (["- LIT-2", "# below", "- LIT-2"], ["- LIT-2", "# below"]),
        (["- LIT-2", "- LIT-2  # mine"], None),
        (["- LIT-2", "- {to: LIT-2, status: proposed}"], None),
        (["- {to: LIT-2, because: x}", "- {to: LIT-2, because: y}"], None),
        (["- {to: LIT-2, from: C1}", "- {to: LIT-2, from: C2}", "- LIT-2", "- LIT-2"],
         ["- {to: LIT-2, from: C1}", "- {to: LIT-2, from: C2}", "- LIT-2"]),
    ],
)  # fmt: skip
def test_a_target_stands_once(write: Write, before: list[str], after: list[str] | None) -> None:
    root = write({"records/LIT-001.md": head("extends:", *before)})
    outcome = repaired(root)
    text = (root / "records/LIT-001.md").read_text()
    assert text == head("extends:", *(before if after is None else after))
    assert bool(outcome.left) == (after is None)


def test_a_target_that_is_filed_is_not_absent(write: Write) -> None:
    item = "{to: LIT-2, status: target-absent}"
    root = write({"records/LIT-001.md": head(f"extends: [{item}]"), "records/LIT-002.md": head()})
    outcome = repaired(root)
    assert [each.said for each in outcome.changes] == [("LIT-2 is filed, so the edge is active",)]
    assert "status: active}]" in (root / "records/LIT-001.md").read_text()


def test_a_file_that_cannot_be_read_is_refused_and_the_others_are_repaired(write: Write) -> None:
    root = write(
        {
            "records/LIT-001.md": head("title: A: b"),
            "records/LIT-002.md": "---\ntitle: A: b\nx: [\n---\n",
            "records/LIT-003.md": "nothing",
        }
    )
    (root / "records/LIT-004.md").mkdir()
    outcome = repaired(root)
    assert [each.path for each in outcome.changes] == ["records/LIT-001.md"]
    assert [each.partition(" ")[0] for each in outcome.refused] == [
        "records/LIT-002.md:4:1:",
        "records/LIT-003.md:1:1:",
        "records/LIT-004.md:1:1:",
    ]


def test_a_target_that_is_not_filed_stays_absent(write: Write) -> None:
    root = write({"records/LIT-001.md": head("extends: [{to: LIT-9, status: target-absent}]")})
    assert repaired(root).changes == []


def test_only_what_is_asked_for_is_repaired(write: Write) -> None:
    root = write({f"records/LIT-00{n}.md": head("title: A: b") for n in (1, 2)})
    found = corpus.load(root)
    outcome = repairs.repair(found, [found.records["LIT-002"]])
    assert [each.path for each in outcome.changes] == ["records/LIT-002.md"]


@pytest.mark.parametrize("name", ["luria.yaml", "luria.toml"])
def test_both_sides_are_written_where_the_configuration_asks(write: Write, name: str) -> None:
    yaml = """
        schemes:
          LIT:
            references:
              extends: {scheme: LIT, converse: extended_by}
              extended_by: {scheme: LIT, converse: extends}
              compared_against: {scheme: LIT, converse: compared_against}
              unheard_of: {scheme: LIT, converse: heard_by}
        """
    toml = """
        [luria.schemes.LIT.references]
        extends = {converse = "extended_by"}
        compared_against = {converse = "compared_against"}
        """
    root = write(
        {
            name: yaml if name.endswith("yaml") else toml,
            "records/LIT-001.md": head("extends: [LIT-2, LIT-9]", "compared_against:", "- LIT-2"),
            "records/LIT-002.md": head("title: T"),
        }
    )
    assert repaired(root).changes == []
    repaired(root, both_sides=True)
    wanted = head("title: T", "extended_by:", "- LIT-001", "compared_against:", "- LIT-001")
    assert (root / "records/LIT-002.md").read_text() == wanted
