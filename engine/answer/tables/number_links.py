"""The numbers and dates of a question, and how it compares with them: "over 5,000", "before May 2023", 不超过3万元."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.check.values import DATE, date_of
from engine.answer.tables.lexis import Unit, is_cjk
from engine.answer.tables.links import NumberLink
from engine.answer.tables.vocabulary import Cue, cues
from engine.enrich.cell_values import is_year, parse_cell

_LONGEST_DATE = 7
# So many characters may stand between a number and what compares with it.
_NEAR = 4
_MOST_RESULTS = 100
_DATE = re.compile(DATE, re.IGNORECASE)
_PERIOD = re.compile(
    r"第?(?P<Qzh>[1-4一二三四])季度|Q(?P<Q>[1-4])\b|(?P<Qen>first|second|third|fourth)\s+quarter"
    r"|(?P<Hzh>[上下])半年|H(?P<H>[12])\b|(?P<Hen>first|second)\s+half\b",
    re.IGNORECASE,
)
_COUNTED = ("1一上first", "2二下second", "3三third", "4四fourth")


def number_of_results(question: str, units: Sequence[Unit]) -> int | None:
    """Return the place of the unit that says how many are asked for ("top 3", "3 largest", 前5名), if one does."""
    ends = (*cues(question, "descending"), *cues(question, "ascending"))
    for place, unit in enumerate(units):
        beside = any(0 <= unit.start - cue.end <= 1 or 0 <= cue.start - unit.end <= 1 for cue in ends)
        if beside and unit.form.isdigit() and int(unit.form) <= _MOST_RESULTS:
            return place
    return None


class Numbers:
    """The numbers and dates of one question over one relation."""

    def __init__(self, question: str, units: Sequence[Unit], dated: bool) -> None:
        """``dated``: the relation has a column of dates, of which a month or a day without its year may be meant."""
        self._question, self._units, self._dated = question, units, dated
        self._forms = [unit.form for unit in units]
        self._before, self._behind = cues(question, "comparisons"), cues(question, "behind")

    def links(self, taken: frozenset[int]) -> list[NumberLink]:
        """Return the numbers and dates that the question compares with, and dates that stand in no cell as such.

        ``taken`` are the places of the units that values, columns and periods explain.
        """
        found: list[NumberLink] = []
        at = 0
        while at < len(self._units):
            size, text, date, scaled = self._number_at(at)
            covered = frozenset(range(at, at + size))
            cue = self.comparison_at(at, at + size) if size else None
            free = not covered & taken
            if size and (cue or (free and date)):
                said = (cue.start, cue.end) if cue else (0, 0)
                kind = cue.kind if cue else "="
                found.append(NumberLink(covered, kind, text, date, scaled, said))
                at += size
                continue
            at += 1
        return _as_range(found)

    def _number_at(self, at: int) -> tuple[int, str, bool, bool]:
        """Return how many units from here are one number or date, its value for a query, and NumberLink's two flags."""
        first = self._units[at]
        before = self._question[max(0, first.start - 2) : first.start]
        if before and (
            (before[-1].isascii() and before[-1].isalpha()) or (before[-1] == "-" and before[0].isalnum())
        ):
            return 0, "", False, False  # a part of a code
        end, part = self._month_or_day(at)
        if part:
            size = sum(first.start <= unit.start < end for unit in self._units)
            return (size, part, True, False) if self._dated else (0, "", False, False)
        if not (first.form[0].isdigit() or not is_cjk(first.form)):
            return 0, "", False, False
        best: tuple[int, str, bool, bool] = (0, "", False, False)
        for size in range(min(_LONGEST_DATE, len(self._units) - at), 0, -1):
            text = self._question[first.start : self._units[at + size - 1].end]
            end = first.start + len(text)
            if not any(map(str.isdigit, text)) or any(first.start < c.start < end for c in self._behind):
                continue
            value = parse_cell(text)
            if value.date and not best[0]:
                best = (size, value.date, True, False)
            elif value.numeric and value.amount is not None and not best[0] and first.form[0].isdigit():
                best = (size, str(value.amount), is_year(text), value.scale != 1 or value.unit is not None)
        return best

    def _month_or_day(self, at: int) -> tuple[int, str]:
        """Return where a month, a day, a quarter or a half without a year ends, and what it is, else "".

        It is written as ISO dates are, without their year: "--10", "--10-29", "--Q3", "--H2".
        """
        start = self._units[at].start
        if period := _PERIOD.match(self._question, start):
            kind, said = next((name, told) for name, told in period.groupdict().items() if told)
            number = next(n for n, told in enumerate(_COUNTED, 1) if said.casefold() in told)
            return period.end(), f"--{kind[0]}{number}"
        match = _DATE.match(self._question, start)
        when = date_of(match) if match and not self._question[:start].rstrip().endswith("年") else None
        if match is None or when is None or len(when.readings) != 1:
            return 0, ""
        year, month, day = when.readings[0]
        if year is not None or not isinstance(month, int):
            return 0, ""
        return match.end(), f"--{month:02}" + (f"-{day:02}" if isinstance(day, int) else "")

    def comparison_at(self, start: int, end: int) -> Cue | None:
        """Return how the question compares with what stands at these units: said just before, or just behind it."""
        before, behind = self._units[start].start, self._units[end - 1].end
        for cue in self._behind:
            if cue.start >= behind and len(self._question[behind : cue.start].strip()) <= _NEAR:
                return cue
        for cue in self._before:
            gap = self._question[cue.end : before]
            near = len(gap.strip()) <= _NEAR or (cue.kind == "between" and len(gap.split()) <= 2)
            over_a_year = self._question[cue.start : cue.end].casefold() == "over" and is_year(
                self._forms[start]
            )
            if cue.end <= before and near and not over_a_year:
                return cue
        return None


def _as_range(numbers: list[NumberLink]) -> list[NumberLink]:
    """Join "between A and B" into one range: both ends in one value."""
    made: list[NumberLink] = []
    for one in numbers:
        last = made[-1] if made else None
        pair = last is not None and "between" in (last.comparison, one.comparison)
        if last and pair and ".." not in last.value and last.is_date == one.is_date:
            made[-1] = NumberLink(
                last.covered | one.covered,
                "between",
                f"{last.value}..{one.value}",
                last.is_date,
                said=last.said,
            )
        else:
            made.append(one)
    return made
