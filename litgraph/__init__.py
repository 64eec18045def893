"""The graph over a literature record: ask it, check it, write it out.

import anthology, litgraph

corpus = anthology.load("records")
litgraph.validate(corpus)             # list[Finding]
litgraph.rdf.dataset(corpus)          # rdflib.Dataset
litgraph.network.graph(corpus)        # networkx.MultiDiGraph
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["network", "rdf", "validate"]

if TYPE_CHECKING:
    from litgraph import network as network
    from litgraph import rdf as rdf
    from litgraph.rules import validate as validate


def __getattr__(name: str) -> Any:
    """Import on first use: rdflib and networkx are heavy, and not every caller needs both."""
    import importlib

    if name in {"network", "rdf"}:
        return importlib.import_module(f"litgraph.{name}")
    if name == "validate":
        return importlib.import_module("litgraph.rules").validate
    raise AttributeError(f"module 'litgraph' has no attribute {name!r}")
