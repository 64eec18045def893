"""The named questions: golden answers on this repository's record, and two engines agreeing.

A golden answer holds what people see of each row. Where the record changes, look at what
`GOLDEN=write pytest tests/unit/test_questions.py` makes of it, and check it by hand.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import rdflib
import rdflib.plugins.sparql.algebra
from hypothesis import given, settings
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.parserutils import CompValue

from anthology import ids, verify
from anthology.corpus import Corpus
from anthology.errors import QueryError, UnknownNameError
from anthology.judge import Verdict
from litgraph import iris, lexical, questions, rdf, store, syntax
from litgraph.questions import Question, Row
from tests.random_corpus import corpora

GOLDEN = Path(__file__).parents[1] / "golden" / "questions"
QUESTIONS = questions.questions()
Make = Callable[..., Corpus]


def by_pyoxigraph(corpus: Corpus, verdicts: Mapping[str, Verdict]) -> questions.Solve:
    loaded, base = store.store(corpus, verdicts), corpus.config.base
    return lambda text: store.rows(store.query(loaded, text, base), base)


def by_rdflib(corpus: Corpus, verdicts: Mapping[str, Verdict]) -> questions.Solve:
    """Ask rdflib, of the Turtle that `export` writes."""
    base = corpus.config.base
    turtle = syntax.serialize(rdf.quads(corpus, verdicts), "turtle", iris.prefixes(base))
    graph = rdflib.Graph().parse(data=turtle, format="turtle")

    def plain(term: Any) -> object:
        if term is None or isinstance(term, rdflib.URIRef):
            return None if term is None else iris.name(base, str(term))
        return lexical.value(str(term), str(term.datatype or lexical.STRING))

    def solve(text: str) -> Iterator[dict[str, object]]:
        found = graph.query(text)
        for solution in found:
            yield {str(name): plain(solution[name]) for name in found.vars or ()}  # type: ignore[index]

    return solve


@pytest.fixture(scope="module")
def stored(seed: Corpus) -> Mapping[str, Verdict]:
    """What the stored runs say, whatever torch there is here: staleness is left out."""
    return verify.verdicts(seed, stale=False)


@pytest.fixture(scope="module")
def solve(seed: Corpus, stored: Mapping[str, Verdict]) -> questions.Solve:
    return by_pyoxigraph(seed, stored)


@pytest.fixture(scope="module")
def reference(seed: Corpus, stored: Mapping[str, Verdict]) -> questions.Solve:
    return by_rdflib(seed, stored)


# ---------------------------------------------------------------- golden answers


def seen(question: Question, rows: Iterable[Row]) -> list[Row]:
    """Return of each row what people see."""
    shown = [question.group, *question.columns, question.note]
    return [{name: row[name] for name in shown if name} for row in rows]


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_is_the_one_that_was_checked_by_hand(name: str, solve: questions.Solve) -> None:
    question = QUESTIONS[name]
    path = GOLDEN / f"{name}.json"
    found = seen(question, questions.answer(question, solve))
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"about": ""}
    if os.environ.get("GOLDEN") == "write":
        kept |= {"rows": found}
        path.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert found == kept["rows"]
    assert kept["about"], f"{path.name} does not say how the answer was checked"


def test_every_golden_answer_has_a_question() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(QUESTIONS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_rdflib_answers_the_exported_turtle_with_the_same_rows(
    name: str, solve: questions.Solve, reference: questions.Solve
) -> None:
    question = QUESTIONS[name]
    assert questions.answer(question, reference) == questions.answer(question, solve)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_row_leads_back_to_a_file_and_a_line(
    name: str, seed: Corpus, solve: questions.Solve
) -> None:
    for row in questions.answer(QUESTIONS[name], solve):
        if "file" in row:
            lines = (seed.root / str(row["file"])).read_text(encoding="utf-8").splitlines()
            assert isinstance(row["line"], int)
            assert 1 <= row["line"] <= len(lines)
        else:
            assert name == "strengths"  # it counts, and its rows hold the claims


# ---------------------------------------------------------------- what the answers must name


def test_homonyms_names_rank_collapse_with_its_two_senses(solve: questions.Solve) -> None:
    rows = [r for r in questions.answer(QUESTIONS["homonyms"], solve) if r["term"] == "TERM-001"]
    one, other = rows
    assert (one["locus"], one["axis"]) == ("activations", "depth")
    assert one["used_by"] == ["LIT-530", "NOTE-274", "THEORY-066"]
    assert (other["locus"], other["axis"]) == ("weight matrices", "training time")
    assert other["used_by"] == ["LIT-350", "NOTE-105"]
    assert "LIT-516" in other["proposed_users"]  # type: ignore[operator]
    assert {row["kind"] for row in rows} == {"declared"}


def test_alternatives_gives_both_mechanisms_and_no_dispute(solve: questions.Solve) -> None:
    rows = questions.answer(QUESTIONS["alternatives"], solve)
    assert [row["account"] for row in rows] == ["THEORY-011", "THEORY-066"]
    assert {row["component"] for row in rows} == {"skip connection (TERM-002)"}
    assert all(row["mechanism"] and row["dispute"] == ["none"] for row in rows)


def test_placeholders_tells_what_was_filed_first(solve: questions.Solve) -> None:
    rows = {row["by"]: row for row in questions.answer(QUESTIONS["placeholders"], solve)}
    assert rows["THEORY-062"]["order"] == ["LIT-521 before LIT-530", "THEORY-062 before THEORY-066"]
    assert rows["NOTE-266#C5"]["target"] == "THEORY-066"
    assert rows["NOTE-266#C5"]["filed"] == "2026-09-21/22"
    assert rows["NOTE-266#C5"]["target_since"] == "2026-09-21/22"


# ---------------------------------------------------------------- on other records


def ask(corpus: Corpus, name: str, verdicts: Mapping[str, Verdict] | None = None) -> list[Row]:
    question = QUESTIONS[name]
    rows = questions.answer(question, by_pyoxigraph(corpus, verdicts or {}))
    assert questions.answer(question, by_rdflib(corpus, verdicts or {})) == rows
    return rows


def test_an_open_placeholder_has_no_target(make: Make) -> None:
    found = make(THEORY_001='date: 2026-12-01\nrelations: {rejects: [{to: "?x", says: a thing}]}')
    (row,) = ask(found, "placeholders")
    assert (row["target"], row["status"]) == ("nobody has filed it", "target-absent")
    assert (row["spoken_of"], row["filed"]) == ("?x  a thing", "2026-12-01")


def test_no_order_is_invented_between_schemes(make: Make) -> None:
    found = make(
        THEORY_062='date: 2026-12-01\nrelations: {rejects: [{to: NOTE-274#C1, was: "?x"}]}',
        NOTE_274="date: 2026-12-01\nclaims: {C1: {text: t}}",
    )
    (row,) = ask(found, "placeholders")
    assert (row["filed"], row["target_since"], row["order"]) == ("2026-12-01", "2026-12-01", [])


def test_a_dispute_between_alternatives_is_named(make: Make) -> None:
    found = make(
        THEORY_001="relations: {alternative-account: [{to: THEORY-002, component: a trunk}]}",
        THEORY_002="relations: {rejects: [THEORY-001]}",
    )
    rows = ask(found, "alternatives")
    assert [row["dispute"] for row in rows] == [["rejects"], ["rejects"]]
    assert {row["component"] for row in rows} == {"a trunk"}


def test_a_correction_between_accounts_alone_is_found(make: Make) -> None:
    found = make(
        LIT_001="title: a",
        LIT_002="title: b",
        THEORY_001="source: [LIT-001]\nrelations: {corrects: [THEORY-002]}",
        THEORY_002="source: [LIT-002]",
    )
    (row,) = ask(found, "one-level-corrections")
    assert (row["by"], row["of"], row["by_works"]) == ("THEORY-001", "THEORY-002", ["LIT-001"])


def test_accounts_that_ignore_each_other_are_found(make: Make) -> None:
    terms = {"TERM_002": "title: skip connection"}
    found = make(THEORY_001="explains: [TERM-002]", THEORY_002="explains: [TERM-002]", **terms)
    (row,) = ask(found, "unrelated-accounts")
    assert (row["account"], row["other"]) == ("THEORY-001", "THEORY-002")
    found = make(
        THEORY_001="explains: [TERM-002]",
        THEORY_002="explains: [TERM-002]\nrelations: {rivals: [THEORY-001]}",
        **terms,
    )
    assert ask(found, "unrelated-accounts") == []
    assert [row["related_to"] for row in ask(found, "accounts")] == [["THEORY-002"], ["THEORY-001"]]


def test_a_retired_document_that_is_still_used_is_found(make: Make) -> None:
    found = make(
        LIT_001="status: Active\nsupersedes: [LIT-002]",
        LIT_002="title: old",
        LIT_003="status: Retracted",
        NOTE_001="paper: LIT-002",
        NOTE_002="paper: LIT-003",
    )
    rows = [(r["by"], r["relation"], r["of"], r["retired"]) for r in ask(found, "retired")]
    assert rows == [
        ("NOTE-001", "reads", "LIT-002", "superseded by LIT-001"),
        ("NOTE-002", "reads", "LIT-003", "Retracted"),
    ]


def test_a_code_without_a_record_is_found(make: Make) -> None:
    found = make(LIT_001="relations: {extends: [LIT-999], compared-against: [SOTA-010]}")
    assert [(r["of"], r["kind"]) for r in ask(found, "placeless")] == [
        ("LIT-999", "no such record"), ("SOTA-010", "kept elsewhere"),
    ]  # fmt: skip


def test_a_word_among_keywords_without_its_sense_is_found(make: Make) -> None:
    term = "title: rank collapse\nsenses: {a: {used_by: [LIT-002]}, b: {refers_to: x}}"
    found = make(
        TERM_001=term, LIT_001="keywords: [Rank  Collapse]", LIT_002="keywords: [rank collapse]"
    )
    (row,) = ask(found, "ambiguous-uses")
    assert (row["document"], row["word"]) == ("LIT-001", "rank collapse")
    assert row["senses"] == ["TERM-001#a", "TERM-001#b"]


def test_verdicts_and_what_they_touch(make: Make) -> None:
    found = make(
        NOTE_001="""
            claims:
              C1: {text: refuted one, test: {run: a.b, expect: x < 1}}
              C2: {text: finer, relations: {refines: [C1]}}
              C3: {text: finer still, relations: {refines: [C2]}}
              C4: {text: stale one, test: {run: a.c, expect: x < 1}}
              C5: {text: no matter}
              C6: {text: vacuous one}
            relations:
              supports: [{to: THEORY-001, from: C1}]
            """,
        THEORY_001="title: an account\nexplains: [TERM-001]",
        TERM_001="title: a word",
    )
    verdicts = {
        "NOTE-001#C1": Verdict("refuted", detail="x = 2", passed=0, seeds=3),
        "NOTE-001#C4": Verdict("inconclusive", "guard", seeds=3, stale=(("code", "changed"),)),
        "NOTE-001#C6": Verdict("vacuous", "a control meets expect"),
    }
    assert [(row["touched"], row["how"]) for row in ask(found, "shaken", verdicts)] == [
        ("NOTE-001", ["states it"]),
        ("NOTE-001#C2", ["rests on it"]),
        ("NOTE-001#C3", ["rests on it"]),
        ("THEORY-001", ["rests on it"]),
    ]
    (row,) = ask(found, "refuted", verdicts)
    assert (row["claim"], row["detail"]) == ("NOTE-001#C1", "x = 2")
    (row,) = ask(found, "inconclusive", verdicts)
    assert (row["claim"], row["cause"]) == ("NOTE-001#C4", "guard")
    (row,) = ask(found, "vacuous", verdicts)
    assert row["claim"] == "NOTE-001#C6"
    (row,) = ask(found, "stale", verdicts)
    assert (row["claim"], row["changed"]) == ("NOTE-001#C4", ["code: changed"])
    assert [(row["verdict"], row["why"]) for row in ask(found, "verdicts", verdicts)] == [
        ("refuted", "0/3"), ("inconclusive", "guard"),
    ]  # fmt: skip
    assert [row["claim"] for row in ask(found, "untested", verdicts)] == [
        "NOTE-001#C2", "NOTE-001#C3", "NOTE-001#C5",
    ]  # fmt: skip


@given(corpora())
@settings(max_examples=4, deadline=None)
def test_the_engines_agree_on_any_record(corpus: Corpus) -> None:
    solve, reference = by_pyoxigraph(corpus, {}), by_rdflib(corpus, {})
    for question in QUESTIONS.values():
        rows = questions.answer(question, solve)
        assert questions.answer(question, reference) == rows, question.name


# ---------------------------------------------------------------- the files


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_s_header_fits_its_query(name: str) -> None:
    question = QUESTIONS[name]
    asked = prepareQuery(question.text)
    variables = {str(each) for each in asked.algebra.PV}
    shown = {*question.columns, *question.fold, *question.titles}
    shown |= {each.removeprefix("-") for each in question.sort}
    shown |= {each for each in (question.group, question.note) if each}
    assert shown <= variables
    assert question.tells.endswith(".")
    assert question.example.startswith(f"anthology ask {name}")
    assert question.layout in {"table", "cards"}
    assert len(question.title) <= 75
    assert max(map(len, question.text.splitlines())) <= 100


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_names_every_predicate_that_it_can_match(name: str) -> None:
    """A predicate that is a variable must be bound by VALUES, or be what a statement says."""
    question = QUESTIONS[name]
    listed = set(re.findall(r"VALUES \(?\?(\w+)", question.text))
    found: list[Any] = []

    def visit(node: Any) -> None:
        if isinstance(node, CompValue) and node.name == "BGP":
            found.extend(predicate for _, predicate, _ in node.triples)

    rdflib.plugins.sparql.algebra.traverse(prepareQuery(question.text).algebra, visitPost=visit)
    loose = {str(each) for each in found if isinstance(each, rdflib.Variable)} - listed
    assert loose == set()
    assert "!" not in "".join(str(each) for each in found if not isinstance(each, rdflib.URIRef))


def test_a_record_s_own_question_is_found_and_may_replace_one(make: Make, tmp_path: Path) -> None:
    found = make(LIT_001="title: a", LIT_002="title: b")
    own = tmp_path / "questions"
    own.mkdir()
    (own / "mine.rq").write_text(
        "# title: Mine\n# columns: s\nSELECT ?s { ?s ?p ?o FILTER (?p = rdfs:label) }"
    )
    assert questions.ask(found, questions.find("mine", tmp_path)) == [
        {"s": "LIT-001"}, {"s": "LIT-002"},
    ]  # fmt: skip
    (own / "homonyms.rq").write_text("# title: Other\n# columns: s\nSELECT ?s {}")
    assert questions.find("homonyms", tmp_path).title == "Other"
    assert questions.find("homonyms").title == "Words that name two things"


def test_an_unknown_question_names_the_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="did you mean homonyms"):
        questions.find("homonym")
    assert questions.find("one_sided").name == "one-sided"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT ?s {}", r"mine.rq: the header has no `# title:`"),
        ("# title: t\nSELECT ?s {}", r"mine.rq: the header has no `# columns:`"),
        ("# title: t\n# colums: s\nSELECT ?s {}", r"mine.rq:2: '# colums: s' is no line of a"),
        (b"\xff\xfe", r"mine.rq cannot be read"),
    ],
)
def test_a_header_that_cannot_be_read_is_said(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    path = tmp_path / "mine.rq"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(QueryError, match=message):
        questions.read(path)


def test_rows_are_in_the_order_in_which_people_count(make: Make) -> None:
    found = make(**{f"LIT_{n}": "title: t" for n in (2, 10, 1)})
    works = [str(row["work"]) for row in ask(found, "uncited")]
    assert works == ["LIT-1", "LIT-2", "LIT-10"]
    assert works == sorted(works, key=ids.order)


def test_an_answer_may_be_kept_to_what_bears_on_an_id(seed: Corpus) -> None:
    rows = questions.ask(seed, QUESTIONS["rejections"], ["LIT-521"])
    assert [row["by"] for row in rows] == ["NOTE-266#C5", "THEORY-062"]
    assert [r["by"] for r in questions.ask(seed, QUESTIONS["rejections"], ["NOTE-266"])] == [
        "NOTE-266#C5"
    ]
    assert questions.ask(seed, QUESTIONS["rejections"], ["LIT-047"]) == []


def test_a_status_that_is_active_everywhere_goes_unsaid(seed: Corpus) -> None:
    question = QUESTIONS["rejections"]
    rows = questions.ask(seed, question)
    assert "status" not in questions.sheet(question, rows).columns
    rows[0]["status"] = "proposed"
    assert "status" in questions.sheet(question, rows).columns
