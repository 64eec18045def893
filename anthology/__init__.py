"""What a literature record may say, and how a saying is tested.

Three names are the whole surface for people who script:

    import anthology

    corpus = anthology.load("records")          # every record, claim, sense and edge
    corpus.records["LIT-530"].title
    anthology.verify.claim(corpus, "NOTE-274#C1")   # run what is linked, get its Verdict
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Corpus", "load", "verify"]

if TYPE_CHECKING:
    from anthology import verify as verify
    from anthology.corpus import Corpus as Corpus
    from anthology.corpus import load as load


def __getattr__(name: str) -> Any:
    """Import on first use: `import anthology` alone stays as light as Python itself."""
    if name in {"Corpus", "load"}:
        from anthology import corpus

        return getattr(corpus, name)
    if name == "verify":
        import importlib

        return importlib.import_module("anthology.verify")
    raise AttributeError(f"module 'anthology' has no attribute {name!r}")
