"""The kinds of question whose answer is computed from several rows of a list; see ``kinds``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas

from workbooks.judging import Gold, Question
from workbooks.kinds import (
    Asker,
    Maker,
    counted,
    distinct,
    filtered,
    look_up,
    look_up_period,
    look_up_two,
)
from workbooks.tables import Column

_MOST_GROUPS = 8


def total(asker: Asker) -> Question | None:
    """The sum of a column."""
    measure = asker.pick(asker.table.of_kind("number"))
    if measure is None or len(numbers := asker.numbers(measure)) < 3:
        return None
    gold = [Gold(number=float(numbers.sum()))]
    return asker.question(
        "sum", "sum", gold, map(int, numbers.index), [measure], computed=True, V=asker.name(measure)
    )  # fmt: skip


def _conditional(asker: Asker) -> tuple[Column, str, Column, pandas.Series] | None:
    condition, measure = asker.condition(), asker.pick(asker.table.of_kind("number"))
    if condition is None or measure is None:
        return None
    numbers = asker.numbers(measure)
    chosen = numbers[numbers.index.isin(condition[2])]
    return (condition[0], condition[1], measure, chosen) if len(chosen) >= 2 else None


def total_with_condition(asker: Asker) -> Question | None:
    """The sum of a column over the rows that have a value."""
    found = _conditional(asker)
    if found is None:
        return None
    column, value, measure, chosen = found
    return asker.question(
        "sum with condition", "sum with condition", [Gold(number=float(chosen.sum()))], map(int, chosen.index),
        [measure], computed=True, C=asker.name(column), c=value, V=asker.name(measure),
    )  # fmt: skip


def average(asker: Asker) -> Question | None:
    """The mean of a column, of all rows or of those that have a value."""
    if asker.drawn.random() < 0.5 and (found := _conditional(asker)):
        column, value, measure, chosen = found
        return asker.question(
            "average", "average with condition", [Gold(number=float(chosen.mean()))], map(int, chosen.index),
            [measure], computed=True, C=asker.name(column), c=value, V=asker.name(measure),
        )  # fmt: skip
    picked = asker.pick(asker.table.of_kind("number", "share"))
    if picked is None or len(numbers := asker.numbers(picked)) < 3:
        return None
    gold = [Gold(number=float(numbers.mean()), share=picked.kind == "share")]
    return asker.question(
        "average", "average", gold, map(int, numbers.index), [picked], computed=True, V=asker.name(picked)
    )  # fmt: skip


def _extreme(asker: Asker, kind: str, sign: int) -> Question | None:
    label, measure = asker.table.label(), asker.pick(asker.table.of_kind("number", "share"))
    if label is None or measure is None:
        return None
    numbers = (asker.numbers(measure) * sign).sort_values(ascending=False)
    if len(numbers) < 4 or numbers.iloc[0] == numbers.iloc[1]:
        return None
    row = int(numbers.index[0])
    if not asker.table.raw.at[row, label.at]:
        return None
    only = kind == "maximum" and asker.drawn.random() < 0.4
    gold = [asker.cell(row, label)] + ([] if only else [asker.cell(row, measure)])
    return asker.question(
        kind, f"{kind}, only which" if only else kind, gold, [row], [measure], listed=label,
        K=asker.rows_called(label), V=asker.name(measure),
    )  # fmt: skip


def maximum(asker: Asker) -> Question | None:
    """Which row has the most, and how much."""
    return _extreme(asker, "maximum", 1)


def minimum(asker: Asker) -> Question | None:
    """Which row has the least, and how much."""
    return _extreme(asker, "minimum", -1)


def ranking(asker: Asker) -> Question | None:
    """The three rows that have the most."""
    label, measure = asker.table.label(), asker.pick(asker.table.of_kind("number", "share"))
    if label is None or measure is None:
        return None
    numbers = asker.numbers(measure).sort_values(ascending=False, kind="stable")
    rows = [int(row) for row in numbers.index[:3]]
    names = [str(asker.table.raw.at[row, label.at]) for row in rows]
    if len(numbers) < 6 or numbers.iloc[2] == numbers.iloc[3] or len(set(names)) < 3 or not all(names):
        return None
    gold = [asker.cell(row, label) for row in rows]
    return asker.question(
        "ranking", "ranking", gold, rows, [measure], listed=label, K=asker.rows_called(label), V=asker.name(measure)
    )  # fmt: skip


def _two_rows(asker: Asker) -> tuple[Column, list[tuple[str, int]]] | None:
    """Return a column and two rows with their names; in a list of years a name is said with its year."""
    found = asker.named_numbers()
    if found is not None:
        return found[1], asker.drawn.sample(found[2], 2)
    dated, measure = asker.dated_rows(), asker.pick(asker.table.of_kind("number"))
    if dated is None or measure is None:
        return None
    joined = "{}{}" if asker.zh else "{} in {}"
    numbers = asker.numbers(measure)
    rows = [
        (joined.format(name, asker.period(year)), row)
        for name, years in dated[2].items()
        for year, row in years.items()
        if row in numbers.index
    ]
    return (measure, asker.drawn.sample(rows, 2)) if len(rows) > 1 else None


def difference(asker: Asker) -> Question | None:
    """By how much two rows differ, the larger first."""
    found = _two_rows(asker)
    if found is None:
        return None
    measure, pair = found
    numbers = asker.numbers(measure)
    (k, first), (k2, second) = sorted(pair, key=lambda named: -numbers[named[1]])
    if numbers[first] == numbers[second]:
        return None
    gold = [Gold(number=float(numbers[first] - numbers[second]), signless=True)]
    return asker.question(
        "difference of two rows", "difference of two rows", gold, [first, second], [measure], computed=True,
        k=k, k2=k2, V=asker.name(measure),
    )  # fmt: skip


def share(asker: Asker) -> Question | None:
    """A row's share of the total, or how often one row holds another."""
    kind = "ratio or share"
    if asker.drawn.random() < 0.4 and (two := _two_rows(asker)):
        measure, ((k, first), (k2, second)) = two
        numbers = asker.numbers(measure)
        if numbers[second] <= 0 or numbers[first] <= 0 or not 0.02 < numbers[first] / numbers[second] < 50:
            return None
        gold = [Gold(number=float(numbers[first] / numbers[second]), share=True)]
        return asker.question(
            kind, "ratio of two rows", gold, [first, second], [measure], computed=True, k=k, k2=k2,
            V=asker.name(measure),
        )  # fmt: skip
    found = asker.named_numbers()
    if found is None:
        return None
    _, measure, rows = found
    numbers = asker.numbers(measure)
    name, row = asker.drawn.choice(rows)
    part = float(numbers[row] / numbers.sum()) if numbers.min() >= 0 and numbers.sum() > 0 else 0.0
    if part < 0.001:
        return None
    return asker.question(
        kind, "share of the total", [Gold(number=part, share=True)], [row], [measure], computed=True, k=name,
        V=asker.name(measure),
    )  # fmt: skip


def _series(asker: Asker) -> tuple[str, str, list[tuple[str, int, Column]]] | None:
    """Return a row's name, what is measured, and period, row and column of each value, in order of time."""
    if groups := asker.measures():
        columns, label = asker.drawn.choice(groups), asker.table.label()
        if label is None:
            return None
        rows = [
            (name, row)
            for name, row in asker.unique_rows(label)
            if all(row in asker.numbers(column).index for column in columns[:2])
        ]
        if not rows:
            return None
        name, row = asker.drawn.choice(rows)
        columns = sorted((c for c in columns if row in asker.numbers(c).index), key=lambda c: c.at)
        if any(c.period[-4:].isdigit() for c in columns):
            columns.sort(key=lambda c: c.period[-4:])  # some tables begin with the last year
        return name, asker.measure(columns[0]), [(c.period, row, c) for c in columns]
    found, value = asker.dated_rows(), asker.pick(asker.table.of_kind("number"))
    if found is None or value is None:
        return None
    name = asker.drawn.choice(sorted(found[2]))
    numbers = asker.numbers(value)
    places = [(asker.period(y), row, value) for y, row in sorted(found[2][name].items()) if row in numbers.index]
    return (name, asker.name(value), places) if len(places) > 1 else None


def growth(asker: Asker) -> Question | None:
    """By what percentage a row's value changed between two periods."""
    found = _series(asker)
    if found is None:
        return None
    name, measure, places = found
    start = asker.drawn.randrange(len(places) - 1)
    (p, row, column), (q, later, other) = places[start], places[asker.drawn.randrange(start + 1, len(places))]
    before, after = asker.numbers(column)[row], asker.numbers(other)[later]
    if before <= 0 or before == after or abs(after / before - 1) > 20:
        return None
    gold = [Gold(number=float(after / before - 1), share=True, signless=True)]
    return asker.question(
        "growth between periods", "growth" if measure else "growth, one measure", gold, {row, later},
        {column, other}, computed=True, k=name, V=measure, p=p, q=q,
    )  # fmt: skip


def trend(asker: Asker) -> Question | None:
    """How a row's value went over at least three periods: the first and the last must be told."""
    found = _series(asker)
    if found is None or not 3 <= len(found[2]) <= 12:
        return None
    name, measure, places = found
    (p, row, column), (q, last, other) = places[0], places[-1]
    gold = [asker.cell(row, column), asker.cell(last, other)]
    return asker.question(
        "trend over periods", "trend" if measure else "trend, one measure", gold, {row, last}, {column, other},
        k=name, V=measure, p=p, q=q,
    )  # fmt: skip


def grouped(asker: Asker) -> Question | None:
    """Sums or counts by category, or the category that has most."""
    sorting = [column for column in asker.table.categories() if column != asker.table.label()]
    column, measure = asker.pick(sorting), asker.pick(asker.table.of_kind("number"))
    if column is None:
        return None
    texts = asker.table.raw[column.at]
    texts = texts[texts != ""]
    rows = [int(row) for row in texts.index]
    counts = texts.value_counts()
    few = len(counts) <= _MOST_GROUPS
    if measure is None or (few and asker.drawn.random() < 0.25):
        gold = [Gold((str(name),)) for name in counts.index] + [Gold(number=int(n)) for n in counts]
        return asker.question(
            "group-by", "group-by, count", gold, rows, [], computed=True, some=True, C=asker.name(column)
        ) if few else None  # fmt: skip
    numbers = asker.numbers(measure)
    sums = numbers[numbers.index.isin(rows)].groupby(texts).sum().sort_values(ascending=False)
    if len(sums) < 2 or sums.iloc[0] == sums.iloc[1]:
        return None
    words: dict[str, Any] = {"C": asker.name(column), "V": asker.name(measure)}
    if few and asker.drawn.random() < 0.5:
        gold = [Gold((str(name),)) for name in sums.index] + [Gold(number=float(n)) for n in sums]
        return asker.question("group-by", "group-by", gold, rows, [], computed=True, some=True, **words)
    top = [row for row in rows if texts[row] == sums.index[0]]
    gold = [Gold((str(sums.index[0]),))]
    return asker.question(
        "group-by", "group-by, which most", gold, top, [], listed=column, computed=True, some=True, **words
    )


def dates(asker: Asker) -> Question | None:
    """Which rows, or how many, lie before or after a day."""
    label, column = asker.table.label(), asker.pick(asker.table.of_kind("date"))
    if label is None or column is None:
        return None
    days = asker.table.frame[column.at].dropna().sort_values(ascending=False)
    if days.nunique() < 4:
        return None
    kind = asker.drawn.choice(("dates, count", "dates, list", "dates, before"))
    if kind == "dates, before":
        days = days[::-1]
    place = asker.drawn.randint(2, min(9 if kind != "dates, count" else 60, len(days) - 1))
    bound = days.iloc[place]
    rows = [int(i) for i in days.index if (days[i] < bound if kind == "dates, before" else days[i] > bound)]
    words: dict[str, Any] = {"D": asker.name(column), "d": asker.day(bound)}
    if not rows:
        return None
    if kind == "dates, count":
        gold: Sequence[Gold] = [Gold(number=len(rows))]
        return asker.question("dates before or after", kind, gold, rows, [], computed=True, **words)
    gold = [asker.cell(row, label) for row in rows]
    return asker.question(
        "dates before or after", kind, gold, rows, [], listed=label, K=asker.rows_called(label), **words
    )  # fmt: skip


KINDS: dict[str, Maker] = {
    "look-up by one key": look_up,
    "look-up by two keys": look_up_two,
    "look-up by key and period": look_up_period,
    "filter list": filtered,
    "count with condition": counted,
    "distinct values": distinct,
    "sum": total,
    "sum with condition": total_with_condition,
    "average": average,
    "maximum": maximum,
    "minimum": minimum,
    "ranking": ranking,
    "difference of two rows": difference,
    "ratio or share": share,
    "growth between periods": growth,
    "group-by": grouped,
    "dates before or after": dates,
    "trend over periods": trend,
}

# What may be asked of rows in different units.
OF_A_ROW = frozenset(
    {
        "look-up by one key", "look-up by two keys", "look-up by key and period", "count with condition",
        "distinct values", "growth between periods", "dates before or after", "trend over periods",
    }
)  # fmt: skip
