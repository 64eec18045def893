from __future__ import annotations

import pytest

from anthology import ids


@pytest.mark.parametrize(
    ("text", "code", "id_", "placeholder"),
    [
        ("LIT-530", True, True, False),
        ("LIT-tmpcv53l", True, True, False),
        ("NOTE-274#C1", False, True, False),
        ("TERM-001#tokens", False, True, False),
        ("?activation-collapse", False, False, True),
        ("?Not This", False, False, False),
        ("lit-530", False, False, False),
        ("LIT-", False, False, False),
        ("LIT-53O", False, False, False),
        ("LIT-530#", False, False, False),
        ("LIT-tmpcv53", False, False, False),
    ],
)
def test_what_is_an_id(text: str, code: bool, id_: bool, placeholder: bool) -> None:
    assert ids.is_code(text) is code
    assert ids.is_id(text) is id_
    assert ids.is_placeholder(text) is placeholder


def test_leading_zeros_do_not_tell_records_apart() -> None:
    assert ids.key("LIT-014") == ids.key("LIT-14") == ids.key("LIT-0014") != ids.key("LIT-140")
    assert ids.key("NOTE-008#C1") == "NOTE-8#C1"
    assert ids.key("LIT-tmpcv53l") == "LIT-tmpcv53l"


def test_order_is_by_number_and_temporary_codes_come_last() -> None:
    names = ["NOTE-2#C10", "LIT-tmpcv53l", "LIT-100", "NOTE-2#C2", "LIT-20", "NOTE-2"]
    assert sorted(names, key=ids.order) == [
        "LIT-20", "LIT-100", "LIT-tmpcv53l", "NOTE-2", "NOTE-2#C2", "NOTE-2#C10",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "2103.03404",
        "arXiv:2103.03404",
        "ARXIV-2103.03404",
        "arxiv.org/abs/2103.03404",
        "https://arxiv.org/abs/2103.03404",
        "http://www.arxiv.org/pdf/2103.03404.pdf",
        "10.48550/arXiv.2103.03404",
        "https://doi.org/10.48550/arXiv.2103.03404",
        "doi:10.48550/ARXIV.2103.03404",
        "2103:03404",
    ],
)
def test_one_work_in_many_spellings(text: str) -> None:
    assert ids.arxiv(text) == ("2103.03404", "")


def test_arxiv_versions_are_kept_and_old_ids_known() -> None:
    assert ids.arxiv("2103.03404v2") == ("2103.03404", "v2")
    assert ids.arxiv("math.GT/0309136v1") == ("math.gt/0309136", "v1")
    assert ids.arxiv("hep-th/9901001") == ("hep-th/9901001", "")
    assert ids.arxiv("0704.0001") == ("0704.0001", "")


@pytest.mark.parametrize("text", ["", "10.1000/182", "2103.1", "LIT-530", "21030.3404"])
def test_what_is_no_arxiv_id(text: str) -> None:
    assert ids.arxiv(text) is None


def test_parts() -> None:
    assert ids.split("NOTE-274#C1") == ("NOTE-274", "C1")
    assert ids.split("NOTE-274") == ("NOTE-274", "")
    assert ids.record_of("TERM-001#tokens") == "TERM-001"
    assert ids.scheme_of("TERM-001#tokens") == "TERM"
    assert ids.scheme_of("?slug") == ""
