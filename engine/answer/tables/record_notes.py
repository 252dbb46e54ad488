"""Plans over numbers that stand in the notes of a list: "22 episodes", "5957 pts".

Which of two works has more of them and how many more, which has the most, and how many there are in all. The numbers
are read from their cells one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.tables.counts_in_texts import COUNTED_NOUN, column_of_counts, count_in
from engine.answer.tables.finding import Finding, run
from engine.answer.tables.matching import features
from engine.answer.tables.mentions import Condition
from engine.answer.tables.record_order import RecordOrder

_FEWER = re.compile(r"\b(?:fewer|fewest|least)\b")
_MORE = re.compile(r"\b(?:more|fewer)\b")
_FEWEST = 2


class RecordNotes(RecordOrder):
    """The plans over what the notes of one list count, for one question."""

    @property
    def _noted(self) -> tuple[int, str] | None:
        """The column whose notes count what the question counts, and the noun; None where none or several do."""
        match = COUNTED_NOUN.search(self._text)
        at = column_of_counts(self._table, match["noun"]) if match else None
        return (at, match["noun"]) if match is not None and at is not None else None

    def _counts_of(self, rows: Sequence[int], column: int, noun: str) -> dict[int, int]:
        """Return the rows whose notes say a number of what is counted, with the numbers."""
        told = {row: count_in(self._table.text(row, column), noun) for row in rows}
        return {row: number for row, number in told.items() if number is not None}

    def _of_two_noted(self, a: Condition, b: Condition, where: Sequence[Condition]) -> Finding | None:
        """ "How many more episodes of A than of B", "more episodes of A or B"."""
        noted = self._noted
        if noted is None or _MORE.search(self._text) is None:
            return None
        column, noun = noted
        ends = [self._counts_of(self._rows([condition, *where]), column, noun) for condition in (a, b)]
        if any(len(told) != 1 for told in ends):
            return None
        (first, more), (second, less) = (next(iter(told.items())) for told in ends)
        steps = [run(self._table, "READ_CELL", row=row, column=column) for row in (first, second)]
        self._account(column, noun)
        fewer = _FEWER.search(self._text) is not None
        if "how many" in self._text:
            apart = less - more if fewer else more - less
            said = f"{apart} ({max(more, less)} − {min(more, less)})"
            return self._finding("difference", [str(apart)], noun, steps[0], [a, b], said, steps[1:])
        if more == less:
            return None
        winner = first if (more > less) != fewer else second
        value = self._table.text(winner, a.column)
        said = f"{value} ({more} : {less} {noun})"
        return self._finding("compare", [value], noun, steps[0], [a, b], said, steps[1:])

    def _most_noted(self, lowest: bool, conditions: Sequence[Condition]) -> Finding | None:
        """ "Which show did he appear in for the most episodes"."""
        noted, entity = self._noted, self._entity()
        if noted is None or entity is None:
            return None
        column, noun = noted
        told = self._counts_of(self._rows(conditions), column, noun)
        best = (min if lowest else max)(told.values(), default=None)
        rows = [row for row, number in told.items() if number == best]
        if len(told) < _FEWEST or len(rows) != 1:
            return None
        wanted = self._wanted(exclude={column, *(c.column for c in conditions)}) or entity
        self._account(column, noun)
        value = self._table.text(rows[0], wanted.index)
        steps = [run(self._table, "READ_CELL", row=row, column=column) for row in told]
        look = run(self._table, "READ_CELL", row=rows[0], column=wanted.index)
        said = f"{value} ({self._table.text(rows[0], column)})"
        return self._finding("superlative", [value], wanted.name, look, conditions, said, steps)

    def _sum_noted(self, conditions: Sequence[Condition]) -> Finding | None:
        """ "The total number of episodes he appeared in"."""
        noted = self._noted
        if noted is None:
            return None
        column, noun = noted
        rows = self._rows(conditions)
        told = self._counts_of(rows, column, noun)
        single = re.compile(rf"{re.escape(noun.removesuffix('s'))}\b(?! \d)", re.IGNORECASE)
        told |= {row: 1 for row in rows if single.match(self._table.text(row, column))}  # Episode: "The Hunt"
        if len(told) < _FEWEST:
            return None
        self._account(column, noun)
        steps = [run(self._table, "READ_CELL", row=row, column=column) for row in told]
        total = str(sum(told.values()))
        said = f"{total} ({' + '.join(map(str, told.values()))})"
        return self._finding("sum", [total], noun, steps[0], conditions, said, steps[1:])

    def _account(self, column: int, noun: str) -> None:
        self._named.add(column)
        self._accounted |= features(noun)
