"""New records and experiments: they validate, and they run, as they are."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

import pytest

from anthology import corpus, experiment, measure
from anthology.errors import UnknownNameError
from litgraph import rules
from litgraph.mending import changes, drafts, numbers, trials
from litgraph.mending.drafts import Draft, DraftError
from litgraph.mending.trials import TrialError
from litgraph.mending.works import Work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from anthology.corpus import Corpus

    Write = Callable[[Mapping[str, str]], Path]

DAY = "2026-12-01"
KNOWN = {
    "records/lit/LIT-530.md": "---\nnumber: 530\ntitle: 'W: x'\n---\n# LIT-530: W: x\n",
    "records/note/NOTE-001.md": "---\nnumber: 1\ntitle: N\npaper: LIT-530\n---\n# NOTE-001: N\n",
}
WORK = Work(
    title="On: it", published="2021-03", arxiv="2103.03404", doi="10.1/X", url="https://a.org",
    venue="No. 5", authors=("No", "B", "C", "D"),
)  # fmt: skip


def filed(found: Corpus, draft: Draft) -> tuple[str, Corpus]:
    """File a draft; nothing may be wrong with the record then. Return its text and all records."""
    change = drafts.record(found, draft)
    changes.apply(found.config, [change])
    after = corpus.load(found.root)
    assert rules.validate(after) == []
    assert draft.name in after.records
    return change.after.decode(), after


@pytest.fixture
def known(write: Write) -> Corpus:
    return corpus.load(write(KNOWN))


def draft(name: str, **given: object) -> Draft:
    folder = f"records/{name.partition('-')[0].lower()}"
    return Draft(name=name, folder=folder, date=DAY, **given)  # type: ignore[arg-type] # a test


def test_a_work(known: Corpus) -> None:
    text, _ = filed(known, draft("LIT-531", work=WORK, fills="?it"))
    assert text == textwrap.dedent("""\
        ---
        number: 531
        status: Proposed
        title: 'On: it'
        date: '2026-12-01'
        fills: '?it'
        published: '2021-03'
        arxiv: '2103.03404'
        doi: '10.1/X'
        venue: No. 5
        first_author: 'No'
        authors:
        - 'No'
        - B
        - C
        - D
        ---
        # LIT-531: On: it

        No and 3 others, No. 5.

        ## Key takeaways
        """)


@pytest.mark.parametrize(
    ("work", "title"),
    [
        (Work(arxiv="2103.03404v2"), "arXiv 2103.03404v2 (title not recorded)"),
        (Work(doi="10.1000/1"), "DOI 10.1000/1 (title not recorded)"),
    ],
)
def test_a_work_of_which_only_the_id_is_known(known: Corpus, work: Work, title: str) -> None:
    assert filed(known, draft("LIT-531", work=work))[1].records["LIT-531"].title == title


@pytest.mark.parametrize(
    ("people", "said"),
    [
        (("A",), "A, 2021."),
        (("A", "B"), "A and B, 2021."),
        (("A", "B", "C"), "A, B and C, 2021."),
        ((), "## Key takeaways"),
    ],
)
def test_people(known: Corpus, people: tuple[str, ...], said: str) -> None:
    work = Work(title="T", published="2021", authors=people)
    assert filed(known, draft("LIT-531", work=work))[0].split("\n\n")[1].strip() == said


def test_a_note(known: Corpus) -> None:
    text, after = filed(known, draft("NOTE-002", paper="LIT-530"))
    assert after.records["NOTE-002"].title == "A reading of W: x"
    assert after.records["NOTE-002"].status == "Unread"
    assert "A reading of [LIT-530](../lit/LIT-530.md).\n\n## Claims\n\n| id | claim |" in text
    assert [each.relation for each in after.out("NOTE-002")] == ["reads"]


@pytest.mark.parametrize(
    "name", ["THEORY-001", "TERM-001", "CLAIM-001", "SOTA-001", "LIT-tmpab1cd"]
)
def test_other_kinds(known: Corpus, name: str) -> None:
    sources = ["LIT-530"] if name[0] in "ST" and name[1] != "E" else []
    text, after = filed(known, draft(name, title="A: b # c", sources=sources, status="Active"))
    assert after.records[name].title == "A: b # c"
    assert ("[LIT-530](../lit/LIT-530.md)" in text) == bool(sources)
    assert ("number:" in text) == (name != "LIT-tmpab1cd")


def test_a_claim_that_stands_alone_has_a_form(known: Corpus) -> None:
    after = filed(known, draft("CLAIM-001", title="It holds", form="causal"))[1]
    assert after.claims["CLAIM-001"].form == "causal"
    assert after.claims["CLAIM-001"].text == "It holds"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (draft("THEORY-001"), "THEORY-001 needs a title: add --title"),
        (draft("LIT-001"), "LIT-001 needs a title"),
        (draft("NOTE-001", title="x"), "a note is the reading of one work: add --paper"),
        (Draft(name="LIT-001", folder="r", date="soon", title="x"), "'soon' is no date"),
        (draft("CLAIM-001", title="x", form="universl"), "did you mean `universal`"),
    ],
)
def test_what_cannot_be_drafted(known: Corpus, given: Draft, said: str) -> None:
    with pytest.raises(DraftError, match=said):
        drafts.record(known, given)


def test_numbers_and_folders(write: Write) -> None:
    root = write(
        {
            **KNOWN,
            "records/lit/LIT-tmpab1cd.md": "---\ntitle: x\n---\n",
            "records/old/LIT-002.md": "---\nformerly: [LIT-600]\n---\n",
            "luria.yaml": "schemes:\n  SOTA: {dir: records/practices.d/}\n  ADR:\n",
        }
    )
    found = corpus.load(root)
    following = numbers.following(found, "LIT")
    assert [next(following), next(following)] == ["LIT-601", "LIT-602"]
    assert next(numbers.following(found, "SOTA")) == "SOTA-001"
    assert numbers.folder(found, "LIT") == "records/lit"
    assert numbers.folder(found, "SOTA") == "records/practices.d"
    assert numbers.folder(found, "ADR") == "records/adr"
    name = numbers.temporary(found, "LIT")
    assert numbers.is_temporary(name)
    assert not numbers.is_temporary("LIT-601")


# ---------------------------------------------------------------- experiments

CLAIMS = """
    ---
    number: 2
    title: A reading of the 2 works
    paper: LIT-530
    claims:
      C1:
        form: existential
        locator: Theorem 1   # of the second version
        relations: {supports: [C2]}
      C3: {form: definition}
      C4: {untested: too long}
      C5:
        form: universal
        test:
          run: topic.other
          expect: x > 1
          control: {a: {b: c}}
    ---
    # NOTE-002: A reading of the 2 works

    | id | claim |
    |---|---|
    | C1 | There is "one" of the `things` \\ with it |
    | C2 | Class of 3 things that were with the network |
    | C3 | What it is |
    | C4 | What it does |
    | C5 | What it gives |
    """


@pytest.fixture
def claims(write: Write) -> Corpus:
    return corpus.load(write({**KNOWN, "records/note/NOTE-002.md": CLAIMS}))


def begun(found: Corpus, claim: str, **given: str) -> Corpus:
    changes.apply(found.config, trials.experiment(found, claim, **given))
    return corpus.load(found.root)


def test_experiments_of_all_forms_validate_and_run_as_they_are(write: Write) -> None:
    rows = "\n".join(f"| C{n} | Claim {n} |" for n in range(len(trials.FORMS)))
    note = f"---\npaper: LIT-530\n---\n| id | claim |\n|---|---|\n{rows}\n"
    found = corpus.load(write({**KNOWN, "records/note/NOTE-002.md": note}))
    for number, form in enumerate(trials.FORMS):
        found = begun(found, f"NOTE-002#C{number}", name=f"toy.{form}", form=form)
        claim = found.claims[f"NOTE-002#C{number}"]
        assert (claim.form, claim.tests[0].run) == (form, f"toy.{form}")
        contract = experiment.describe(found.root / f"experiments/toy/{form}.py")
        assert contract.about.startswith(f"Claim {number}.\n\nSource: LIT-530, NOTE-002. Say")
    assert rules.validate(found) == []
    verdicts = measure.run(found, found.claims)
    assert len(verdicts) == len(trials.FORMS)
    assert {(each.word, each.cause) for each in verdicts.values()} == {
        ("inconclusive", "between the bounds")
    }


def test_names_are_made_of_words(claims: Corpus) -> None:
    made = trials.experiment(claims, "NOTE-002#C2")
    assert [each.path for each in made] == [
        "experiments/__init__.py",
        "experiments/topic/__init__.py",
        "experiments/topic/class_3_things.py",
        "records/note/NOTE-002.md",
    ]
    assert made[-1].said == (
        "NOTE-002#C2 is tested by topic.class_3_things; its form is universal now",
    )


def test_an_experiment_changes_only_its_claim(claims: Corpus) -> None:
    before = (claims.root / "records/note/NOTE-002.md").read_text()
    after = begun(claims, "NOTE-002#C1")
    text = (after.root / "records/note/NOTE-002.md").read_text()
    test = textwrap.indent(
        textwrap.dedent("""\
            test:
              run: topic.there_one_things
              seeds: 10
              expect: effect > 0.9
              control:
                without its cause: {cause: false}
            """),
        "    ",
    )
    line = "    locator: Theorem 1   # of the second version\n"
    assert text == before.replace(line, line + test)
    module = (after.root / "experiments/topic/there_one_things.py").read_text()
    assert ast.get_docstring(ast.parse(module)) == (
        "There is 'one' of the `things` / with it.\n\nSource: LIT-530, NOTE-002, Theorem 1. "
        "Say here where the work says it, and in whose symbols."
    )


def test_a_claim_of_its_own(write: Write) -> None:
    found = corpus.load(write({"records/CLAIM-001.md": "---\r\ntitle: It is\r\n---\r\n"}))
    after = begun(found, "CLAIM-001")
    assert after.claims["CLAIM-001"].tests[0].run == "claims.untitled"
    data = (after.root / "records/CLAIM-001.md").read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n") == 11


def test_a_long_name_breaks_the_line(claims: Corpus) -> None:
    name = f"topic.{'n' * 80}"
    module = trials.experiment(claims, "NOTE-002#C1", name)[-2].after.decode()
    assert max(map(len, module.splitlines())) <= trials.WIDTH
    ast.parse(module)


@pytest.mark.parametrize(
    ("claim", "given", "error", "said"),
    [
        ("NOTE-002#C5", {}, TrialError, "has a test already: it runs topic.other"),
        ("NOTE-002#C4", {}, TrialError, "says why it is untested"),
        ("NOTE-002#C3", {}, TrialError, "is a definition, which has nothing to run"),
        ("NOTE-002", {}, UnknownNameError, "no claim named 'NOTE-002'"),
        ("NOTE-002#C2", {"form": "causl"}, UnknownNameError, "did you mean causal"),
        ("NOTE-002#C1", {"name": "one"}, TrialError, "'one' names no experiment: write topic"),
        ("NOTE-002#C1", {"name": "a.class"}, TrialError, "names no experiment"),
        ("NOTE-002#C1", {"name": "a.b/c"}, TrialError, "names no experiment"),
    ],
)
def test_what_cannot_be_begun(
    claims: Corpus, claim: str, given: dict[str, str], error: type, said: str
) -> None:
    with pytest.raises(error, match=said):
        trials.experiment(claims, claim, **given)


def test_a_module_that_is_there_is_kept(claims: Corpus) -> None:
    begun(claims, "NOTE-002#C1", name="a.b")
    with pytest.raises(TrialError, match=r"experiments/a/b\.py is there already"):
        trials.experiment(corpus.load(claims.root), "NOTE-002#C2", "a.b")
