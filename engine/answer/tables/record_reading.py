"""What a question over a table of records says: conditions on rows, the rows that meet them, what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from engine.answer.tables.aggregate_words import IDLE_ZH, number_of
from engine.answer.tables.converted import value_of
from engine.answer.tables.counts_in_texts import COUNTED_NOUN, column_of_counts
from engine.answer.tables.finding import Finding, Step, run
from engine.answer.tables.matching import features, plain, years_in
from engine.answer.tables.mentions import Condition, is_time_word
from engine.answer.tables.numbered import numbered
from engine.answer.tables.quantity import shown
from engine.answer.tables.question import is_asking
from engine.answer.tables.record_columns import GUESSED, RecordColumns
from engine.answer.tables.record_words import (
    COUNT,
    EVENTS,
    EVENTS_OF_NUMBERS,
    GRAMMAR,
    HARD,
    IDLE,
    PART_OF_YEAR,
    WANTED,
    YEARLY,
)
from engine.answer.tables.said_results import SaidTexts, decade_said, result_said
from engine.answer.tables.said_states import state_said
from engine.answer.tables.typed_table import Column
from engine.answer.tables.word_families import alike, same_root
from engine.structure.sentences import is_cjk

_UNKNOWN, _KNOWN = 0.25, 0.15
_COUNTED = re.compile(r"\b(?:how many|most|fewest) $")
_DATE_LENGTH = 12
_NUMBER_OF_ROWS = re.compile(r"\bthe (?P<n>two|three|four) (?:[a-z]+ )?[a-z]+s\b(?! (?:and|or)\b)")
# A figure with more behind it, which cannot be read, may be the largest.
_UNREAD = re.compile(r"\W*\d+(?:[.,]\d+)*\W")
_TALK_ZH = re.compile(r"请问|谁|目前|现任|担任|出任|(?:本|该)?公司的?|集团的?")
_WHOLE = 0.85  # the quality of a mention that is more than a part of a cell's text


class RecordReading(RecordColumns):
    """One question read over one table; what it guesses and cannot place lowers :meth:`_confidence`."""

    # --- conditions ---

    @cached_property
    def _conditions(self) -> tuple[list[list[Condition]], list[Condition]]:
        """Return the mentioned values (each with its possible columns), and the conditions on numbers and years."""
        where: list[Condition] = []
        for match in COUNTED_NOUN.finditer(self._text):
            if column_of_counts(self._table, match["noun"]) is not None:
                self._used.append(match.span("noun"))  # what notes count names no row
        for sign, number, start, end in self._mentions.limits():
            column = self._limit_column(sign, number, start, end)
            if column is None:
                self._penalty += 1.0
                continue
            where.append(
                Condition(
                    column.index, sign, float(number) if "." in number else int(number), start, end, 1.0
                )
            )
            self._used.append((start, end))
            self._named.add(column.index)
        for one in numbered(self._table, self._text, self._used):
            sign = "one of" if isinstance(one.value, list) else "="
            where.append(Condition(one.column, sign, one.value, one.start, one.end, 1.0))
            self._used.append((one.start, one.end))
            self._numbered.append((one.start, one.end))
            # The verb before it: "won no seats".
            self._accounted |= features(" ".join(self._text[: one.start].split()[-1:])) & EVENTS_OF_NUMBERS
            self._named.add(one.column)
        for told in self._told_texts():
            where.append(Condition(told.column, "one of", list(told.texts), told.start, told.end, 1.0))
            self._used.append((told.start, told.end))
            self._named.add(told.column)
        said = (group for group in self._mentions.values(self._used) if not self._is_wanted(group[0]))
        groups = [self._of_others(group) for group in said]
        self._used += [(group[0].start, group[0].end) for group in groups]
        mentioned = {condition.column for group in groups for condition in group}
        self._mentioned = mentioned.pop() if len(mentioned) == 1 else -1
        for year, start, end in self._mentions.years(self._used):
            column = self._year_column(year)
            if column is None:
                # A table without any year is of the year that its text tells.
                known = year in self._source.context
                self._penalty += 0.0 if known else 0.3 * GUESSED if self._undated else 1.0
                self._used.append((start, end))
                continue
            where.append(Condition(column.index, "contains", year, start, end, 1.0))
            self._used.append((start, end))
        held = [group[0].column for group in groups]
        if len(set(held)) == len(held) and not self._rows([*(group[0] for group in groups), *where]):
            # Whose list it is need not be said in the rows that are meant.
            groups = [group for group in groups if not self._is_of_title(group[0])]
        return groups, where

    def _told_texts(self) -> list[SaidTexts]:
        """Return what a count says of results, and the decade of any question."""
        dated = [c for c in self._columns if c.dtype == "date" or features(c.name) & YEARLY]
        found = [decade_said(self._table, self._text, dated), state_said(self._table, self._text)]
        if COUNT.search(self._text) and self._best_column(self._text, numeric=True, nearly=True) is None:
            found.append(result_said(self._table, self._text))
        return [one for one in found if one is not None]

    def _is_of_title(self, said: Condition) -> bool:
        """True for a mention that the title or a heading above the table says as well."""
        words = plain(self._text[said.start : said.end])
        return any(f" {words} " in f" {plain(text)} " for text in [self._source.title, *self._source.path])

    @cached_property
    def _undated(self) -> bool:
        """True for a table whose rows have no year; one within a longer text ("due 2020") is none of the row."""
        texts = (self._table.text(row.index, c.index) for row in self._table.rows for c in self._columns)
        heads = any(c.dtype == "date" or features(c.name) & YEARLY for c in self._columns)
        return not heads and not any(len(text) <= _DATE_LENGTH and years_in(text) for text in texts)

    def _is_wanted(self, mention: Condition) -> bool:
        """True for the noun right behind the question word: "which building" asks for one, and names none."""
        if mention.quality >= _WHOLE:
            return False
        match = WANTED.search(self._text)
        asked = match is not None and mention.start == match.end() + 1
        # "How many singles", "the most singles": the things that are counted.
        return asked or _COUNTED.search(self._text[: mention.start]) is not None

    def _limit_column(self, sign: str, number: str, start: int, end: int) -> Column | None:
        if is_time_word(self._text[start:end]):
            return self._only_date() if len(number) == 4 else None
        behind = re.match(r"[^,?]{0,40}", self._text[end:])
        texts = (behind[0] if behind else "", self._text[:start])
        found = (
            self._best_column(text, numeric=True, nearly=nearly) for nearly in (False, True) for text in texts
        )
        return next((column for column in found if column is not None), None)

    def _year_column(self, year: str) -> Column | None:
        said = re.compile(rf"(?<!\d){year}(?!\d)")
        texts = {
            c.index: [self._table.text(row.index, c.index) for row in self._table.rows] for c in self._columns
        }
        holding = [column for column in self._columns if any(map(said.search, texts[column.index]))]
        dated = [column for column in holding if column.dtype == "date" or features(column.name) & YEARLY]
        if len(dated) > 1:
            return self._begun_or_ended(dated)  # "who became governor in 1922" of a term's start and end
        return holding[0] if len(holding) == 1 else dated[0] if len(dated) == 1 else None

    def _only_date(self) -> Column | None:
        dated = [column for column in self._columns if column.dtype == "date"]
        named = [column for column in dated or self._columns if features(column.name) & YEARLY]
        return dated[0] if len(dated) == 1 else named[0] if len(named) == 1 else None

    def _two_of_one_column(self, groups: Sequence[Sequence[Condition]]) -> tuple[Condition, Condition] | None:
        for first, group in enumerate(groups):
            for other in groups[first + 1 :]:
                for a in group:
                    for b in other:
                        if a.column == b.column and not a.rows & b.rows and len(groups) == 2:
                            return a, b
        return None

    def _two_years(
        self, groups: Sequence[Sequence[Condition]], where: Sequence[Condition]
    ) -> tuple[Condition, Condition] | None:
        """Return the two years of "in 1879 or 1881"."""
        if groups or len(where) != 2 or where[0].column != where[1].column:
            return None
        a, b = where
        years = all(condition.sign == "contains" for condition in where)
        between = self._text[min(a.end, b.end) : max(a.start, b.start)]
        return (a, b) if years and re.fullmatch(r"\s*(?:or|and|还是|和|与)\s*(?:in\s*)?", between) else None

    def _single(self, groups: Sequence[Sequence[Condition]]) -> list[Condition] | None:
        """Return one condition a mention; None when a mention may mean several columns with different rows."""
        chosen: list[Condition] = []
        for group in groups:
            options = list(group)
            if len(options) > 1:
                before = self._text[max(0, options[0].start - 30) : options[0].end + 30]
                named = [c for c in options if self._header_said(self._columns[c.column], before)]
                options = named or options
            if len({c.rows for c in options}) > 1:
                exact = [c for c in options if c.quality == 1.0]
                options = exact or options
                entity = self._entity()
                named = [c for c in options if entity and c.column == entity.index and c.quality == 1.0]
                options = named or options  # what a thing is called before what is told of others
            if len({c.rows for c in options}) > 1:
                told = self._by_outcome([self._columns[c.column] for c in options])
                options = [c for c in options if told is not None and c.column == told.index]
            if len({c.rows for c in options}) != 1:
                return None
            chosen.append(options[0])
        # Mentions that meet in one row bear each other out.
        doubts = [0.5 * (1.0 - condition.quality) for condition in chosen]
        together = frozenset.intersection(*(c.rows for c in chosen)) if chosen else frozenset()
        self._penalty += min(doubts) if len(chosen) > 1 and len(together) == 1 else sum(doubts)
        return chosen

    def _is_of_header(self, text: str) -> bool:
        """True for "first climbed" where a column is called "First ascent": no row is meant by its place."""
        order = re.match(r"\W*(?:\w+ )?(?P<word>first|last|final)\s+\w+(?:ed|en|wn|t|n|d)\b", text)
        return order is not None and any(
            order["word"] in plain(column.name).split() for column in self._columns
        )

    # --- rows ---------------------------------------------------------------------------------------

    def _rows(self, conditions: Sequence[Condition]) -> list[int]:
        if not conditions:
            return [row.index for row in self._table.records]
        found = run(self._table, "FILTER", where=[c.where for c in conditions]).observation.value
        return [item["row"] for item in found or []]

    def _are_as_many(self, rows: Sequence[int]) -> bool:
        """False for another number of rows than the question says there are: "the two independents", "of the two"."""
        said = _NUMBER_OF_ROWS.search(self._text)
        return said is None or number_of(said["n"]) == len(rows)

    def _named_alike(self, rows: Sequence[int]) -> list[int]:
        """Of rows some of which bear the noun that is asked for in their names ("Zone North") return only those."""
        match = WANTED.search(self._text)
        noun = self._text[match.end() :].split()[:1] if match else []
        wanted = {f for f in features(" ".join(noun)) if not is_asking(f)}
        if any(wanted & features(column.name) for column in self._columns):
            return list(rows)  # the parties of a column "Party" need not be called so
        bearing = [i for i in rows if wanted & features(row.leaf if (row := self._table.row(i)) else "")]
        return bearing if len(bearing) > 1 else list(rows)

    def _values(self, rows: Sequence[int], column: Column) -> list[str]:
        texts = [self._table.text(row, column.index) for row in rows]
        return list(
            dict.fromkeys(
                text for text in texts if text and self._table.value(rows[0], column.index).dtype != "empty"
            )
        )

    def _all_ordered(self, rows: Sequence[int], column: Column) -> bool:
        """True when nearly all cells of a column can be compared."""
        values = [self._table.value(row, column.index) for row in rows]
        filled = [value for value in values if value.dtype != "empty"]
        able = sum(value.numeric or value.dtype in ("date", "time") for value in filled)
        texts = [self._table.text(row, column.index) for row in rows]
        if any(_UNREAD.match(text) and value_of(text).dtype == "text" for text in texts):
            return False
        return bool(filled) and able >= 0.85 * len(filled)

    def _plural(self) -> bool:
        match = WANTED.search(self._text)
        words = self._text[match.end() :].split()[:2] if match else []
        return any(word.endswith("s") and not word.endswith("ss") for word in words) or bool(
            re.search(r"哪些|列出", self._text)
        )

    # --- the outcome ----------------------------------------------------------------------------------

    def _label(self, column: Column, rows: Sequence[int]) -> str:
        entity = self._entity()
        in_front = entity is None or entity.index <= self._table.header_columns - 1 or entity is column
        names = [
            row.name if in_front or entity is None else f"{row.name} {self._table.text(index, entity.index)}"
            for index in rows
            if (row := self._table.row(index)) and row.name
        ]
        about = names[0] if len(names) == 1 else ""
        return ", ".join(part for part in (about, column.name) if part)

    def _confidence(self, found: bool = False) -> float:
        """Return 1 less what is guessed and what the question says that nothing accounts for.

        Where what it names was ``found``, further proper names tell whose table it is.
        """
        rest = self._text
        for start, end in self._used:
            rest = rest[:start] + " " * (end - start) + rest[end:]
        if self._question.chinese:
            rest = IDLE_ZH.sub(" ", _TALK_ZH.sub(" ", rest))
        names = [self._columns[index].name for index in self._named]
        named = frozenset().union(*map(features, names), self._accounted)
        known = frozenset("".join(names)) | GRAMMAR
        weight = 0.0
        for feature in features(rest):
            if feature[0] in "§#" or feature in named or feature in IDLE or is_asking(feature):
                continue
            if (known if is_cjk(feature) else frozenset()).issuperset(feature) or alike(feature) & named:
                continue
            if any(same_root(feature, other) for other in named):
                continue
            known_here = feature in self._source.context or any(
                same_root(feature, other) for other in self._source.context
            )
            light = feature in EVENTS or (found and feature in self._question.proper)
            weight += _KNOWN if known_here else 0.3 if light else 1.0
        # Of what was found by its conditions "the only" tells that there is one.
        hard = [word for word in HARD.findall(rest) if not (found and word == "only")]
        hard += PART_OF_YEAR.findall(rest) if any(c.dtype == "date" for c in self._columns) else []
        heads = frozenset(plain(" ".join(names)).split())
        weight += 2.0 * sum(not features(word) & named and word not in heads for word in hard)
        return max(0.0, 1.0 - self._penalty - _UNKNOWN * weight)

    def _worked_out(self, step: Step) -> str:
        """Return a number for readers with the arithmetic behind it."""
        number = step.observation.number
        result = shown(number, self._question.chinese) if number else step.observation.text
        return f"{result} ({step.observation.derivation})"

    def _finding(
        self, kind: str, values: list[str], label: str, step: Step, conditions: Sequence[Condition], said: str = "",
        more: Sequence[Step] = (),
    ) -> Finding:  # fmt: skip
        steps = [step, *more]
        refs = [cell for one in [*more, step] for cell in one.observation.cells]
        cells = list({(c.row, c.column): c for c in refs}.values())
        self._named |= {condition.column for condition in conditions}
        sure = self._confidence(found=kind == "lookup" and bool(conditions))
        return Finding(kind, values, label, steps, sure, said, cells)
