"""What is known of a work: from arXiv, Crossref, BibTeX, or from its id alone."""

from __future__ import annotations

import json
import urllib.error
from email.message import Message
from typing import TYPE_CHECKING

import pytest

from anthology import corpus
from anthology.errors import NothingFoundError
from litgraph.mending import bibtex, lookup, web, works
from litgraph.mending.lookup import WorkIdError
from litgraph.mending.works import Work

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# What the two services answered, cut to what is read of it.
ATOM = """\
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="html">ArXiv Query: search_query=&amp;id_list=2103.03404</title>
  <entry>
    <id>http://arxiv.org/abs/2103.03404v2</id>
    <updated>2023-08-01T10:07:43Z</updated>
    <published>2021-03-05T00:39:05Z</published>
    <title>Attention is Not All You Need: Pure Attention Loses Rank Doubly
  Exponentially with Depth</title>
    <summary>  Attention-based architectures have become ubiquitous.
</summary>
    <author><name>Yihe Dong</name></author>
    <author><name>Jean-Baptiste Cordonnier</name></author>
    <author><name>Andreas Loukas</name></author>
    <arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.5555/3524938</arxiv:doi>
    <arxiv:journal_ref xmlns:arxiv="http://arxiv.org/schemas/atom">ICML 2021</arxiv:journal_ref>
  </entry>
</feed>
"""
ERROR = """\
<feed xmlns="http://www.w3.org/2005/Atom"><entry>
  <id>http://arxiv.org/api/errors#incorrect_id_format_for_1</id><title>Error</title>
</entry></feed>
"""
CROSSREF = json.dumps(
    {
        "status": "ok",
        "message": {
            "DOI": "10.1038/S41586-021-03819-2",
            "title": ["Highly accurate <i>protein</i>  structure prediction"],
            "container-title": ["Nature"],
            "author": [
                {"given": "John", "family": "Jumper", "sequence": "first"},
                {"name": "A Consortium"},
                {},
            ],
            "published-print": {"date-parts": [[2021, 8, 26]]},
            "published-online": {"date-parts": [[2021, 7, 15]]},
            "issued": {"date-parts": [[2021, 7, 15]]},
        },
    }
)


def told(answer: str) -> Callable[[str], bytes]:
    return lambda _: answer.encode()


def test_arxiv_is_asked() -> None:
    asked = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return ATOM.encode()

    assert lookup.work("https://arxiv.org/abs/2103.03404v2", fetch) == Work(
        title="Attention is Not All You Need: Pure Attention Loses Rank Doubly Exponentially with "
        "Depth",
        published="2021-03-05",
        arxiv="2103.03404v2",
        doi="10.5555/3524938",
        venue="ICML 2021",
        authors=("Dong", "Cordonnier", "Loukas"),
    )
    assert asked == ["https://export.arxiv.org/api/query?id_list=2103.03404v2"]


def test_crossref_is_asked() -> None:
    asked = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return CROSSREF.encode()

    assert lookup.work("https://doi.org/10.1038/s41586-021-03819-2", fetch) == Work(
        title="Highly accurate protein structure prediction",
        published="2021-07-15",
        doi="10.1038/s41586-021-03819-2",
        venue="Nature",
        authors=("Jumper", "A Consortium"),
    )
    assert asked == ["https://api.crossref.org/works/10.1038%2Fs41586-021-03819-2"]


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("2103.03404", Work(arxiv="2103.03404", published="2021-03")),
        ("arXiv:0704.0001v1", Work(arxiv="0704.0001v1", published="2007-04")),
        ("math.GT/0309136", Work(arxiv="math.gt/0309136", published="2003-09")),
        ("hep-th/9901001", Work(arxiv="hep-th/9901001", published="1999-01")),
        ("10.48550/arXiv.2103.03404", Work(arxiv="2103.03404", published="2021-03")),
        ("9999.99999", Work(arxiv="9999.99999")),
        ("doi:10.1000/182", Work(doi="10.1000/182")),
    ],
)
def test_an_id_alone_tells_something(text: str, work: Work) -> None:
    assert lookup.work(text, None) == work


@pytest.mark.parametrize(
    ("text", "answer", "error", "said"),
    [
        ("2103.03404", ERROR, NothingFoundError, "arXiv knows no paper 2103.03404"),
        ("2103.03404", "<feed/>", NothingFoundError, "arXiv knows no paper"),
        ("2103.03404", "<html>", NothingFoundError, "is no XML"),
        ("10.1000/182", "[]", NothingFoundError, "Crossref's answer for 10.1000/182 cannot be"),
        ("10.1000/182", "{", NothingFoundError, "cannot be read"),
        ("2103.0", "", WorkIdError, "'2103.0' is no arXiv id"),
    ],
)
def test_a_strange_answer_is_said(text: str, answer: str, error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        lookup.work(text, told(answer))


def test_an_answer_without_most_of_it_is_enough() -> None:
    work = lookup.work("10.1000/182", told('{"message": {"issued": {"date-parts": [[null]]}}}'))
    assert work == Work(doi="10.1000/182")
    assert work.fields() == {"doi": "10.1000/182"}


def test_a_doi_that_crossref_does_not_know() -> None:
    def fetch(url: str) -> bytes:
        raise web.FetchError(url, "it answered 404 Not Found", 404)

    with pytest.raises(NothingFoundError, match=r"knows no DOI 10\.1000/182; check it, or add"):
        lookup.work("10.1000/182", fetch)

    def broken(url: str) -> bytes:
        raise web.FetchError(url, "it answered 500", 500)

    with pytest.raises(web.FetchError, match=r"api\.crossref\.org gave nothing"):
        lookup.work("10.1000/182", broken)


class Answer:
    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self) -> bytes:
        return b"text"


def test_fetch_says_who_asks_and_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(request: urllib.request.Request, timeout: float) -> Answer:
        assert request.get_header("User-agent", "").startswith("anthology-record/")
        assert timeout == web.SECONDS
        return Answer()

    monkeypatch.setattr("urllib.request.urlopen", opened)
    assert web.fetch("https://example.org/x") == b"text"


@pytest.mark.parametrize(
    ("error", "said", "status"),
    [
        (TimeoutError("timed out"), "timed out", 0),
        (urllib.error.URLError(OSError(-2, "Name not known")), "name not known", 0),
        (urllib.error.URLError("no host given"), "no host given", 0),
        (urllib.error.HTTPError("u", 503, "Busy", Message(), None), "it answered 503 Busy", 503),
    ],
)
def test_a_failed_fetch_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, error: OSError, said: str, status: int
) -> None:
    def opened(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("urllib.request.urlopen", opened)
    with pytest.raises(web.FetchError) as caught:
        web.fetch("https://example.org/x")
    wanted = f"example.org gave nothing ({said}); try again, or add --offline"
    assert (str(caught.value), caught.value.status) == (wanted, status)
    assert caught.value.exit_code == 3


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    "text",
    [
        "2103.03404", "arXiv:2103.03404v2", "http://arxiv.org/pdf/2103.03404v1.pdf",
        "https://doi.org/10.48550/arXiv.2103.03404", "arxiv.org/abs/2103.03404",
    ],
)  # fmt: skip
def test_spellings_of_one_paper_are_one_name(text: str) -> None:
    assert works.name(text) == "arXiv:2103.03404"


def test_other_names() -> None:
    assert works.name("https://doi.org/10.1000/ABC.") == works.name("DOI:10.1000/abc") != ""
    assert works.name("math.GT/0309136") == works.name("math/0309136")
    assert works.name("https://example.org") == works.name("") == ""
    assert works.doi("10.1000/ABC") == "10.1000/ABC"


@pytest.mark.parametrize(
    ("full", "last"),
    [
        ("Yihe Dong", "Dong"),
        ("Vincent van Gogh", "van Gogh"),
        ("Ludwig van der Rohe", "van der Rohe"),
        ("Plato", "Plato"),
        ("", ""),
    ],
)
def test_surname(full: str, last: str) -> None:
    assert works.surname(full) == last


def test_works_that_are_recorded(write: Callable[[dict[str, str]], Path]) -> None:
    root = write(
        {
            "records/LIT-001.md": "---\ntitle: 'A: b'\narxiv: '2103.03404v1'\n---\n",
            "records/LIT-002.md": "---\ntitle: a b!\nurl: https://doi.org/10.1000/X\n---\n",
        }
    )
    assert works.recorded(corpus.load(root)) == {
        "arXiv:2103.03404": "LIT-001",
        "title:ab": "LIT-001",
        "doi:10.1000/x": "LIT-002",
    }


# ---------------------------------------------------------------- BibTeX


def one(text: str) -> Work:
    cited, broken = bibtex.parse(text)
    assert broken == []
    return cited[0].work


@pytest.mark.parametrize(
    ("fields", "work"),
    [
        (r"title={{A} {\"u}ber {\emph{the}} B \& C}", Work(title="A über the B & C")),
        (r"title={$\ell_2$ and a -- b}", Work(title=r"$\ell_2$ and a – b")),
        ("title={50% of # all}", Work(title="50% of # all")),
        ("title=x, year={c. 1999}", Work(title="x", published="1999")),
        ("title=x, year=1999, month=sep", Work(title="x", published="1999-09")),
        ("title=x, year=1999, month={09}", Work(title="x", published="1999-09")),
        ("title=x, year=1999, month={13}", Work(title="x", published="1999")),
        ("title=x, date={2021-03-05}", Work(title="x", published="2021-03-05")),
        ("title=x, journal=JMLR", Work(title="x", venue="JMLR")),
        ("title=x, booktitle=icml # { 2021}", Work(title="x", venue="Int. Conf. 2021")),
        ("title=x, eprint={2103.03404v2}, archivePrefix={arXiv}",
         Work(title="x", arxiv="2103.03404v2")),
        ("title=x, eprint={12345}, eprinttype={jstor}", Work(title="x")),
        ("title=x, journal={arXiv preprint arXiv:2103.03404}", Work(title="x", arxiv="2103.03404")),
        ("title=x, journal={CoRR}, volume={abs/2103.03404}", Work(title="x", arxiv="2103.03404")),
        ("title=x, doi={10.48550/arXiv.2103.03404}", Work(title="x", arxiv="2103.03404")),
        ("title=x, doi={https://doi.org/10.1000/1}", Work(title="x", doi="10.1000/1")),
        ("title=x, url={https://doi.org/10.1000/1}",
         Work(title="x", doi="10.1000/1", url="https://doi.org/10.1000/1")),
        (r"title=x, author={G{\"o}del, Kurt and {The X Team} and Ludwig van Y and others}",
         Work(title="x", authors=("Gödel", "The X Team", "van Y"))),
    ],
)  # fmt: skip
def test_an_entry(fields: str, work: Work) -> None:
    assert one(f'@string{{icml = "Int. Conf."}}\n@misc{{a, {fields}}}') == work


def test_what_is_broken_is_said_and_the_rest_is_read() -> None:
    cited, broken = bibtex.parse(
        "@misc{a, title={x}\n@misc{b, title={y}}\n@misc{b, title={z}}\n@misc{c, author={d}}\n"
        "@misc{e, title={1}, title={2}}\n@misc{f, title={q}}\n"
    )
    assert [(each.key, each.line) for each in cited] == [("b", 2), ("f", 6)]
    assert [each.line for each in broken] == [1, 3, 4, 5]
    assert broken[2].why == "c has no title, no DOI and no arXiv id"
    assert broken[1].why == "Duplicate entry key 'b'"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError, match=r"x\.bib cannot be read: no such file"):
        bibtex.read(tmp_path / "x.bib")


def test_without_its_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "bibtexparser.entrypoint", None)
    with pytest.raises(bibtex.MissingLibraryError, match=r"pip install 'anthology-record\[bib\]'"):
        bibtex.parse("")
