"""Eighteen kinds of question that people ask of a list, each made of a table with its answer and its cells.

A maker draws rows and columns at random; what it cannot make of a table it gives up (None). The answers are
computed by pandas.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas

from workbooks import values
from workbooks.judging import Gold, GoldCells, Question
from workbooks.phrases import NAMES, ON_SHEET, PHRASES, ROWS
from workbooks.tables import Column, ListTable

_LONGEST_LIST, _MOST_OTHERS = 10, 300
_UNIT_AS_NAME = re.compile(r"in |单位", re.IGNORECASE)
_PLAIN_NUMBER = frozenset("0123456789.,-+()%$€£¥ ")


class Asker:
    """Words a table's questions and collects their gold answers."""

    def __init__(self, table: ListTable, drawn: random.Random) -> None:
        self.table = table
        self.drawn = drawn
        self.zh = table.language == "zh"
        self.other_words = False
        self._named: set[str] = set()

    # --- words ------------------------------------------------------------------------------------------

    def name(self, column: Column) -> str:
        """Return a column's name as somebody would say it: in full, without its unit, or in other words."""
        ways = [(column.plain, column.plain != column.name), (column.name, False)]
        ways += [(alias, True) for alias in column.aliases]
        said, other = self.drawn.choice(ways)
        self.other_words |= other
        plain = said != column.name
        said = self._in_a_sentence(said)
        self._named.add(column.name)
        if not column.period:
            return said
        measure = self._in_a_sentence(values.plain_name(column.measure) if plain else column.measure)
        self._named.add(column.measure)
        if not measure:
            return f"{column.period}的数值" if self.zh else f"value for {column.period}"
        return f"{column.period}的{measure}" if self.zh else f"{measure} in {column.period}"

    def measure(self, column: Column) -> str:
        """Return what a column of a wide table measures, without its period."""
        said = self.drawn.choice([column.measure, values.plain_name(column.measure)])
        self.other_words |= said != column.measure
        self._named |= {column.measure, column.name}
        return self._in_a_sentence(said)

    def rows_called(self, column: Column) -> str:
        """Return the name of the column that rows are called by."""
        self._named.add(column.name)
        name = "" if _UNIT_AS_NAME.match(column.name) else column.plain
        return name or NAMES[self.table.language]

    def _in_a_sentence(self, name: str) -> str:
        """Return a name as it is mostly typed in a question: in English half of the time without capitals."""
        words = name.split(" ")
        if self.zh or self.drawn.random() < 0.5:
            return name
        return " ".join(word.lower() if word[:1].isupper() and word[1:].islower() else word for word in words)

    def day(self, value: Any) -> str:
        """Return a day as people write it."""
        written = (f"{value.year}年{value.month}月{value.day}日", f"{value:%Y-%m-%d}")
        english = (f"{value.day} {value:%B %Y}", f"{value:%Y-%m-%d}")
        return self.drawn.choice(written if self.zh else english)

    def period(self, value: Any) -> str:
        """Return a year or a wide table's period as it is said."""
        return (f"{value}年" if self.zh else str(value)) if isinstance(value, int) else str(value)

    # --- rows and answers ---------------------------------------------------------------------------------

    def numbers(self, column: Column) -> pandas.Series:
        """Return a column's numbers by row, without empty cells."""
        return pandas.to_numeric(self.table.frame[column.at], errors="coerce").dropna()

    def cell(self, row: int, column: Column, *, signless: bool = False) -> Gold:
        """Return what a cell says as gold."""
        raw, value = str(self.table.raw.at[row, column.at]), self.table.frame.at[row, column.at]
        if column.kind == "date":
            return Gold((raw,), day=value)
        if column.kind in ("number", "share"):
            texts = () if set(raw) <= _PLAIN_NUMBER else (raw,)
            return Gold(texts, float(value), column.kind == "share", signless)
        return Gold((raw,))

    def others(self, column: Column, rows: Iterable[int], text: str) -> tuple[str, ...]:
        """Return what other rows say in a column: a right answer has none of it."""
        own = set(rows)
        gold = {str(self.table.raw.at[row, column.at]) for row in own}
        rest = [row for row in self.table.frame.index if row not in own]
        found = {
            str(self.table.raw.at[row, column.at]) for row in self.drawn.sample(rest, min(len(rest), _MOST_OTHERS))
        }
        return tuple(sorted(t for t in found - gold if len(t) >= 3 and t not in text and not any(t in g for g in gold)))

    def question(
        self,
        kind: str,
        phrase: str,
        gold: Sequence[Gold],
        rows: Iterable[int],
        columns: Iterable[Column],
        *,
        computed: bool = False,
        listed: Column | None = None,
        some: bool = False,
        **words: str,
    ) -> Question:
        """Word a question; ``listed`` is the column whose other values the answer must not say.

        Without columns any cell of the rows is right, with ``some`` any of the rows.
        """  # fmt: skip
        table = self.table
        noun = table.noun or ROWS[table.language]
        if "K" in words:
            words["Ks"] = words["K"] if self.zh else _plural(words["K"])
        text = self.drawn.choice(PHRASES[phrase][table.language]).format(noun=noun, **words)
        text = text if self.zh else re.sub(r"\ba (?=[aeiou])", "an ", text, flags=re.IGNORECASE)
        if self._named & table.named_elsewhere:
            text = ON_SHEET[table.language].format(sheet=table.sheet, text=text)
        rows = frozenset(rows)
        header = int(table.frame.index[0]) - 1
        cells = GoldCells(table.sheet, rows, frozenset(c.at for c in columns), header, some)
        others = self.others(listed, rows, text) if listed else ()
        return Question(
            kind, table.language, text, tuple(gold), cells, table.workbook, others, computed, self.other_words
        )

    def pick(self, columns: Sequence[Column]) -> Column | None:
        """Return one of the columns, if there are any."""
        return self.drawn.choice(columns) if columns else None

    def condition(self, most: int | None = None) -> tuple[Column, str, list[int]] | None:
        """Return a column of categories (or years), one of its values, and the rows that have it."""
        table = self.table
        columns = [c for c in table.categories() if c != table.label()]
        columns += [c for c in table.of_kind("year") if table.raw[c.at].nunique() > 1]
        column = self.pick(columns)
        if column is None:
            return None
        groups = table.raw.loc[table.frame.index, column.at].groupby(table.raw[column.at]).groups
        fitting = [v for v, rows in groups.items() if v and len(rows) >= 2 and (most is None or len(rows) <= most)]
        value = self.drawn.choice(sorted(map(str, fitting))) if fitting else None
        return None if value is None else (column, value, [int(row) for row in groups[value]])

    def unique_rows(self, column: Column) -> list[tuple[str, int]]:
        """Return the rows that a column's value names alone: the value and the row."""
        counts = self.table.raw[column.at].value_counts()
        return [(str(text), int(row)) for row, text in self.table.raw[column.at].items() if text and counts[text] == 1]

    def dated_rows(self) -> tuple[Column, Column, dict[str, dict[int, int]]] | None:
        """Return the column of names, that of years, and by name and year the row, in a list of several years."""
        label, years = self.table.label(), self.pick(self.table.of_kind("year"))
        if label is None or years is None:
            return None
        rows: dict[str, dict[int, int]] = {}
        for row, year in self.table.frame[years.at].items():
            name = str(self.table.raw.at[row, label.at])
            if name and year is not None and year == year:
                rows.setdefault(name, {})[int(year)] = 0 if int(year) in rows.get(name, {}) else int(row)
        series = {name: found for name, found in rows.items() if len(found) > 1 and all(found.values())}
        return (label, years, series) if series else None

    def measures(self) -> list[list[Column]]:
        """Return the columns of a wide table by what they measure, those of several periods."""
        groups: dict[str, list[Column]] = {}
        for column in self.table.of_kind("number"):
            if column.period:
                groups.setdefault(column.measure, []).append(column)
        return [columns for columns in groups.values() if len(columns) > 1]

    def named_numbers(self, *kinds: Any) -> tuple[Column, Column, list[tuple[str, int]]] | None:
        """Return a column of names, one of numbers, and the rows named by one name alone that have a number."""
        label, measure = self.table.label(), self.pick(self.table.of_kind(*(kinds or ("number",))))
        if label is None or measure is None:
            return None
        numbers = self.numbers(measure)
        rows = [(name, row) for name, row in self.unique_rows(label) if row in numbers.index]
        return (label, measure, rows) if len(rows) >= 4 else None


def _plural(name: str) -> str:
    """Return an English name in the plural."""
    if not name[-1:].islower() or name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


Maker = Callable[[Asker], Question | None]


def look_up(asker: Asker) -> Question | None:
    """What a row, named by one key, has in a column; of two rows of one name both are told."""
    key = asker.pick(asker.table.keys())
    value = asker.pick([column for column in asker.table.columns if column != key])
    if key is None or value is None:
        return None
    texts = asker.table.raw[key.at]
    filled = [row for row in texts.index if texts[row] and asker.table.raw.at[row, value.at]]
    name = str(texts[asker.drawn.choice(filled)]) if filled else ""
    rows = [row for row in filled if texts[row] == name and _has(asker, row, value)]
    if not 1 <= len(rows) <= 3 or len(rows) < int((texts == name).sum()):
        return None
    gold = [asker.cell(row, value) for row in rows]
    return asker.question(
        "look-up by one key", "look-up by one key", gold, rows, [value], listed=value, k=name, V=asker.name(value)
    )  # fmt: skip


def _has(asker: Asker, row: int, column: Column) -> bool:
    value = asker.table.frame.at[row, column.at]
    return value is not None and value == value


def look_up_two(asker: Asker) -> Question | None:
    """What the one row with two given values has in a column."""
    table = asker.table
    first = table.label()
    second = asker.pick([c for c in table.categories() if first is not None and c.at != first.at])
    value = asker.pick([c for c in table.columns if c not in (first, second)])
    if first is None or second is None or value is None:
        return None
    pairs = table.raw.groupby([first.at, second.at]).groups
    both = [
        (str(k), str(c), int(rows[0]))
        for (k, c), rows in asker.drawn.sample(sorted(pairs.items()), min(len(pairs), 200))
        if k and c and len(rows) == 1 and _has(asker, int(rows[0]), value)
    ]
    often = table.raw[first.at].value_counts()
    both = [found for found in both if often[found[0]] > 1] or both
    if not both:
        return None
    k, c, row = asker.drawn.choice(both)
    return asker.question(
        "look-up by two keys", "look-up by two keys", [asker.cell(row, value)], [row], [value], listed=value,
        k=k, c=c, C=asker.name(second), V=asker.name(value),
    )  # fmt: skip


def look_up_period(asker: Asker) -> Question | None:
    """What was measured of a row in a period, which is a column's or another row's."""
    kind = "look-up by key and period"
    if groups := asker.measures():
        label, column = asker.table.label(), asker.drawn.choice(asker.drawn.choice(groups))
        if label is None:
            return None
        rows = [(name, row) for name, row in asker.unique_rows(label) if _has(asker, row, column)]
        if not rows:
            return None
        name, row = asker.drawn.choice(rows)
        phrase = kind if column.measure else f"{kind}, one measure"
        return asker.question(
            kind, phrase, [asker.cell(row, column)], [row], [column], listed=column, k=name,
            p=column.period, V=asker.measure(column),
        )  # fmt: skip
    found = asker.dated_rows()
    value = asker.pick(asker.table.of_kind("number", "share"))
    if found is None or value is None:
        return None
    _, _, series = found
    name = asker.drawn.choice(sorted(series))
    year, row = asker.drawn.choice(sorted(series[name].items()))
    if not _has(asker, row, value):
        return None
    return asker.question(
        kind, kind, [asker.cell(row, value)], [row], [value], listed=value, k=name, p=asker.period(year),
        V=asker.name(value),
    )  # fmt: skip


def filtered(asker: Asker) -> Question | None:
    """Which rows have a value, or more than a number."""
    label = asker.table.label()
    if label is None:
        return None
    if asker.drawn.random() < 0.4 and (found := _above(asker, _LONGEST_LIST)):
        measure, x, rows = found
        gold = [asker.cell(row, label) for row in rows]
        return asker.question(
            "filter list", "filter by number", gold, rows, [], listed=label, K=asker.rows_called(label),
            V=asker.name(measure), x=x,
        )  # fmt: skip
    condition = asker.condition(_LONGEST_LIST)
    if condition is None or condition[0] == label:
        return None
    column, value, rows = condition
    gold = [asker.cell(row, label) for row in rows if asker.table.raw.at[row, label.at]]
    return asker.question(
        "filter list", "filter", gold, rows, [], listed=label, K=asker.rows_called(label),
        C=asker.name(column), c=value,
    )  # fmt: skip


def _above(asker: Asker, most: int) -> tuple[Column, str, list[int]] | None:
    """Return a column, a number as it is written, and the two to ``most`` rows that have more."""
    measure = asker.pick(asker.table.of_kind("number", "share"))
    if measure is None:
        return None
    numbers = asker.numbers(measure).sort_values(ascending=False)
    if len(numbers) < 4:
        return None
    place = asker.drawn.randint(2, min(most, len(numbers) - 1))
    row = int(numbers.index[place])
    bound, text = float(numbers.iloc[place]), str(asker.table.raw.at[row, measure.at])
    if "." in text and set(text) <= _PLAIN_NUMBER and "%" not in text:
        bound = round((float(numbers.iloc[place - 1]) + bound) / 2, 1)
        text = f"{bound:g}" if abs(bound) < 1e5 else f"{bound:.1f}"
    rows = [int(i) for i in numbers.index[numbers > bound]]
    return (measure, text, rows) if 2 <= len(rows) <= most and "(" not in text else None


def counted(asker: Asker) -> Question | None:
    """How many rows have a value, or more than a number."""
    kind = "count with condition"
    if asker.drawn.random() < 0.3 and (found := _above(asker, 25)):
        measure, x, rows = found
        return asker.question(
            kind, "count by number", [Gold(number=len(rows))], rows, [], computed=True,
            V=asker.name(measure), x=x,
        )  # fmt: skip
    condition = asker.condition()
    if condition is None:
        return None
    column, value, rows = condition
    return asker.question(
        kind, kind, [Gold(number=len(rows))], rows, [], computed=True, C=asker.name(column), c=value
    )  # fmt: skip


def distinct(asker: Asker) -> Question | None:
    """Which values a column has, or how many."""
    column = asker.pick(asker.table.categories())
    if column is None:
        return None
    texts = asker.table.raw[column.at]
    found = sorted({str(text) for text in texts if text})
    rows = [int(row) for row in texts.index if texts[row]]
    if asker.drawn.random() < 0.3 or len(found) > 15:
        gold, phrase = [Gold(number=len(found))], "number of distinct values"
    else:
        gold, phrase = [Gold((text,)) for text in found], "distinct values"
    return asker.question(
        "distinct values", phrase, gold, rows, [], computed=phrase != "distinct values", some=True,
        C=asker.name(column),
    )  # fmt: skip
