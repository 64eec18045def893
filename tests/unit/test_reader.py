"""From front matter and body to a record: what is typed, merged, kept and refused."""

from __future__ import annotations

import textwrap

import pytest

from anthology import body, reader, source
from anthology.records import Claim, Lit, Note, Record, Relation, Term, Theory


def read(text: str, name: str = "NOTE-005") -> tuple[Record, list[str]]:
    """Read a record; its findings as `line:column CODE`."""
    data = textwrap.dedent(text).lstrip("\n").encode()
    document = source.parse(data, source.Document(f"{name}.md", name))
    record = reader.record(document)
    return record, [f"{f.line}:{f.column} {f.code}" for f in document.findings]


def head(keys: str, name: str = "NOTE-005", rest: str = "") -> tuple[Record, list[str]]:
    return read(f"---\n{textwrap.dedent(keys).strip()}\n---\n{rest}", name)


# ---------------------------------------------------------------- fields


@pytest.mark.parametrize(
    ("name", "model"),
    [("LIT-1", Lit), ("NOTE-1", Note), ("THEORY-1", Theory), ("TERM-1", Term), ("ADR-1", Record)],
)
def test_a_scheme_has_its_model_and_an_unknown_one_is_generic(
    name: str, model: type[Record]
) -> None:
    record, found = head("title: A", name)
    assert type(record) is model
    assert (record.id, record.title, found) == (name, "A", [])


def test_values_are_text_and_single_values_are_lists() -> None:
    record, found = head(
        """
        number: 007
        tags: solo
        formerly: LIT-tmpabcde
        authors: [Dong, 2]
        arxiv: 2103.10
        published: 2021
        """,
        "LIT-007",
    )
    assert isinstance(record, Lit)
    assert (record.number, record.tags, record.formerly) == ("007", ("solo",), ("LIT-tmpabcde",))
    assert (record.authors, record.arxiv, record.published) == (("Dong", "2"), "2103.10", "2021")
    assert found == ["6:8 F121"]


def test_a_status_with_its_note_is_split() -> None:
    record, _ = head("status: 'Superseded — by later work — and more'")
    assert (record.status, record.status_note) == ("Superseded", "by later work — and more")
    record, _ = head("status: Superseded — by this\nstatus_note: by that")
    assert (record.status, record.status_note) == ("Superseded", "by that")


@pytest.mark.parametrize("day", ["2026-09-21", "2026-09-21/22", "2026-09-30/2026-10-02"])
def test_days_and_spans_of_days(day: str) -> None:
    record, found = head(f"date: '{day}'")
    assert (record.date, found) == (day, [])


@pytest.mark.parametrize("day", ["2026-02-30", "2026-9-1", "yesterday", "2026-09-21/40"])
def test_impossible_days_lose_only_themselves(day: str) -> None:
    record, found = head(f"title: A\ndate: {day}\nstatus: Read")
    assert (record.title, record.date, record.status) == ("A", "", "Read")
    assert found == ["3:7 F112"]


@pytest.mark.parametrize("published", ["2021", "2021-03", "2021-03-05"])
def test_published_may_be_a_year_a_month_or_a_day(published: str) -> None:
    record, found = head(f"published: '{published}'", "LIT-1")
    assert isinstance(record, Lit)
    assert (record.published, found) == (published, [])


@pytest.mark.parametrize("published", ["21", "2021-13", "2021-02-30", "March 2021", "2021-3"])
def test_impossible_dates_of_publication(published: str) -> None:
    assert head(f"published: '{published}'", "LIT-1")[1] == ["2:12 F112"]


def test_unknown_keys_are_kept_and_named_by_how_near_they_are() -> None:
    record, found = head(
        """
        vresion: 2
        shelf: [a, {b: c}]
        version: 3
        influenced-by: [ADR-1]
        """
    )
    assert record.extra == {
        "vresion": "2", "shelf": ["a", {"b": "c"}], "version": "3", "influenced-by": ["ADR-1"],
    }  # fmt: skip
    assert found == ["2:1 F114", "3:1 F118"]


@pytest.mark.parametrize("key", ["id", "path", "shell", "heading", "concepts", "extra"])
def test_what_the_tool_finds_out_cannot_be_written(key: str) -> None:
    record, found = head(f"{key}: true")
    assert (record.id, record.path, record.shell) == ("NOTE-005", "NOTE-005.md", False)
    assert record.extra == {key: "true"}
    assert len(found) == 1


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("# NOTE-005: A", "A"),
        ("# NOTE-5 — A: b", "A: b"),
        ("# NOTE-005 - A ##", "A"),
        ("#  NOTE-005: About C#  ", "About C#"),
        ("# A", "A"),
        ("# NOTE-006: A", "NOTE-006: A"),
        ("# GPT-4: A", "GPT-4: A"),
        ("## NOTE-005: A", ""),
        ("#NOTE-005: A", ""),
        ("```sh\n# a comment\n```\n# NOTE-005: A", "A"),
        ("~~~\n# never closed", ""),
    ],
)
def test_the_heading_without_the_records_own_id(heading: str, said: str) -> None:
    rest = f"\n{heading}\n\n# Another\n" if said else heading
    assert head("title: A", rest=rest)[0].heading == said


def test_a_shell_has_its_id_and_heading_only() -> None:
    record, found = head("title: [A", rest="# NOTE-005: A\n")
    assert (record.shell, record.id, record.heading, record.title) == (True, "NOTE-005", "A", "")
    assert found == ["2:8 F107"]


# ---------------------------------------------------------------- claims

TABLE = """
## Claims

| id | claim | strength | support |
|---|:--|--:|:-:|
| C1 | Depth *makes* tokens alike | **strong — really** | `proof` |
| C2 | The ratio `|a| / |b|` and a \\| pipe | weak | |
"""


def test_the_table_and_front_matter_make_one_claim() -> None:
    record, found = head(
        """
        claims:
          C1: {form: universal, locator: Theorem 1}
          C3: {text: Only here, untested: why not}
        """,
        rest=TABLE,
    )
    one, two, three = record.claims
    assert (one.id, one.text, one.strength, one.support) == (
        "NOTE-005#C1", "Depth *makes* tokens alike", "strong — really", "proof",
    )  # fmt: skip
    assert (one.form, one.locator, one.strength_head) == ("universal", "Theorem 1", "strong")
    assert (two.text, two.form) == ("The ratio `|a| / |b|` and a | pipe", "")
    assert (three.text, three.untested) == ("Only here", "why not")
    assert [(each.line, each.column) for each in record.claims] == [(3, 3), (12, 3), (4, 3)]
    assert found == []


@pytest.mark.parametrize(
    "table",
    [
        "| id | claim |\n| --- | --- |\n| C1 | a |",
        "|id|claim|\n|-|-|\n|C1|a|",
        "  | id | claim | strength | support | more |\n  |---|---|---|---|---|\n  | C1 | a |",
        "id | claim\n---|---\n\n| **id** | Claim |\n|---|---|\n| **C1** | a |",
        "| | x |\n|---|---|\n| y | z |\n\n| id | claim |\n|---|---|\n| C1 | a |\n\n| C2 | b |",
        "```\n| id | claim |\n|---|---|\n| C9 | a |\n```\n| id | claim |\n|---|---|\n| `C1` | a |",
    ],
)
def test_the_claims_table_is_found_by_its_header(table: str) -> None:
    record, found = head("title: A", rest=f"\n{table}\n")
    assert [(each.id, each.text) for each in record.claims] == [("NOTE-005#C1", "a")]
    assert found == []


def test_a_further_column_is_kept() -> None:
    table = "| id | claim | strength | support | where |\n|-|-|-|-|-|\n| C1 | a | | | Table 6 |\n"
    (claim,) = head("title: A", rest=table)[0].claims
    assert claim.extra == {"where": "Table 6"}


def test_rows_without_a_usable_id_are_reported_and_the_others_kept() -> None:
    rows = "| C1 | a |\n| C1 | b |\n| | |\n| C 2 | c |\n| C3 | d |\n"
    record, found = head("title: A", rest=f"| id | claim |\n|---|---|\n{rows}")
    assert [each.text for each in record.claims] == ["a", "d"]
    assert found == ["7:3 C401", "9:3 C401"]


def test_what_front_matter_says_against_the_table_is_dropped() -> None:
    record, found = head(
        """
        claims:
          C1: {claim: Something else, strength: strong — really, support: hearsay}
          C9: {form: universal}
        """,
        rest=TABLE,
    )
    assert record.claims[0].text == "Depth *makes* tokens alike"
    assert record.claims[0].support == "proof"
    assert found == ["3:15 C403", "3:67 C403", "4:3 C402"]


def test_claims_may_be_a_list() -> None:
    record, found = head("claims:\n- {id: C1, text: a}\n- {id: C2, text: b}\n- C3\n- {text: c}")
    assert [each.id for each in record.claims] == ["NOTE-005#C1", "NOTE-005#C2"]
    assert found == ["5:3 F113", "6:3 F113"]


def test_a_claim_of_its_own_has_the_same_keys_at_the_top() -> None:
    record, found = head(
        """
        title: A claim
        form: universal
        strength: strong
        refines: NOTE-001#C1
        test: {run: a.b, expect: x > 1, refute: x < 0, control: {none: {p: 1}}}
        """,
        "CLAIM-001",
    )
    (claim,) = record.claims
    assert (claim.id, claim.text, claim.form, claim.strength) == (
        "CLAIM-001", "A claim", "universal", "strong",
    )  # fmt: skip
    assert claim.tests[0].run == "a.b"
    assert [each.to for each in record.relations] == ["NOTE-001#C1"]
    assert found == []


def test_a_test_is_typed() -> None:
    (claim,) = head(
        """
        claims:
          C1:
            text: a
            test:
              run: rank_collapse.rate
              seeds: 20
              params: {width: 16}
              arms: {main: {}, wide: {width: 32}}
              expect: slope in [2.9, 3.1]
              refute: [slope < 2.5, wide.slope - slope > 1]
              controls:
                causal mask: {mask: causal}
        """
    )[0].claims
    (test,) = claim.tests
    assert (test.name, test.run, test.seeds, test.params) == (
        "", "rank_collapse.rate", 20, {"width": "16"},
    )  # fmt: skip
    assert [str(each) for each in (*test.expect, *test.refute)] == [
        "slope in [2.9, 3.1]", "slope < 2.5", "wide.slope - slope > 1",
    ]  # fmt: skip
    assert test.arms == {"main": {}, "wide": {"width": "32"}}
    assert test.control == {"causal mask": {"mask": "causal"}}


@pytest.mark.parametrize(
    ("test", "place"),
    [
        ("a.b", "5:11 C404"),
        ("{run: a.b}", "5:11 C404"),
        ("{expect: x > 1}", "5:11 C404"),
        ("{run: a.b, expect: []}", "5:11 C404"),
        ("{run: a.b, expect: x about 1}", "5:30 C404"),
        ("{run: a.b, expect: x > 1, refut: x < 0}", "5:37 C404"),
        ("{run: a.b, expect: x > 1, refute: [x < 0, x]}", "5:53 C404"),
        ("{run: a.b, expect: x > 1, seeds: 0}", "5:44 C404"),
        ("{run: a.b, expect: x > 1, seeds: many}", "5:44 C404"),
        ("{run: a.b, expect: b.x > 1}", "5:11 C404"),
        ("{run: a.b, expect: x > 1, params: {a: {b: c}}}", "5:49 C404"),
    ],
)
def test_a_test_is_read_whole_or_not_at_all(test: str, place: str) -> None:
    record, found = head(f"claims:\n  C1:\n    text: a\n    test: {test}\ntitle: A")
    assert found == [place]
    kept = "refut:" in test  # what is wrong then is beside the test
    assert len(record.claims[0].tests) == kept


def test_a_faulty_test_does_not_hide_the_next() -> None:
    record, found = head(
        """
        claims:
          C1:
            text: a
            tests:
              one: {run: a.b}
              two: {run: a.b, expect: x > 1}
        """
    )
    assert [each.name for each in record.claims[0].tests] == ["two"]
    assert found == ["6:12 C404"]


# ---------------------------------------------------------------- relations


def stated(record: Record | Claim) -> list[tuple[str, str, str, bool]]:
    return [(each.subject, each.relation, each.to, each.forward) for each in record.relations]


def test_relations_are_one_whichever_way_they_are_written() -> None:
    record, found = head(
        """
        paper: LIT-1
        extended_by: [NOTE-2, NOTE-3]
        relations:
          Supports: THEORY-1
          refined-by:
          - {to: NOTE-4, from: C1}
          rejects: ["#C2", "?nobody-yet", DOI:10.1/x]
        """
    )
    assert stated(record) == [
        ("", "supports", "THEORY-1", True),
        ("C1", "refines", "NOTE-4", False),
        ("", "rejects", "#C2", True),
        ("", "rejects", "?nobody-yet", True),
        ("", "rejects", "DOI:10.1/x", True),
        ("", "reads", "LIT-1", True),
        ("", "extends", "NOTE-2", False),
        ("", "extends", "NOTE-3", False),
    ]
    assert found == []


def test_an_edge_carries_what_is_said_of_it() -> None:
    (relation,) = head(
        """
        relations:
          rejects:
          - to: THEORY-1
            status: proposed
            because: it looks in the wrong place
            evidence: [argued, not tested]
            aspect: a crash
            component: TERM-1
            by: a curator
            filed: '2026-09-21'
            quoted: '…'
            says: what it says
            was: '?slug'
        """
    )[0].relations
    assert relation == Relation(
        relation="rejects", to="THEORY-1", status="proposed",
        because="it looks in the wrong place", evidence=("argued", "not tested"),
        aspect="a crash", component="TERM-1", by="a curator", filed="2026-09-21",
        quoted="…", says="what it says", was="?slug", line=4, column=9,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "places"),
    [
        ("source: Vaswani2017", ["2:9 F116"]),
        ("extends: LIT 8", ["2:10 F116"]),
        ("extends: [LIT-8, two words]", ["2:18 F116"]),
        ("relations: {extends: [{because: x}]}", ["2:23 F116"]),
        ("relations: {extends: [[LIT-1]]}", ["2:23 F116"]),
        ("relations: {extends: [LIT-1, LIT-1]}", ["2:30 F117"]),
        ("relations: {extends: [LIT-1, {to: LIT-1, from: C1}]}", []),
        ("relations: {extents: [LIT-1]}", ["2:13 F115"]),
        ("relations: {extends: [{to: LIT-1, wy: x}]}", ["2:35 F114"]),
        ("relations: {extends: [{to: LIT-1, status: maybe}]}", ["2:43 F112"]),
        ("relations: {extends: [{to: LIT-1, filed: maybe}]}", ["2:42 F112"]),
        ("relations: [extends]", ["2:12 F113"]),
        ("relations:\nextends:", []),
        ("relations: {extends: , rejects: []}", []),
    ],
)
def test_what_is_wrong_with_relations_is_told_at_its_place(keys: str, places: list[str]) -> None:
    assert head(keys, "LIT-005")[1] == places


def test_a_bare_word_names_a_part_only_where_one_can_stand() -> None:
    record, found = head(
        "senses: {a: {refers_to: x, relations: {homonym: [b]}}, b: {refers_to: y}}\nabout: b",
        "TERM-001",
    )
    assert isinstance(record, Term)
    assert [each.to for each in record.senses[0].relations] == ["b"]
    assert found == ["3:8 F116"]


def test_senses_hold_what_tells_them_apart() -> None:
    record, found = head(
        """
        senses:
          tokens:
            refers_to: tokens becoming alike
            prevented-by: TERM-002
            used_by: [LIT-1, {to: LIT-2, status: proposed}]
            colour: red
          weights:
        """,
        "TERM-001",
    )
    assert isinstance(record, Term)
    one, two = record.senses
    assert (one.id, one.refers_to, one.prevented_by) == (
        "TERM-001#tokens", "tokens becoming alike", "TERM-002",
    )  # fmt: skip
    assert [(e.relation, e.to, e.forward) for e in one.relations] == [
        ("uses", "LIT-1", False), ("uses", "LIT-2", False),
    ]  # fmt: skip
    assert (two.id, two.refers_to) == ("TERM-001#weights", "")
    assert one.extra == {"colour": "red"}
    assert found == ["7:5 F114"]


# ---------------------------------------------------------------- the body's own parts


def test_concepts_are_candidate_senses() -> None:
    record, _ = head(
        "title: A",
        rest="## Concepts\n\n- **Rank collapse** — as this paper\n  uses it\n"
        "- **`res(X)`**: the rest\n"
        "- no term\n\n## Next\n\n- **Not this** — one\n",
    )
    assert [(each.term, each.definition, each.line) for each in record.concepts] == [
        ("Rank collapse", "as this paper uses it", 6), ("res(X)", "the rest", 8),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("|a|b", ["a", "b"]),
        ("| `a|b` | ``c ` | d`` |", ["`a|b`", "``c ` | d``"]),
        ("| a \\| b | c |", ["a | b", "c"]),
        ("| `a | b |", ["`a", "b"]),
        ("| a | | |", ["a", "", ""]),
        ("|", []),
    ],
)
def test_cells_end_at_pipes_outside_of_code(line: str, cells: list[str]) -> None:
    assert [each.text for each in body.cells(line)] == cells
