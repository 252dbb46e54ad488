"""Columns that say yes or no of each row: "Independent" or 是否独立董事. Their names are what some of the rows are."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.answer.tables.matching import plain
from engine.answer.tables.typed_table import TypedTable
from engine.structure.sentences import is_cjk

_YES = frozenset("yes y true ✓ ✔ x 是 有".split())
_NO = frozenset("no n false ✗ ✘ 否 无".split())
_NOTHING = frozenset(("", "-", "–", "—", "/", "n/a"))
_ASKS = re.compile(r"^(?:是否为?|有无|(?:is|are|has|have|was|were)\s+)|[?？]$", re.IGNORECASE)
_DENIED = re.compile(r"(?:\bnot|\bnon-?|n't|\bno|不是|不为|没有?|非)\s*(?:a |an |the )?$", re.IGNORECASE)
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Affirmed:
    """A column of yes and no, the cell's text that the question means, and the words that say so."""

    column: int
    value: str
    words: str


def affirmed(table: TypedTable, text: str) -> list[Affirmed]:
    """Return what a question (lower case) says of columns of yes and no by naming them."""
    found = []
    for column in table.columns:
        name = _ASKS.sub("", plain(column.name.rsplit(" / ", 1)[-1])).strip()
        texts = {t.casefold(): t for row in table.records if (t := table.text(row.index, column.index))}
        said = texts.keys() - _NOTHING
        if len(name) < _SHORTEST or not (said & _YES and said <= _YES | _NO):
            continue
        form = re.escape(name) if is_cjk(name) else rf"(?<!\w){re.escape(name)}(?!\w)"
        match = re.search(form, text)
        if match is None:
            continue
        denied = _DENIED.search(text[: match.start()])
        values = [texts[t] for t in said & (_NO if denied else _YES)]
        if len(values) == 1:
            start = denied.start() if denied else match.start()
            found.append(Affirmed(column.index, values[0], text[start : match.end()]))
    return found
