"""What a question says about the rows of a table: values that stand in cells, limits for numbers, years.

"how many races were run in spain before 2004" names a cell of one column (spain) and a limit for another (before
2004). Each becomes a condition of the operators, with the stretch of the question that it accounts for.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.answer.tables.matching import features, plain
from engine.answer.tables.question import MONTHS, is_asking
from engine.answer.tables.typed_table import TypedTable
from engine.enrich.cell_values import parse_cell
from engine.structure.sentences import is_cjk

_MOST_ROWS = 600
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_NUMBER = r"(?P<number>\d[\d,]*(?:\.\d+)?)"
_LIMIT = re.compile(
    rf"\b(?P<ge>at least|no (?:less|fewer) than|a minimum of)\s+\$?{_NUMBER.replace('number', 'n1')}"
    rf"|\b(?P<le>at most|no more than|up to)\s+\$?{_NUMBER.replace('number', 'n2')}"
    rf"|\b(?P<gt>(?:more|greater|higher|larger|bigger|longer|older|better|taller) (?:than|that)|over"
    rf"|above|exceed(?:s|ed|ing)?|(?<!right )(?<!just )(?<!directly )(?<!immediately )after|since"
    rf"|beyond)\s+(?:the year\s+)?\$?{_NUMBER.replace('number', 'n3')}"
    rf"|\b(?P<lt>(?:less|fewer|lower|smaller|shorter|younger) than|under|below|before"
    rf"|(?:prior|previous) to)\s+(?:the year\s+)?\$?{_NUMBER.replace('number', 'n4')}"
    rf"|\b(?P<eq>exactly|only)\s+\$?{_NUMBER.replace('number', 'n5')}"
    rf"|(?P<ge_zh>不少于|不低于|至少)\s*{_NUMBER.replace('number', 'n6')}|(?P<gt_zh>超过|大于|高于"
    rf"|多于)\s*{_NUMBER.replace('number', 'n7')}"
    rf"|(?P<lt_zh>低于|小于|少于|不足|不到)\s*{_NUMBER.replace('number', 'n8')}",
    re.IGNORECASE,
)
_SIGNS = {"ge": ">=", "le": "<=", "gt": ">", "lt": "<", "eq": "="}
# "The 1990s" are no year.
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d|['’]?s\b)")
_DAY = re.compile(
    r"\b[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?[a-z]{3,9}\.?,? \d{4}\b"
    r"|(?<!\d)\d{4}-\d\d-\d\d(?!\d)|\d{4}年\d{1,2}月\d{1,2}日"
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b|\bof ")
_WHOLE_DATE = 10
# A number that is hardly met by chance: "4352", "3,180", "11.35", "67–63".
_TELLING = re.compile(r"\d{3,}|\d{1,3}(?:,\d{3})+|\d+\.\d+|\d+(?:[-–:]\d+)+")
# "2016–17"
_SEASON = re.compile(r"(?:19|20)\d\d[-–/](?:\d\d|(?:19|20)\d\d)")
_SEASON_QUALITY = 0.95
_SHORTEST_SURNAME, _SURNAME_QUALITY = 4, 0.84
_TIMES = re.compile(r"\b(?:after|before|since|(?:prior|previous) to)\b", re.IGNORECASE)
_MONTH_QUALITY, _WORDS_QUALITY = 0.95, 0.8
_COMMON = frozenset(
    """total name date year years time number rank place first second third last next most least more less best none
    yes other others team game season points title result home away won lost win loss each every all any both""".split()
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the rows, the stretch of the question it comes from, and how well it fits (0..1)."""

    column: int
    sign: str
    value: Any
    start: int
    end: int
    quality: float
    rows: frozenset[int] = frozenset()

    @property
    def where(self) -> dict[str, Any]:
        """The condition as an operator takes it."""
        return {"column": self.column, "is": self.sign, "value": self.value}


class Mentions:
    """Finds the conditions of one question over one table."""

    def __init__(self, table: TypedTable, text: str) -> None:
        self._table = table
        self.text = text.casefold()
        self._rows = table.rows[:_MOST_ROWS]
        self._header = frozenset().union(*(features(column.name) for column in table.columns), frozenset())

    def values(self, taken: Sequence[tuple[int, int]] = ()) -> list[list[Condition]]:
        """Return the mentioned cell values, longest first, each with the columns it may belong to."""
        found: dict[tuple[int, int], dict[tuple[int, str, str], Condition]] = defaultdict(dict)
        for column in self._table.columns:
            texts: dict[str, set[int]] = defaultdict(set)
            for row in self._rows:
                texts[plain(self._table.text(row.index, column.index))].add(row.index)
            for text, rows in texts.items():
                for start, end, sign, value, quality in self._stretches(text, column.dtype):
                    key = (column.index, sign, value)
                    known = found[start, end].get(key)
                    together = frozenset(rows) | (known.rows if known else frozenset())
                    best = max(quality, known.quality if known else 0.0)
                    found[start, end][key] = Condition(column.index, sign, value, start, end, best, together)
        chosen: list[list[Condition]] = []
        spans = list(taken)
        for (start, end), conditions in sorted(
            found.items(),
            key=lambda item: (-max(c.quality for c in item[1].values()) * (item[0][1] - item[0][0]), item[0]),
        ):
            if all(end <= a or start >= b for a, b in spans):
                spans.append((start, end))
                conditions = {key: self._by_last_word(one) for key, one in conditions.items()}
                best = max(c.quality for c in conditions.values())
                chosen.append([c for c in conditions.values() if c.quality > best - 0.12])
        return sorted(chosen, key=lambda group: group[0].start)

    def _by_last_word(self, said: Condition) -> Condition:
        """Return a mention of the last word of one cell alone, a surname, as a surer one."""
        texts = {plain(self._table.text(row, said.column)) for row in said.rows}
        text = re.sub(r" ?\([^()]*\)$", "", texts.pop()) if len(texts) == 1 else ""
        alone = said.sign == "contains" and len(said.rows) == 1 and len(said.value) >= _SHORTEST_SURNAME
        if not alone or not text.endswith(f" {said.value}"):
            return said
        return replace(said, quality=max(said.quality, _SURNAME_QUALITY))

    def limits(self) -> list[tuple[str, str, int, int]]:
        """Return the limits for numbers: sign, number, and the stretch they stand in."""
        found = []
        for match in _LIMIT.finditer(self.text):
            name = next(key for key, value in match.groupdict().items() if value and not key.startswith("n"))
            number = next(value for key, value in match.groupdict().items() if value and key.startswith("n"))
            found.append(
                (_SIGNS[name.removesuffix("_zh")], number.replace(",", ""), match.start(), match.end())
            )
        return found

    def years(self, taken: Sequence[tuple[int, int]]) -> list[tuple[str, int, int]]:
        """Return the years that stand outside the stretches already accounted for."""
        free = (m for m in _YEAR.finditer(self.text) if all(m.end() <= a or m.start() >= b for a, b in taken))
        return [(match[0], match.start(), match.end()) for match in free]

    def _stretches(self, cell: str, dtype: str) -> list[tuple[int, int, str, str, float]]:
        """Return where the question says a cell's text or a part of it: (start, end, sign, value, quality)."""
        if self._dates and (said := self._dates.get(parse_cell(cell).date or "")):
            return [(*said, "=", cell, 1.0)]
        if len(cell) < 2 or not re.search(r"[^\W\d_]", cell):
            return self._number(cell)
        found = []
        for form, sign, quality in _forms(cell):
            at = self._find(form)
            if at is not None and not self._idle(form):
                found.append((at, at + len(form), sign, form if sign == "contains" else cell, quality))
        return found or self._partly(cell, dtype == "date")

    @cached_property
    def _dates(self) -> dict[str, tuple[int, int]]:
        """The days that the question names, however it writes them, and where."""
        found = {}
        for match in _DAY.finditer(self.text):
            day = parse_cell(_ORDINAL.sub("", match[0])).date
            if day and len(day) == _WHOLE_DATE:
                found[day] = match.span()
        return found

    def _number(self, cell: str) -> list[tuple[int, int, str, str, float]]:
        telling = _TELLING.fullmatch(cell.strip("$€£¥ ")) and not _YEAR.fullmatch(cell)
        at = self._find(cell) if telling else None
        quality = _SEASON_QUALITY if _SEASON.fullmatch(cell) else 0.8
        return [(at, at + len(cell), "=", cell, quality)] if at is not None else []

    def _partly(self, cell: str, dated: bool) -> list[tuple[int, int, str, str, float]]:
        """Return the longest run of the question's words that stands within the cell."""
        if is_cjk(cell) or len(cell) > 200:
            return []
        words = [(m.start(), m.end()) for m in _WORD.finditer(self.text)]
        best: tuple[int, int] | None = None
        for first, (start, _) in enumerate(words):
            for _, end in reversed(words[first : first + 8]):
                piece = self.text[start:end]
                inside = re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", cell)
                if inside and not self._idle(piece) and (best is None or end - start > best[1] - best[0]):
                    best = (start, end)
                    break
        if best is None:
            return []
        piece = self.text[best[0] : best[1]]
        said = [f for f in features(piece) if not is_asking(f) or f in MONTHS]
        if len(said) < 2 and (len(piece) < 4 or piece.isdigit()):
            return []
        share = len(piece) / len(cell)
        quality = _MONTH_QUALITY if dated and said and MONTHS.issuperset(said) else 0.5 + 0.3 * share
        quality = max(quality, _WORDS_QUALITY if len([f for f in said if f[0] not in "§#"]) > 1 else 0.0)
        return [(best[0], best[1], "contains", piece, quality)]

    def _find(self, form: str) -> int | None:
        """Return where the question says a form as words of its own; between Chinese characters a number is one."""
        whole = is_cjk(form)
        start = self.text.find(form)
        while start >= 0:
            end = start + len(form)
            if whole or not (
                _joins(self.text[max(0, start - 1) : start]) or _joins(self.text[end : end + 1])
            ):
                return start
            start = self.text.find(form, start + 1)
        return None

    def _idle(self, piece: str) -> bool:
        """True for what is no value: function words, words of asking, names of columns."""
        said = [f for f in features(piece) if not f.startswith(("§", "#"))]
        return not said or all(
            (is_asking(f) and f not in MONTHS) or f in self._header or f in _COMMON for f in said
        )


def _forms(cell: str) -> list[tuple[str, str, float]]:
    """Return the forms in which a question may name a cell: whole, without brackets, before a comma or a bar."""
    forms = [(cell, "=", 1.0)]
    for pattern in (r"\s*[(\[（].*$", r",.*$", r"\s*[|•/–].*$"):
        short = plain(re.sub(pattern, "", cell))
        if len(short) > 2 and short != cell and all(short != form for form, _, _ in forms):
            forms.append((short, "contains", 0.9))
    # "Barry Allen / The Flash" is either of them.
    parts = cell.split(" / ")[1:]
    forms += [(part, "contains", 0.9) for part in parts if len(part) > 3 and re.search(r"[^\W\d_]", part)]
    quoted = re.search(r"[\"“]([^\"”]{3,})[\"”]", cell)
    if quoted:
        forms.append((plain(quoted[1]), "contains", 0.95))
    if cell.endswith("s") and len(cell) > 4:
        forms.append((cell[:-1], "contains", 0.85))
    elif cell[-1:].isalpha() and not is_cjk(cell):
        forms.append((f"{cell}s", "=", 0.95))
    return forms


def _joins(character: str) -> bool:
    """True for a letter or digit, which makes one word with what stands beside it; Chinese characters do not."""
    return (character.isalnum() or character == "_") and not "\u4e00" <= character <= "\u9fff"


def is_time_word(text: str) -> bool:
    """True when a limit is one of time ("before 2004")."""
    return bool(_TIMES.search(text))
