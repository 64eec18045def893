"""Rules about files and front matter. Most are reported by the reading itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthology import files, ids
from anthology.findings import Severity
from litgraph.rules import reported, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anthology.corpus import Corpus
    from litgraph.rules import Fault, Place


@reported("F101")
def unreadable() -> None:
    """A file that is named like a record cannot be opened.

    Why: the record that its name promises is known by its id alone, so what points at it
    leads nowhere.

    Instead: make it a plain file that you may read. A folder, a pipe, or a link that leads
    back to itself cannot be a record.
    """


@reported("F102")
def too_large() -> None:
    """A record is larger than 4 MiB.

    Why: a record is prose that a person reads. Such a size means that data or an image was
    pasted in. Only the front matter is read, so that one file does not hold up the rest.

    Instead: keep the data in a file of its own and link to it.
    """


@reported("F103")
def not_utf8() -> None:
    """A file is not written in UTF-8.

    Why: its letters depend on who opens it; a name or a formula may already be damaged.

    Instead: save the file as UTF-8. The finding points at the first byte that is not.
    """


@reported("F104")
def control_character() -> None:
    """The text holds a character that cannot be seen, such as a NUL or a line separator.

    Why: YAML refuses it or ends the line there, and no editor shows it. It usually came
    from a PDF.

    Instead: delete the character at the place shown.
    """


@reported("F105")
def no_front_matter() -> None:
    """A record does not start with front matter, or its front matter never ends.

    Why: the keys between the two lines of `---` are what the record says to the tool.

    Instead: let the first line be `---`, then the keys, then a line that holds only `---`.
    """


@reported("F106")
def conflict_marker() -> None:
    """A merge conflict was committed unresolved.

    Why: the file says two things. In front matter neither side is chosen for you, and only
    the id of the record is known.

    Instead: keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`.
    """


@reported("F107")
def not_yaml() -> None:
    """The front matter cannot be read as YAML.

    Why: none of its keys is known. The record keeps its id and its body, so that what
    points at it still finds it.

    Instead: look at the place shown. Indent with spaces, close brackets and quotes, and
    quote a value that starts with one of `*&!%@` or a back-tick.
    """


@reported("F108", Severity.WARNING)
def comment_in_front_matter() -> None:
    """An HTML comment stands inside the front matter.

    Why: to YAML it is no comment but a key. After a folded text such as `summary: >-` other
    readers even lose the text. It is skipped here.

    Instead: start the line with `#`, or move the comment to the body.
    """


@reported("F109")
def bare_colon() -> None:
    """A value that holds a colon and a space is not quoted: `title: A: B`.

    Why: to YAML the second colon starts another mapping, which is an error. The value is
    read here as if it were quoted; other readers lose the whole front matter.

    Instead: quote it: `title: 'A: B'`.
    """


@reported("F110")
def key_twice() -> None:
    """One key stands twice in one mapping.

    Why: YAML readers silently keep only the last one. Two lists are joined here, and of two
    values the last counts.

    Instead: keep one.
    """


@reported("F111")
def endless() -> None:
    """Aliases make the front matter endless or huge, or it nests too deep.

    Why: a few lines of aliases can stand for more values than a computer holds.

    Instead: write the values out.
    """


@reported("F112")
def wrong_value() -> None:
    """A key holds a value that it cannot hold, such as the 30th of February.

    Why: the value is left out; everything else of the record is kept.

    Instead: write what the message asks for.
    """


@reported("F113")
def wrong_shape() -> None:
    """`relations`, `claims` or `senses` is not built as such a key must be.

    Why: what stands there cannot be told apart, so it is left out.

    Instead: write a mapping: of relations to lists of ids, of claims (`C1:`) or of senses
    (`tokens:`) to their keys.
    """


@reported("F114", Severity.WARNING)
def misspelt_key() -> None:
    """A key is not known, and it looks like one that is.

    Why: what it holds is kept, but nothing acts on it.

    Instead: take the name that the message offers, or rename the key so that it is not
    taken for a slip.
    """


@reported("F115")
def unknown_relation() -> None:
    """A key below `relations` names no relation.

    Why: the edge is not made.

    Instead: take one of the names that `anthology explain relations` lists. From the other
    end each has its inverse: `refined-by`.
    """


@reported("F116")
def not_an_id() -> None:
    """What a relation points at cannot be an id.

    Why: the edge is not made.

    Instead: write the id of a record (`LIT-530`), of a claim (`NOTE-274#C1`) or of a sense
    (`TERM-001#tokens`). '#C1' in quotes is this record's. What nobody has filed yet is
    "?a-few-words" with `says:`.
    """


@reported("F117", Severity.WARNING)
def target_twice() -> None:
    """One target stands twice under one relation.

    Why: an edge is kept once; if the two say different things of it, the second is lost.

    Instead: keep one.
    """


@rule("F118", Severity.INFO)
def unknown_key(corpus: Corpus) -> Iterator[Fault]:
    """Nothing reads a key of the front matter.

    Why: a record may hold keys of its own, and they are kept. This is only to know them.
    Each key is named once, at the first record that has it.

    Instead: nothing, unless the key was meant to do something.
    """
    first: dict[str, tuple[Place, int]] = {}
    for each in corpus.findings:
        if each.code == "F118":
            place, count = first.get(each.message, ((each.path, each.line, each.column), 0))
            first[each.message] = place, count + 1
    for message, (place, count) in first.items():
        yield place, message if count == 1 else f"{message} ({count} records have it)"


@reported("F119")
def lost_after_hash() -> None:
    """A `#` right before a word starts a comment: `rejects: #C5` rejects nothing.

    Why: YAML drops the text from the `#` on, and says nothing.

    Instead: quote the value: `rejects: '#C5'`. If it is a comment, write a space after `#`.
    """


@reported("F120")
def lost_mark() -> None:
    """A value starts with `!` or `&`, and YAML drops its first word.

    Why: they mark a type or an anchor to YAML: of `!Kung` nothing is left.

    Instead: quote the value: '!Kung'.
    """


@reported("F121", Severity.WARNING)
def unquoted() -> None:
    """A value is read right here and damaged by other readers of YAML.

    Why: to them `arxiv: 2103.10` is the number 2103.1, and `first_author: No` is false.

    Instead: quote it.
    """


@rule("F122", Severity.WARNING)
def stray_file(corpus: Corpus) -> Iterator[Fault]:
    """A file among the records is named almost like one, and is not read.

    Why: whoever wrote it takes it for a part of the record.

    Instead: name it by its id, as `LIT-005.md`; or start its name with `_` if it is a
    template or a draft.
    """
    for path, meant in files.strays(corpus.config):
        if ids.scheme_of(meant) in corpus.schemes:
            taken = corpus.find(meant)
            hint = f"{meant} is taken" if taken else f"name it {meant}.md"
            yield (path, 1, 1), f"this file is not read, because its name is no id; {hint}"
