"""What the public record's own configuration says of its schemes."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from anthology import frontmatter
from anthology.config import LURIA
from anthology.errors import ConfigError
from anthology.source import Document

if TYPE_CHECKING:
    from pathlib import Path


def schemes(root: Path) -> dict[str, dict[str, Any]]:
    """Return the schemes that `luria.yaml` or `luria.toml` declares, and what it says of each.

    Raises:
        ConfigError: The file cannot be read.

    """
    path = next((root / name for name in LURIA if (root / name).is_file()), None)
    if path is None:
        return {}
    document = Document(path.name, path.stem)
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".toml":
            data: Any = tomllib.loads(text)
        else:
            data = frontmatter.compose(text, document.report)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path.name} cannot be read: {error}") from None
    if data is None:
        raise ConfigError(f"{path.name} cannot be read: {document.findings[0].message}")
    inner = data.get("luria", data)
    found = inner.get("schemes") if isinstance(inner, dict) else None
    said = found if isinstance(found, dict) else {}
    return {str(name): dict(each) for name, each in said.items() if isinstance(each, dict)}


def folder(root: Path, scheme: str) -> str:
    """Return the folder that is declared for a scheme's records, or nothing."""
    place = schemes(root).get(scheme, {}).get("dir", "")
    return place.strip("/") if isinstance(place, str) else ""
