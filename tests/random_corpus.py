"""Corpora that nobody would write: any edge between any two things, any text anywhere."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from anthology import corpus, relations
from anthology.config import Config
from anthology.records import Claim, Concept, Lit, Note, Record, Relation, Sense, Term, Theory

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
WORD = st.sampled_from(["rank collapse", "residual", 'a \\ "quote"\n', "τ", "x > y", ""])
MODELS: tuple[type[Record], ...] = (Lit, Note, Theory, Term, Record)
SCHEMES = ("LIT", "NOTE", "THEORY", "TERM", "SOTA")
ENDS = [
    *(f"{scheme}-{number:03}" for scheme in SCHEMES for number in (1, 2, 3)),
    "NOTE-001#C1", "NOTE-001#C1.a", "TERM-001#tokens", "TERM-001#weights", "#C1",
    "?nobody-filed-it", "?another", "LIT-999", "DP-001", "no id at all",
]  # fmt: skip
STATUS = st.sampled_from(["active", "proposed", "withdrawn"])


def stated() -> st.SearchStrategy[Relation]:
    return st.builds(
        Relation,
        relation=st.sampled_from([each.name for each in relations.RELATIONS]),
        to=st.sampled_from(ENDS),
        forward=st.booleans(),
        status=STATUS,
        because=TEXT,
        evidence=st.lists(st.sampled_from(["LIT-001", "argued", "NOTE-001#C1"]), max_size=2),
        aspect=WORD,
        component=st.sampled_from(["", "TERM-001", "the trunk"]),
        quoted=TEXT,
        says=WORD,
        was=st.sampled_from(["", "?nobody-filed-it", "LIT-001", "no id"]),
        filed=st.sampled_from(["", "2026-09-21", "2026-09-21/22"]),
    )


@st.composite
def corpora(draw: st.DrawFn) -> corpus.Corpus:
    found: list[Record] = []
    for scheme, model in zip(SCHEMES, MODELS, strict=True):
        for number in range(1, 1 + draw(st.integers(0, 3))):
            name = f"{scheme}-{number:03}"
            edges = st.lists(stated(), max_size=3)
            claims = tuple(
                Claim(id=f"{name}#{part}", text=draw(TEXT), strength=draw(WORD),
                      relations=tuple(draw(edges)))
                for part in draw(st.lists(st.sampled_from(["C1", "C2", "C1.a"]), unique=True))
            )  # fmt: skip
            more: dict[str, object] = {}
            if model is Term:
                more["senses"] = tuple(
                    Sense(id=f"{name}#{part}", refers_to=draw(TEXT), relations=tuple(draw(edges)))
                    for part in draw(st.lists(st.sampled_from(["tokens", "weights"]), unique=True))
                )
            if model is Lit:
                more |= {"published": draw(st.sampled_from(["", "2021", "2021-12", "2021-03-05"])),
                         "arxiv": draw(st.sampled_from(["", "2103.03404", "nonsense"])),
                         "keywords": draw(st.lists(WORD, max_size=2))}  # fmt: skip
            found.append(
                model(
                    id=name, path=f"records/{draw(st.sampled_from(['', 'a b/', 'é#?/']))}{name}.md",
                    title=draw(TEXT), date=draw(st.sampled_from(["", "20260921", "2026-09-21/22"])),
                    claims=claims, concepts=tuple(draw(st.lists(
                        st.builds(Concept, term=WORD, definition=TEXT), max_size=1))),
                    relations=tuple(draw(edges)), **more,
                )
            )  # fmt: skip
    return corpus.join(Config(root=Path("/nowhere")), found)
