"""Words of a question as a table writes them: a slip of the keyboard, a code with other marks.

"Opearting income" means the row "Operating income", "A321-200 neo" the row "A321-200neo". A word is read as another
only when nothing around the table has it, when one letter is wrong, missing, doubled or two have changed places, and
when a single word of the table's names is so near.
"""

from __future__ import annotations

import re
from collections import defaultdict

from engine.answer.tables.matching import features, plain
from engine.answer.tables.question import is_asking
from engine.answer.tables.table_source import TableSource

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 6
_CODE = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])[\w./-]{4,}")


def in_spelling_of(question: str, source: TableSource) -> str:
    """Return a question with its slips and codes written as the names and cells of a table write them."""
    return _with_codes(_without_slips(question, source), source)


def _without_slips(question: str, source: TableSource) -> str:
    known = source.words
    said = {
        word for word in _WORD.findall(question) if len(word) >= _SHORTEST and word.casefold() not in known
    }
    heard = (
        frozenset(word.casefold() for text in source.beside for word in _WORD.findall(text))
        if said
        else frozenset()
    )
    for word in said:
        own = features(word)
        if word.casefold() in heard or own & source.known_features or all(map(is_asking, own)):
            continue
        near = {other for other in known if _is_slip(word.casefold(), other)}
        if len({features(other) for other in near}) == 1:
            question = re.sub(rf"\b{word}\b", min(near), question)
    return question


def _is_slip(said: str, meant: str) -> bool:
    """True when one letter is wrong, missing or too many, or two neighbours have changed places."""
    if abs(len(said) - len(meant)) > 1 or len(meant) < _SHORTEST or said[0] != meant[0] or said == meant:
        return False
    start = next(
        (i for i, (a, b) in enumerate(zip(said, meant, strict=False)) if a != b), min(len(said), len(meant))
    )
    a, b = said[start:], meant[start:]
    swapped = len(a) > 1 and len(b) > 1 and a[0] == b[1] and a[1] == b[0] and a[2:] == b[2:]
    # The end of a word is its form, and no slip.
    return len(b) > 1 and (swapped or a[1:] == b[1:] or a[1:] == b or a == b[1:])


def _with_codes(question: str, source: TableSource) -> str:
    """Write codes as the table does: "A321-200 neo" as "A321-200neo", "B757" as "B-757"."""
    bare: dict[str, set[str]] = defaultdict(set)
    for row in source.table.rows:
        for code in _CODE.findall(row.leaf):
            bare[_bare(code)].add(code)
    for short, codes in sorted(bare.items(), key=lambda item: -len(item[0])):
        code = codes.pop()
        if codes or plain(code) in plain(question):
            continue
        spelled = r"[\s./-]?".join(map(re.escape, short))
        question = re.sub(rf"(?<![\w-]){spelled}(?![\w-])", code, question, flags=re.IGNORECASE)
    return question


def _bare(code: str) -> str:
    return re.sub(r"[\s./-]", "", code).casefold()
