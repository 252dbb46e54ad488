"""Units behind the numbers of a question: "higher than 2,700 m" over a list of heights in metres is "than 2,700"."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.answer.tables.matching import features
from engine.answer.tables.typed_table import TypedTable
from engine.enrich.synonyms import load_synonyms
from engine.structure.sentences import is_cjk

# They make dates and parts of a whole of a number.
_KEPT = frozenset({"%", "day", "week", "month", "year"})
_IN_LIST = re.compile(
    r"\b(?:on|in|from) the (?:[\w-]+ )?(?:list|table|sheet|roster|spreadsheet|register)\b"
    r"|(?:花名册|名单|清单|表格)[中里上]?的?(?=.)|表[中里]的?"
)
_SCALE = r"\s?(?:thousand|million|billion|千|百万|万|亿)"


def without_units(text: str, table: TypedTable) -> str:
    """Return a question (lower case) without the units behind its numbers that columns of the table are in."""
    units = {column.unit for column in table.columns if column.unit} - _KEPT
    names = " ".join(column.name.casefold() for column in table.columns)

    def bare(match: re.Match[str]) -> str:
        return match[0] if match[0] in names else match["number"]  # "5G" may be a column

    for unit in sorted(units):
        text = _behind_numbers(unit).sub(bare, text)
    return text


@lru_cache(maxsize=256)
def words_of_unit(unit: str) -> frozenset[str]:
    """Return the features of all forms of a unit but a percentage or a currency: those of "m²" are of square metres."""
    forms = () if unit in _KEPT else load_synonyms().units.get(unit, ())
    return frozenset(f for form in forms for f in features(form) if f[0] not in "§#")


@lru_cache(maxsize=256)
def _behind_numbers(unit: str) -> re.Pattern[str]:
    known = load_synonyms()
    forms = {unit, *known.units.get(unit, ()), *known.currencies.get(unit, ())}
    written = sorted({form.casefold() for form in forms}, key=len, reverse=True)
    either = "|".join(re.escape(form) + ("" if is_cjk(form) else r"(?!\w)") for form in written)
    return re.compile(rf"(?P<number>\d(?:{_SCALE})?)\s?(?:{either})")


def without_the_list(text: str) -> str:
    """Return a question (lower case) without the list that it says its things stand in: "on the staff list"."""
    return _IN_LIST.sub("", text)
