"""What a question says of how things ended and in which decade: "how many did he win", "in the 1990s".

A column of results says "Won" or "W 24–7" where the question has a verb; a decade is any of its years.
Each becomes the texts of one column that are meant, of which a row must hold one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.tables.matching import features, years_in
from engine.answer.tables.typed_table import Column, TypedTable

_RESULTS = features("result results outcome status")
_PLACES = features("position rank place placing finish pos")
# A first place in a heat or a semifinal ("1st (heats)") is no win.
_FIRST = re.compile(r"\W*(?:1st|1|first|gold|winner)\W*", re.IGNORECASE)
# The verb of a question, and how a cell begins that says the same.
_ENDS = (
    (re.compile(r"\b(?:wins?|won|winning|victor(?:y|ies))\b"), re.compile(r"(?:won|wins?|winner|w|victory)\b", re.I)),
    (re.compile(r"\b(?:lose|loses|lost|loss(?:es)?|defeats?)\b"), re.compile(r"(?:lost|loss|lose|l|defeat)\b", re.I)),
    (re.compile(r"\b(?:draws?|drawn|drew|ties?|tied)\b"), re.compile(r"(?:draw|drawn|drew|d|tie|tied|t)\b", re.I)),
)  # fmt: skip
_MOST_ENDS = 12
_DECADE = re.compile(r"\b(?:in |during |from |of )?(?:the )?(?P<tens>(?:1[5-9]|20)\d)0['’]?s\b")


@dataclass(frozen=True, slots=True)
class SaidTexts:
    """A column, the texts of its cells that are meant, and where the question says so."""

    column: int
    texts: tuple[str, ...]
    start: int
    end: int


def result_said(table: TypedTable, text: str) -> SaidTexts | None:
    """Return the results that a question (lower case) counts by a verb, or None where it says none or several."""
    columns = [column for column in table.columns if features(column.name) & _RESULTS]
    if not columns and (won := _first_place(table, text)) is not None:
        return won
    if len(columns) != 1:
        return None
    texts = _texts(table, columns[0])
    found = []
    for verb, cell in _ENDS:
        match = verb.search(text)
        held = tuple(own for own in texts if match and cell.match(own))
        if match and held and len(held) < len(texts):
            found.append(SaidTexts(columns[0].index, held, *match.span()))
    return found[0] if len(found) == 1 and len(texts) <= max(_MOST_ENDS, len(table.records) // 2) else None


def _first_place(table: TypedTable, text: str) -> SaidTexts | None:
    """Return the first places of the one column of places that a question counts as wins."""
    columns = [column for column in table.columns if features(column.name) & _PLACES]
    said = _ENDS[0][0].search(text)
    if said is None or len(columns) != 1:
        return None
    held = tuple(own for own in _texts(table, columns[0]) if _FIRST.fullmatch(own))
    return SaidTexts(columns[0].index, held, *said.span()) if held else None


def decade_said(table: TypedTable, text: str, columns: Sequence[Column]) -> SaidTexts | None:
    """Return the cells of the one column of years that are of the decade which a question (lower case) names."""
    match = _DECADE.search(text)
    if match is None or len(columns) != 1:
        return None
    held = tuple(
        own
        for own in _texts(table, columns[0])
        if (years := years_in(own)) and all(year.startswith(match["tens"]) for year in years)
    )
    return SaidTexts(columns[0].index, held, *match.span()) if held else None


def _texts(table: TypedTable, column: Column) -> list[str]:
    return list(dict.fromkeys(text for row in table.records if (text := table.text(row.index, column.index))))
