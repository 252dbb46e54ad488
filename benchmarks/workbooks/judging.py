"""Whether an answer says what is known, and whether the cells that it cites are those it must stand on."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbooks import values

_MARK = re.compile(r"\[\d{1,3}\](?=\W|$|\[)")
_NUMBER = re.compile(
    r"(?P<sign>[-−+]|\((?=[$€£¥]?[\d,.]+\)))?[$€£¥]?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"\s*(?P<percent>%|percent\b)?\s*(?P<scale>万亿|亿|千万|百万|万|千|(?:thousand|million|billion|bn|k|m)\b)?",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:19|20)\d\d\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}\s*日?|\d{1,2}\s+[A-Z][a-z]{2,8}\s+(?:19|20)\d\d"
    r"|[A-Z][a-z]{2,8}\s+\d{1,2},\s*(?:19|20)\d\d"
)
_CELLS = re.compile(r"(?:(?:'((?:[^']|'')+)'|([^'!,;]+))!)?\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?")
_FEW = 8  # that many cells must all be cited; of more, it is enough that cited ones are among them


@dataclass(frozen=True)
class Gold:
    """One thing that an answer must say: a number, a day or a text; ``texts`` are all ways a cell writes it.

    A ``signless`` number may be said without its sign (a difference), a ``share`` as a percentage.
    """

    texts: tuple[str, ...] = ()
    number: float | None = None
    share: bool = False
    signless: bool = False
    day: datetime.date | None = None


@dataclass(frozen=True)
class GoldCells:
    """The cells that an answer stands on: all of ``rows`` in ``columns``, 1-based, of one sheet.

    Without columns any cell of a row will do. ``some``: it is enough that cited cells are among them.
    """

    sheet: str
    rows: frozenset[int]
    columns: frozenset[int]
    header: int = 0
    some: bool = False


@dataclass(frozen=True)
class Question:
    """A question with what must be said, the cells, and values that a right answer leaves out.

    ``computed``: the answer is no cell's own value, so that quoted rows do not count as saying it.
    """

    kind: str
    language: str
    text: str
    gold: tuple[Gold, ...]
    cells: GoldCells
    workbook: str = ""
    others: tuple[str, ...] = ()
    computed: bool = False
    other_words: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of a question."""

    refused: bool
    right: bool
    cells: bool
    said: str = ""
    cited: tuple[str, ...] = field(default=())


def judge(question: Question, answer: Mapping[str, Any]) -> Outcome:
    """Judge an answer in the shape of ``dropqa ask --json``."""
    text = str(answer["answer"])
    sources = answer["sources"]
    cited = tuple(str(source["cell"]) for source in sources if source.get("cell"))
    said = _without_quoted_rows(text) if question.computed else text
    right = bool(answer["answered"]) and says(question.gold, said) and not _says_others(question, text)
    own = [
        str(source["cell"])
        for source in sources
        if source.get("cell") and source["document"] == (question.workbook or source["document"])
    ]
    return Outcome(not answer["answered"], right, right and cells_right(question.cells, own), text, cited)


def says(gold: Sequence[Gold], text: str) -> bool:
    """True when a text says each of the things."""
    bare = _MARK.sub(" ", text)
    folded, numbers, days = fold(bare), list(numbers_in(bare)), days_in(bare)
    return all(_says(one, folded, numbers, days) for one in gold)


def _says(one: Gold, folded: str, numbers: Sequence[tuple[float, bool, float]], days: set[datetime.date]) -> bool:
    if one.day is not None and one.day in days:
        return True
    if one.number is not None and any(same_number(one, *found) for found in numbers):
        return True
    return any(stands_in(text, folded) for text in one.texts)


def same_number(gold: Gold, said: float, percent: bool, step: float) -> bool:
    """True when a said number is the gold one, rounded to the digits it is said with (``step``: its last digit).

    At least two digits after the point, or a thousandth of the number, must be right.
    """
    if gold.number is None:
        return False
    wanted = gold.number
    if gold.share or percent:
        candidates = [(wanted * 100, said, step)] if gold.share else [(wanted, said, step)]
        candidates += [(wanted, said, step)] if gold.share and not percent else []
    else:
        candidates = [(wanted, said, step)]
    for want, have, last in candidates:
        if gold.signless:
            want, have = abs(want), abs(have)
        allowed = max(min(last * 0.51, max(0.0051, abs(want) * 0.001)), abs(want) * 1e-6)
        if abs(want - have) <= allowed + 1e-9:
            return True
    return False


def numbers_in(text: str) -> Iterable[tuple[float, bool, float]]:
    """Yield the numbers of a text, plain and times their scale: value, whether in percent, step of its last digit."""
    plain = unicodedata.normalize("NFKC", text)
    for found in _NUMBER.finditer(plain):
        before = plain[: found.start()].rstrip()[-1:]
        minus = found["sign"] in ("-", "−", "(") and not (found["sign"] != "(" and before.isalnum())
        digits = found["digits"].replace(",", "")
        value = -float(digits) if minus else float(digits)
        step = 10.0 ** -len(digits.partition(".")[2])
        yield value, bool(found["percent"]), step
        if found["scale"]:
            scale = values.SCALES[found["scale"].lower()]
            yield value * scale, False, step * scale


def days_in(text: str) -> set[datetime.date]:
    """Return the days that a text names."""
    return {day for found in _DATE.findall(text) if (day := values.date(found.replace(" 日", "日")))}


def fold(text: str) -> str:
    """Return what must agree of two texts: width, case and spaces between Chinese letters do not count."""
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return re.sub(r"(?<=[\u4e00-\u9fff]) | (?=[\u4e00-\u9fff])", "", text)


def stands_in(text: str, folded: str) -> bool:
    """True when a text stands in a folded one, not as part of a longer word or number."""
    needle = fold(text)
    left = r"(?<![a-z0-9])" if needle[:1].isascii() and needle[:1].isalnum() else ""
    right = r"(?![a-z0-9])" if needle[-1:].isascii() and needle[-1:].isalnum() else ""
    return bool(needle) and re.search(left + re.escape(needle) + right, folded) is not None


def _says_others(question: Question, text: str) -> bool:
    """True when an answer says values that it should have left out: more than a tenth of those asked for, or one."""
    folded = fold(_MARK.sub(" ", text))
    for shown in sorted((t for gold in question.gold for t in gold.texts), key=len, reverse=True):
        folded = folded.replace(fold(shown), " ")
    said = sum(stands_in(other, folded) for other in question.others)
    return said > max(1, len(question.gold) // 10)


def _without_quoted_rows(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if " | " not in line)


def cells_right(gold: GoldCells, cited: Sequence[str]) -> bool:
    """True when the cited cells cover the gold ones; of many gold cells, when some are cited and none beside them."""
    ranges = [found for cell in cited for found in ranges_of(cell) if found[0] in ("", gold.sheet)]

    def covers(area: tuple[str, int, int, int, int], column: int | None) -> bool:
        return column is None or area[1] <= column <= area[3]

    columns: list[int | None] = [*gold.columns] or [None]
    if len(gold.rows) * len(columns) <= _FEW and not gold.some:
        return all(
            any(area[2] <= row <= area[4] and covers(area, column) for area in ranges)
            for row in gold.rows
            for column in columns
        )
    inside = [
        area
        for area in ranges
        if any(covers(area, column) for column in columns)
        and any(row in gold.rows for row in range(area[2], area[4] + 1))
    ]
    beside = [area for area in ranges if area[2] == area[4] and area[2] not in gold.rows and area[2] > gold.header]
    return bool(inside) and len(beside) <= len(ranges) // 10


def ranges_of(cell: str) -> list[tuple[str, int, int, int, int]]:
    """Return the ranges that a citation names: sheet, first column, first row, last column, last row."""
    found = []
    sheet = ""
    for match in _CELLS.finditer(cell):
        sheet = (match[1] or match[2] or "").replace("''", "'").strip() or sheet
        left, top = _column(match[3]), int(match[4])
        right, bottom = (_column(match[5]), int(match[6])) if match[5] else (left, top)
        found.append((sheet, left, top, right, bottom))
    return found


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
