"""`import bib`, as a user types it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.conftest import Done

Run = Callable[..., Done]
Write = Callable[[Mapping[str, str]], Path]

FILES = {
    "records/lit/LIT-001.md": "---\nnumber: 1\ntitle: A\narxiv: '2103.03404'\n---\n# LIT-001: A\n",
    "x.bib": "@misc{a, title={A}, eprint={2103.03404v2}, journal={J}}\n"
    "@misc{b, title={B}}\n@misc{c\n",
}
DIFF = """\
diff --git a/records/lit/LIT-001.md b/records/lit/LIT-001.md
--- a/records/lit/LIT-001.md
+++ b/records/lit/LIT-001.md
@@ -2,5 +2,7 @@
 number: 1
 title: A
 arxiv: '2103.03404'
+venue: J
"""


def test_the_diff_is_shown_and_written(anthology: Run, write: Write) -> None:
    root = write(FILES)
    shown = anthology("import", "bib", "x.bib", "--dry-run", cwd=root)
    assert shown.out.startswith(DIFF)
    assert (root / "records/lit/LIT-001.md").read_text() == FILES["records/lit/LIT-001.md"]
    done = anthology("import", "bib", "x.bib", cwd=root)
    assert (done.code, done.out) == (1, shown.out)
    assert done.err == (
        "x.bib:3:1: Unexpectedly reached end of file.\n2 entries: 1 new, 1 changed\n"
    )
    assert anthology("validate", cwd=root).code == 0
    again = anthology("import", "bib", "x.bib", cwd=root)
    assert again.out == ""
    assert again.err.endswith("2 entries: 0 new, 0 changed\n")


def test_hand_edits_are_kept(anthology: Run, write: Write) -> None:
    root = write({**FILES, "x.bib": "@misc{a, title={B}, eprint={2103.03404}, journal={J}}\n"})
    done = anthology("import", "bib", "x.bib", "--no-clobber", cwd=root)
    assert done.code == 0
    assert "LIT-001.md:3:8: title is kept, “A”; a says “B”\n" in done.err
    assert "venue: J\n" in (root / "records/lit/LIT-001.md").read_text()
    anthology("import", "bib", "x.bib", "--overwrite", cwd=root)
    assert "# LIT-001: B\n" in (root / "records/lit/LIT-001.md").read_text()


def test_what_cannot_be_asked(anthology: Run, write: Write) -> None:
    root = write(FILES)
    both = anthology("import", "bib", "x.bib", "--overwrite", "--no-clobber", cwd=root)
    assert both == Done(
        2, "", "error: --overwrite and --no-clobber contradict each other; give one\n"
    )
    gone = anthology("import", "bib", "y.bib", cwd=root)
    assert gone == Done(4, "", "error: y.bib cannot be read: no such file or directory\n")
