"""The numbers and dates of a question, and how it compares with them: "over 5,000", "before May 2023", 不超过3万元."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from engine.answer.tables.conditions import TO
from engine.answer.tables.lexis import Unit, is_cjk
from engine.answer.tables.links import NumberLink
from engine.answer.tables.vocabulary import Cue, cues
from engine.enrich.cell_values import is_year, parse_cell
from engine.enrich.text_values import DATE, date_of

_LONGEST_DATE = 7
# So many characters may stand between a number and what compares with it.
_NEAR = 4
_DATE = re.compile(DATE, re.IGNORECASE)
# What stands before a number in a code: "A12", "B-12".
_CODE = re.compile(r"[A-Za-z]$|\w-$")
# Three ways to say a quarter, then three to say a half.
_PERIOD = re.compile(
    r"第?([1-4一二三四])季度|Q([1-4])\b|(first|second|third|fourth)\s+quarter"
    r"|([上下])半年|H([12])\b|(first|second)\s+half\b",
    re.IGNORECASE,
)
_QUARTER, _MONTHS = re.compile(r"-([QH])(\d)$"), {"Q": 3, "H": 6}
_COUNTED = ("1一上first", "2二下second", "3三third", "4四fourth")


class Numbers:
    """The numbers and dates of one question over one relation."""

    def __init__(self, question: str, units: Sequence[Unit], dated: bool) -> None:
        """``dated``: the relation has a column of dates, of which a month or a day without its year may be meant."""
        self._question, self._units, self._dated = question, units, dated
        self._before, self._behind = cues(question, "comparisons"), cues(question, "behind")

    def links(self, taken: frozenset[int]) -> list[NumberLink]:
        """Return the numbers and dates that the question compares with, and dates that stand in no cell as such.

        ``taken`` are the places of the units that values, columns and periods explain. "Between A and B" is one, and so
        is "A to B".
        """
        found: list[NumberLink] = []
        end, before = 0, None
        for at in range(len(self._units)):
            number = self._number_at(at) if at >= end else None
            cue = self.comparison_at(at, max(number.covered) + 1) if number else None
            if number and not cue and before and (ranged := self._range(before, number)):
                found.append(ranged)
                end, before = max(number.covered) + 1, None
                continue
            before = None if cue else number or before
            if number is None or not (cue or (number.is_date and not number.covered & taken)):
                continue
            end = max(number.covered) + 1
            if cue:
                number = replace(number, comparison=cue.kind, said=(cue.start, cue.end))  # type: ignore[arg-type]
            last = found[-1] if found else number
            value = f"{last.value}..{number.value}"
            both = "between" in (last.comparison, number.comparison) and value.count("..") == 1
            if found and both and last.is_date == number.is_date:
                covered = last.covered | number.covered
                found.pop()
                number = replace(number, covered=covered, comparison="between", value=value, said=last.said)
            found.append(number)
        return found

    def _range(self, first: NumberLink, last: NumberLink) -> NumberLink | None:
        """Return "A to B" of two numbers as one comparison, both in the unit of B; None where that is not said."""
        (begin, start), (end, stop) = (
            (self._units[min(one.covered)].start, self._units[max(one.covered)].end) for one in (first, last)
        )
        if first.is_date or last.is_date or first.scaled or not TO.fullmatch(self._question[start:end]):
            return None
        low = parse_cell(self._question[begin:start] + self._question[end:stop].lstrip("0123456789.,")).amount
        if low is None or low >= Decimal(last.value):
            return None
        covered = first.covered | last.covered
        return replace(last, covered=covered, comparison="between", value=f"{low}..{last.value}", said=(start, end))

    def _number_at(self, at: int) -> NumberLink | None:
        """Return the number or date that begins at a unit, as yet compared with nothing."""
        first = self._units[at]
        if _CODE.search(self._question[max(0, first.start - 2) : first.start]):
            return None
        end, part = self._month_or_day(at)
        if part:
            size = sum(first.start <= unit.start < end for unit in self._units)
            return _date(frozenset(range(at, at + size)), part) if self._dated else None
        if is_cjk(first.form):
            return None
        for size in range(min(_LONGEST_DATE, len(self._units) - at), 0, -1):
            text = self._question[first.start : self._units[at + size - 1].end]
            end = first.start + len(text)
            if not any(map(str.isdigit, text)) or any(first.start < c.start < end for c in self._behind):
                continue
            value, covered = parse_cell(text), frozenset(range(at, at + size))
            if value.date:
                return _date(covered, value.date)
            if value.numeric and value.amount is not None and first.form[0].isdigit():
                scaled = value.scale != 1 or value.unit is not None
                return NumberLink(covered, "=", str(value.amount), is_year(text), scaled)
        return None

    def _month_or_day(self, at: int) -> tuple[int, str]:
        """Return where a month, a day, a quarter or a half without a year ends, and what it is, else "".

        It is written as ISO dates are, without their year: "--10", "--10-29", "--Q3", "--H2".
        """
        start = self._units[at].start
        if (period := _PERIOD.match(self._question, start)) and period.lastindex:
            said = period[period.lastindex].casefold()
            number = next(n for n, told in enumerate(_COUNTED, 1) if said in told)
            return period.end(), f"--{'Q' if period.lastindex <= 3 else 'H'}{number}"
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
            if cue.end <= before and near:
                return cue
        return None


def _date(covered: frozenset[int], date: str) -> NumberLink:
    """Return a date, a quarter or half of a year ("2024-Q3", "--H2") as the range of its months."""
    if not (match := _QUARTER.search(date)):
        return NumberLink(covered, "=", date, True)
    year, last = date[: match.start()], int(match[2]) * _MONTHS[match[1]]
    months = f"{year}-{last - _MONTHS[match[1]] + 1:02}..{year}-{last:02}"
    return NumberLink(covered, "between", months, True)
