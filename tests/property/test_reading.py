"""Whatever a file holds, it is read: findings, a record, and never an exception."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from anthology import config, corpus, frontmatter, ids, reader, source
from litgraph import rules
from tests.golden import faults

if TYPE_CHECKING:
    from anthology.findings import Finding
    from anthology.records import Record

patient = settings(deadline=None)  # a busy machine is no fault
CORPORA = os.environ.get("ANTHOLOGY_CORPORA", "")
HEAD = "number: 5\ntitle: A\n"
PIECES = st.sampled_from(
    [
        *("---\n", "...\n", "\n", "\r\n", "\r", "\t", " ", "  ", "- ", "? ", ": ", ":", "#", " # "),
        *("'", '"', "[", "]", "{", "}", ",", "&a ", "*a", "!t ", "|\n", ">-\n", "%", "@", "`"),
        *("<<<<<<< HEAD\n", "=======\n", ">>>>>>> b\n", "<!-- x -->\n", "<!--", "-->", "\0"),
        *("\x85", "\u2028", "\x80", "\ufeff", "é", "𝒳", "~", "null", "2103.10", "no", "12e99"),
        *("number: 5\n", "title: A: B\n", "tags:\n", "claims:\n", "  C1:\n", "    form: causal\n"),
        *("    test:\n", "      run: a.b\n", "      expect: x > 1\n", "senses:\n", "relations:\n"),
        *("  rejects:\n", "  - ", "to: ", "LIT-005", "NOTE-1#C1", "'#C1'", '"?slug"', "date: "),
        *("paper: LIT-001\n", "arxiv: 2103.03404\n", "status: Superseded — by x\n", "formerly: "),
        *("# LIT-005: A\n", "## Claims\n\n", "| id | claim | strength |\n", "|---|---|\n"),
        *("| C1 | a `|` b | strong |\n", "| C1 | ", "```\n", "## Concepts\n\n", "- **T** — d\n"),
    ]
)
SOUP = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)
CASES = [
    case
    for case in map(faults.read, faults.codes())
    if any(each.path.endswith(".md") for each in case.files)
]
NAMES = st.sampled_from(["LIT-005", "NOTE-005", "THEORY-005", "TERM-005", "CLAIM-005", "ADR-005"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates()
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
KEYS = st.sampled_from(
    [
        *("number", "status", "title", "date", "tags", "formerly", "summary", "claims", "senses"),
        *("relations", "paper", "source", "extended_by", "rejects", "arxiv", "published", "id"),
        *("path", "shell", "extra", "heading", "concepts", "kind", "test", "tests", "form", "uses"),
    ]
)


def record_of(data: bytes, name: str) -> tuple[source.Document, Record]:
    document = source.parse(data, source.Document(f"records/{name}.md", name))
    return document, reader.record(document)


def holds(data: bytes, name: str = "LIT-005") -> Record:
    """Read a file, and check what must be true of whatever comes of it."""
    document, record = record_of(data, name)
    assert (record.id, record.path) == (name, f"records/{name}.md")
    assert record.shell is (document.fields is None)
    known = {rule.code for rule in rules.rules()}
    text = data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    for each in document.findings:
        assert each.code in known
        assert 1 <= each.line <= text.count("\n") + 2
        assert each.column >= 1
    joined = corpus.join(config.Config(root=Path()), [record], document.findings)
    rules.validate(joined)
    return record


@patient
@given(st.binary(max_size=400), NAMES)
def test_random_bytes(data: bytes, name: str) -> None:
    holds(data, name)


@patient
@given(SOUP, NAMES)
def test_random_text(text: str, name: str) -> None:
    holds(text.encode("utf-8", errors="surrogatepass"), name)


@patient
@given(SOUP, SOUP, NAMES)
def test_random_front_matter_and_body(head: str, body: str, name: str) -> None:
    holds(f"---\n{HEAD}{head}\n---\n{body}".encode("utf-8", errors="surrogatepass"), name)


def drawn(data: st.DataObject) -> tuple[str, str]:
    """Draw a faulty record with more faults: its name and its text."""
    case = data.draw(st.sampled_from(CASES))
    each = data.draw(st.sampled_from([each for each in case.files if each.path.endswith(".md")]))
    text = each.text
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + data.draw(PIECES | st.just(text[start : end + 20])) + text[end:]
    name = Path(each.path).stem
    return (name if ids.is_code(name) else "LIT-005"), text


@patient
@given(st.data())
def test_a_faulty_record_with_more_faults(data: st.DataObject) -> None:
    name, text = drawn(data)
    holds(text.encode("utf-8", errors="surrogatepass"), name)


@patient
@given(st.data())
def test_many_faulty_records_some_of_one_id(data: st.DataObject) -> None:
    found = []
    for number in range(data.draw(st.integers(2, 6))):
        name, text = drawn(data)
        if data.draw(st.booleans()):
            name = name.replace("-", "-0", 1) if name[-1].isdigit() else name
        document = source.Document(f"records/{number}/{name}.md", name)
        source.parse(text.encode("utf-8", errors="surrogatepass"), document)
        found.append((reader.record(document), document.findings))
        if data.draw(st.booleans()):
            found.append(found[0])
    straight = joined(found)
    assert joined(found) == straight


@patient
@given(st.dictionaries(KEYS | st.text(max_size=6), VALUES, max_size=6), NAMES)
def test_random_yaml(value: dict[str, object], name: str) -> None:
    text = yaml.safe_dump(value, allow_unicode=True)
    holds(f"---\n{text}---\n".encode("utf-8", errors="surrogatepass"), name)


@patient
@given(st.dictionaries(KEYS, VALUES, max_size=3), st.sampled_from(["C1", "tokens", "x y"]))
def test_random_claims_and_senses(value: dict[str, object], part: str) -> None:
    for name, key in (("NOTE-005", "claims"), ("TERM-005", "senses")):
        text = yaml.safe_dump({key: {part: value}}, allow_unicode=True)
        holds(f"---\n{text}---\n".encode("utf-8", errors="surrogatepass"), name)


# Control characters and line separators are reported by `source`, before.
SEEN = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff")


@patient
@given(st.dictionaries(st.text(SEEN, min_size=1, max_size=8), st.text(SEEN, max_size=12)))
def test_every_text_survives_as_it_was_written(fields: dict[str, str]) -> None:
    text = yaml.safe_dump(fields, allow_unicode=True)
    found: list[str] = []
    read = frontmatter.compose(text, lambda *finding: found.append(str(finding)))
    assume(not found)  # what YAML writes as an anchor or a tag of its own
    assert read == fields


@patient
@given(SOUP)
def test_line_ends_and_a_byte_order_mark_change_nothing(text: str) -> None:
    plain = f"---\n{HEAD}{text}\n---\n# LIT-005: A\n{text}".replace("\r", "")
    document, record = record_of(plain.encode("utf-8", errors="surrogatepass"), "LIT-005")
    for other in (plain.replace("\n", "\r\n"), plain.replace("\n", "\r"), "\ufeff" + plain):
        twin, same = record_of(other.encode("utf-8", errors="surrogatepass"), "LIT-005")
        assert same == record
        assert twin.findings == document.findings


@pytest.mark.corpora
@pytest.mark.skipif(not CORPORA, reason="ANTHOLOGY_CORPORA names no folder of real records")
def test_real_records_read_whole() -> None:
    paths = sorted(Path(CORPORA).rglob("*.md"))
    assert len(paths) > 100
    for path in paths:
        name = path.stem if ids.is_code(path.stem) else "ADR-005"
        record = holds(path.read_bytes(), name)
        if ids.is_code(path.stem):
            assert not record.shell, path
            assert record.heading, path


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000))
def test_the_order_of_files_changes_nothing(seed: int) -> None:
    found = []
    for code in ("I201", "I204", "R304", "R306", "R307", "R308", "R313"):
        for each in faults.read(code).files:
            name = Path(each.path).stem
            document = source.parse(each.data(each.how), source.Document(each.path, name))
            found.append((reader.record(document), document.findings))
    straight = joined(found)
    random.Random(seed).shuffle(found)
    assert joined(found) == straight


def joined(found: list[tuple[Record, list[Finding]]]) -> tuple[object, ...]:
    findings = [each for _, group in found for each in group]
    made = corpus.join(config.Config(root=Path()), [record for record, _ in found], findings)
    return made.edges, tuple(made.records), rules.validate(made)
