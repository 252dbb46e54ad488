"""Plans over the order of a list: its largest and smallest, its first and last, what stands next to what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engine.answer.tables.finding import Finding, run
from engine.answer.tables.marks_of_athletes import DONE, column_of_marks
from engine.answer.tables.matching import features
from engine.answer.tables.mentions import Condition
from engine.answer.tables.question import is_asking
from engine.answer.tables.ranked_rows import best_rows
from engine.answer.tables.record_columns import GUESSED
from engine.answer.tables.record_reading import RecordReading
from engine.answer.tables.record_words import (
    IDLE,
    MAX,
    MEASURES,
    MIN,
    NEIGHBOUR,
    OF_TIME,
    PLACED,
    TITLES,
    VALUE_WANTED,
    WANTED,
    WHO,
    measured,
)

# Any amount may be high or low.
_OF_AMOUNTS = ("high", "low")
_SEVERAL_ASKED = re.compile(r"(?:which|what) [a-z]{3,}[^s\W]s (?!is\b|was\b|does\b)")
# Words between "before" and the row that is meant: "before the race of".
_MOST_BETWEEN = 3


class RecordOrder(RecordReading):
    """The plans that rank or order the rows of one list for one question."""

    def _superlative(self, match: re.Match[str], conditions: Sequence[Condition]) -> Finding | None:
        lowest = bool(match["min"])
        word = match[0].casefold()
        adjective = next(iter(self._text[match.end() :].split()), "")
        if word in ("most", "least") and any(adjective.startswith(stem) for stem in MEASURES):
            word = adjective  # "the most expensive"
            self._used.append((match.end(), match.end() + 1 + len(adjective)))
        self._accounted |= features(word)
        exclude = {c.column for c in conditions}
        behind = self._text if self._question.chinese else self._text[match.end() : match.end() + 60]
        if not any(not is_asking(f) and f not in IDLE for f in features(behind)):
            behind = self._text  # "in which year was the total the highest"
        measure = self._best_column(behind, numeric=True, exclude=exclude, dated=True, nearly=True)
        ranks = any(word.startswith(stem) for stem in MEASURES if stem not in _OF_AMOUNTS)
        if ranks and measure is self._wanted_named(exclude):
            measure = None  # "which stage was the longest" ranks none by its number
        if measure is None:
            found = measured(word, (c for c in self._columns if c.index not in exclude))
            measure = found[0] if found else None
            if (
                measure is not None
                and word.startswith(("old", "young"))
                and (measure.dtype == "date" or features(measure.name) & features("born year built"))
                and not features(measure.name) & features("age")
            ):
                lowest = not lowest
        if measure is None and word not in ("most", "least") and features(self._text) & DONE:
            measure = column_of_marks(
                self._table, (c for c in self._columns if c.index not in exclude), self._text
            )
            self._accounted |= DONE if measure is not None else frozenset()
        if measure is None and (noted := self._most_noted(lowest, conditions)) is not None:
            return noted
        if measure is None:
            return self._most_frequent(lowest, match, conditions)
        if measure.dtype == "date" and not OF_TIME.match(word):
            return None
        lasts = measure.dtype == "time" or bool(features(measure.name) & features("time duration"))
        if word.startswith(("fast", "slow")) and lasts:
            lowest = not lowest
        if features(measure.name) & features("rank position place 排名") and word in PLACED:
            lowest = not lowest
        self._named.add(measure.index)
        self._account_heads(match, measure)
        rows = self._named_alike(self._rows(conditions))
        if not self._are_as_many(rows):
            return None
        step, best, said_place = best_rows(self._table, rows, measure, lowest, self._text[: match.start()])
        self._used += said_place
        filled = sum(bool(self._table.text(row, measure.index)) for row in rows)
        if not best or len(best) > 2 or filled < 2 or not self._all_ordered(rows, measure):
            return None
        asked = WANTED.search(self._text)
        most_of = asked is not None and asked.end() + 1 >= match.start()  # "what is the most points"
        rows_asked = self._says_rows(" ".join(behind.split()[:2]))  # "which is the lowest peak"
        value_asked = VALUE_WANTED.search(self._text) and not rows_asked
        if value_asked and (most_of or not self._wanted_named({measure.index} | exclude)):
            if said_place:
                return None  # of equal values the second largest may be the largest again
            value = self._table.text(best[0], measure.index)
            return self._finding("extreme", [value], self._label(measure, best), step, conditions)
        wanted = self._wanted(exclude={measure.index} | exclude)
        if wanted is None:
            return None
        values = self._values(best, wanted)
        if len(values) != len(best) or (len(best) > 1 and not self._plural()):
            return None
        texts = [self._table.text(row.index, wanted.index) for row in self._table.records]
        if wanted.index == 0 and self._table.grouped and any(texts.count(value) > 1 for value in values):
            return None  # rows of one name in several groups: the group was asked for
        said = "; ".join(
            f"{self._table.text(row, wanted.index)} ({measure.name}: {self._table.text(row, measure.index)})"
            for row in best
        )
        look = [run(self._table, "READ_CELL", row=row, column=wanted.index) for row in best]
        return self._finding("superlative", values, wanted.name, step, conditions, said, look)

    def _most_noted(self, lowest: bool, conditions: Sequence[Condition]) -> Finding | None:
        """Return the row whose note counts most; lists without such notes have none."""
        return None

    def _most_frequent(
        self, lowest: bool, match: re.Match[str], conditions: Sequence[Condition]
    ) -> Finding | None:
        """ "Which country has the most cyclists": the value that stands in most rows."""
        if match[0].casefold() not in ("most", "least", "fewest", "最多", "最少"):
            return None
        wanted = self._wanted_named({c.column for c in conditions})
        if wanted is None or self._numeric(wanted):
            return None
        counts = Counter(self._table.text(row, wanted.index) for row in self._rows(conditions))
        counts.pop("", None)
        ranked = counts.most_common() if not lowest else counts.most_common()[::-1]
        if len(ranked) < 2 or ranked[0][1] == ranked[1][1] or (not lowest and ranked[0][1] < 2):
            return None
        value, count = ranked[0]
        step = run(
            self._table,
            "COUNT",
            where=[{"column": wanted.index, "is": "=", "value": value}, *(c.where for c in conditions)],
            column=wanted.index,
        )
        self._named.add(wanted.index)
        return self._finding("most frequent", [value], wanted.name, step, conditions, f"{value} ({count})")

    def _in_order(self, first: bool, conditions: Sequence[Condition]) -> Finding | None:
        """ "The first team listed": the first row; "the last winner" the last row of those that meet the conditions."""
        rows = self._rows(conditions)
        if len(rows) < 2:
            return None
        date = self._only_date()
        by_list = re.search(r"\blist", self._text)
        if date is not None and not by_list and self._all_ordered(rows, date):
            step = run(self._table, "MIN" if first else "MAX", columns=[date.index], rows=rows)
            chosen = list(dict.fromkeys(cell.row for cell in step.observation.cells))
            if len(chosen) != 1:
                return None
            row = chosen[0]
        else:
            row = rows[0] if first else rows[-1]
            step = None
            self._penalty += 0.0 if by_list else GUESSED
        wanted = self._wanted(exclude={c.column for c in conditions})
        if wanted is None:
            return None
        if WHO.search(self._text) and features(wanted.name) & TITLES:
            return None  # no work is a person, and "last" is a part of its name
        values = self._values([row], wanted)
        look = run(self._table, "READ_CELL", row=row, column=wanted.index)
        return (
            self._finding("in order", values, wanted.name, step or look, conditions, more=[look])
            if values
            else None
        )

    def _neighbour(self, conditions: Sequence[Condition], after: bool) -> Finding | None:
        rows = self._rows(conditions)
        if len(rows) != 1 or _SEVERAL_ASKED.match(self._text) or not self._is_neighbour_of(conditions[0]):
            return None
        self._used += [match.span() for match in NEIGHBOUR.finditer(self._text)]
        order = [row.index for row in self._table.records]
        at = order.index(rows[0]) + (1 if after else -1)
        if not 0 <= at < len(order):
            return None
        column = self._columns[conditions[0].column]
        asked = WANTED.search(self._text)
        noun = self._text[asked.end() :].split()[:1] if asked else []
        own = bool(features(" ".join(noun)) & features(column.name))  # "what title comes after X"
        wanted = column if own else self._wanted_named({column.index}) or column
        values = self._values([order[at]], wanted)
        self._named.add(wanted.index)
        step = run(self._table, "READ_CELL", row=order[at], column=wanted.index)
        start = run(self._table, "READ_CELL", row=rows[0], column=column.index)
        return (
            self._finding("neighbour", values, wanted.name, start, conditions, more=[step])
            if values
            else None
        )

    def _is_neighbour_of(self, said: Condition) -> bool:
        """True where what is next to a row is asked for, and not what was before something happened to it."""
        if self._question.chinese:
            return True
        ends = [match.end() for match in NEIGHBOUR.finditer(self._text) if match.end() <= said.start]
        return bool(ends) and len(self._text[max(ends) : said.start].split()) <= _MOST_BETWEEN

    def _spread(self, conditions: Sequence[Condition]) -> Finding | None:
        """ "The difference between the most and the least attended game": of the extremes of a column."""
        has_both = re.search(rf"\b(?:{MAX})\b.*\b(?:{MIN})\b|\b(?:{MIN})\b.*\b(?:{MAX})\b", self._text)
        column = self._best_column(self._text, numeric=True, exclude={c.column for c in conditions})
        if not has_both or column is None:
            return None
        self._named.add(column.index)
        rows = self._rows(conditions)
        ranked = run(self._table, "RANK", columns=[column.index], rows=rows).observation.cells
        if len(ranked) < 2:
            return None
        a, b = ranked[0], ranked[-1]
        step = run(
            self._table, "DIFF", a={"row": a.row, "column": a.column}, b={"row": b.row, "column": b.column}
        )
        value = step.observation.value
        return self._finding("difference", [value], column.name, step, conditions, self._worked_out(step))
