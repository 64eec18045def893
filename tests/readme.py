"""Print one of README's two commands, as a reader would copy it: `python tests/readme.py 1`."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def commands(text: str) -> list[str]:
    """Return the commands of the section "Two commands", without their prompts."""
    section = text.split("## Two commands", 1)[1].split("\n## ", 1)[0]
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL)]


if __name__ == "__main__":
    readme = Path(__file__).parents[1] / "README.md"
    print(commands(readme.read_text(encoding="utf-8"))[int(sys.argv[1]) - 1])
