"""What a question over a table of records says: conditions on rows, the columns it names, what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from engine.answer.tables.converted import value_of
from engine.answer.tables.finding import run
from engine.answer.tables.matching import features, plain, unaccented, weights_of, years_in
from engine.answer.tables.mentions import Condition, Mentions, is_time_word
from engine.answer.tables.numbered import numbered
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.record_words import (
    COUNT,
    EVENTS,
    EVENTS_OF_NUMBERS,
    GENERIC,
    GRAMMAR,
    HARD,
    HOW,
    IDLE,
    MEASURES,
    PART_OF_YEAR,
    PEOPLE,
    PLACES,
    WANTED,
    WHEN,
    WHERE,
    WHO,
    YEARLY,
)
from engine.answer.tables.short_forms import in_words_of, without_asides
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column, Row
from engine.answer.tables.word_families import alike, same_root
from engine.structure.sentences import is_cjk

_UNKNOWN, GUESSED = 0.25, 0.12
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DATE_LENGTH = 12
# Percentages beside the numbers that they are of.
_SHARE = 0.7
# A figure with more behind it, which cannot be read, may be the largest.
_UNREAD = re.compile(r"\W*\d+(?:[.,]\d+)*\W")
_NEARLY = 0.8
# "Which club and league": two columns are asked for.
_JOINED = re.compile(r"\W*(?P<a>[\w' -]+?) and (?:what |which |the |in |at )*(?P<b>[\w'-]+)")
_TALK_ZH = re.compile(r"请问|谁|目前|现任|担任|出任|(?:本|该)?公司的?|集团的?")
_PLAYED, _PARTS = re.compile(r"\bplay(?:s|ed)?\b|\bportray"), features("role character part")
_PART = 0.8  # the quality of a mention that is a part of a cell's text


class RecordReading:
    """One question read over one table; what it guesses and cannot place lowers :meth:`_confidence`."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._table = source, source.table
        self._question = question
        cells = "\n".join(
            self._table.text(row.index, c.index) for row in self._table.rows for c in self._table.columns
        )
        self._text = in_words_of(unaccented(question.plain.casefold().rstrip("?？ .")), cells.casefold())
        self._mentions = Mentions(self._table, self._text)
        self._columns = self._table.columns
        self._weights = weights_of([column.name for column in self._columns])
        self._penalty = 0.0
        self._used: list[tuple[int, int]] = []
        # Of two columns of people the verb should tell which.
        self._guessed = False
        self._mentioned = -1
        self._numbered: list[tuple[int, int]] = []
        self._named: set[int] = set()
        self._accounted: frozenset[str] = frozenset()

    # --- conditions ---

    @cached_property
    def _conditions(self) -> tuple[list[list[Condition]], list[Condition]]:
        """Return the mentioned values (each with its possible columns), and the conditions on numbers and years."""
        where: list[Condition] = []
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
            where.append(Condition(one.column, "=", one.value, one.start, one.end, 1.0))
            self._used.append((one.start, one.end))
            self._numbered.append((one.start, one.end))
            # The verb before it: "won no seats".
            self._accounted |= features(" ".join(self._text[: one.start].split()[-1:])) & EVENTS_OF_NUMBERS
            self._named.add(one.column)
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
        return groups, where

    @cached_property
    def _undated(self) -> bool:
        """True for a table whose rows have no year; one within a longer text ("due 2020") is none of the row."""
        texts = (self._table.text(row.index, c.index) for row in self._table.rows for c in self._columns)
        heads = any(c.dtype == "date" or features(c.name) & YEARLY for c in self._columns)
        return not heads and not any(len(text) <= _DATE_LENGTH and years_in(text) for text in texts)

    def _is_wanted(self, mention: Condition) -> bool:
        """True for the noun right behind the question word: "which building" asks for one, and names none."""
        match = WANTED.search(self._text)
        return match is not None and mention.quality < _PART and mention.start == match.end() + 1

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
            if len({c.rows for c in options}) > 1:
                return None
            chosen.append(options[0])
        # Mentions that meet in one row bear each other out.
        doubts = [0.5 * (1.0 - condition.quality) for condition in chosen]
        together = frozenset.intersection(*(c.rows for c in chosen)) if chosen else frozenset()
        self._penalty += min(doubts) if len(chosen) > 1 and len(together) == 1 else sum(doubts)
        return chosen

    # --- columns ------------------------------------------------------------------------------------

    def _wanted(self, exclude: set[int]) -> Column | None:
        """Return the column that is asked for: named behind the question word, of its kind, or the first of texts."""
        text = self._text
        free = [c for c in self._columns if c.index not in exclude]
        named = self._wanted_named(exclude) or self._done_by(free)
        if named is not None:
            self._named.add(named.index)
            return named
        for cue, words in ((WHO, PEOPLE), (WHERE, PLACES)):
            if cue.search(text):
                found = [
                    column
                    for word in words
                    for column in free
                    if word in plain(column.name).split() or features(word) & features(column.name)
                ]
                if found:
                    self._named.add(found[0].index)
                    self._guessed = len({column.index for column in found}) > 1
                    return found[0]
        if WHEN.search(text):
            dated = [c for c in free if c.dtype == "date" or features(c.name) & YEARLY]
            dated = dated or [c for c in free if self._tells_when(c)]
            if len(dated) > 1:
                # "When was it completed?" of columns for the start and the completion.
                named = self._best_column(text, exclude={c.index for c in self._columns if c not in dated})
                dated = [named] if named is not None else []
            self._named |= {c.index for c in dated}
            return dated[0] if dated else None
        if (how := HOW.search(text)) is not None:
            hints = (hint for stem, words in MEASURES.items() if how[1].startswith(stem) for hint in words)
            found = [c for hint in hints for c in free if features(hint) & features(c.name)]
            found = [c for c in found if features(c.name) == features(found[0].name)]
            found = [c for c in found if c.index > self._mentioned] or found
            self._used.append(how.span())
            self._named |= {c.index for c in found[:1]}
            return found[0] if found else None
        if WHERE.search(text):
            return None
        entity = self._entity()
        if entity is None or entity.index in exclude:
            return None
        wanted = WANTED.search(text)
        noun = features(" ".join(text[wanted.end() :].split()[:2])) if wanted else frozenset()
        told = bool(noun & (self._source.context | GENERIC) or WHO.search(text))
        if features(entity.name) <= GENERIC and not any(map(self._may_name, noun)):
            told = True  # "Name" says nothing of what they are called
            self._accounted |= noun
        # The column in front that has no name names the rows.
        in_front = entity.index == 0 and not entity.name and WHO.search(text)
        self._penalty += 0.0 if in_front else GUESSED if told else 2 * GUESSED
        return entity

    def _may_name(self, noun: str) -> bool:
        """True for a noun that may say what another column holds: "country" beside "Nationality"."""
        like = alike(noun) | {noun}
        places = noun in frozenset().union(*map(features, PLACES))
        return places or any(
            like & own or any(same_root(noun, f) for f in own)
            for own in (features(column.name) - GENERIC for column in self._columns)
        )

    def _done_by(self, free: Sequence[Column]) -> Column | None:
        """Return the column of those who did what "who developed it" asks: "Developer"."""
        if not WHO.search(self._text):
            return None
        said = {f for f in features(self._text) if not is_asking(f)} - GENERIC
        if _PLAYED.search(self._text):
            said |= _PARTS
        found = [c for c in free if c.dtype == "text" and said & features(c.name)]
        return found[0] if len(found) == 1 else None

    def _tells_when(self, column: Column) -> bool:
        """True for a column of texts most of which hold a year or a day: "Amendable 1/1/2019"."""
        texts = [text for row in self._table.rows if (text := self._table.text(row.index, column.index))]
        return 2 * sum(bool(_DATED.search(text)) for text in texts) > len(texts)

    def _wanted_named(self, exclude: set[int]) -> Column | None:
        match = WANTED.search(self._text)
        if match is None:
            return None
        if self._question.chinese:
            # The noun stands before the question word as well as behind it.
            return self._best_column(self._text, exclude=exclude | self._named)
        behind = self._text[match.end() :]
        noun = re.split(
            r"\b(?:did|does|do|has|have|had|was|were|is|are|that|who|in|with|from|for|by|on|at|won|scored)\b|(?:有|是|的|在)",
            behind,
            maxsplit=1,
        )[0]
        return self._best_column(noun, exclude=exclude) or self._best_column(
            " ".join(noun.split()[:1]), exclude=exclude, nearly=True
        )

    def _best_column(
        self,
        text: str,
        numeric: bool = False,
        exclude: set[int] | frozenset[int] = frozenset(),
        dated: bool = False,
        nearly: bool = False,
    ) -> Column | None:
        """Return the one column whose name the text says best."""
        said = features(text)
        like = frozenset().union(*map(alike, said))
        near = [column for column in self._columns if like & features(column.name)]
        scored = []
        for column in self._columns:
            able = self._numeric(column) or (dated and column.dtype in ("date", "time"))
            if column.index in exclude or (numeric and not able):
                continue
            # What stands in brackets need not be said, but may be.
            own = {features(column.name), features(without_asides(column.name))}
            recall, common = max(
                ((self._recall(name, said), name & said) for name in own), key=lambda pair: pair[0]
            )
            if not common and nearly and len(near) == 1 and column in near:
                # A word that says nearly the same, of one column: "wins" for "Won".
                recall, common = max(
                    ((_NEARLY * self._recall(name, like), name & like) for name in own),
                    key=lambda pair: pair[0],
                )
            if not common:
                continue
            if self._question.measure != "percent" and column.dtype == "percent":
                recall *= _SHARE
            if recall >= 0.45:
                place = min((text.find(f[:4]) for f in common if f[:4] in text), default=99)
                scored.append((recall, len(common), -place, column))
        scored.sort(key=lambda item: (-item[0], -item[1], -item[2]))
        if (
            len(scored) > 1
            and scored[0][0] == scored[1][0]
            and features(scored[0][-1].name) == features(scored[1][-1].name)
        ):
            # Of columns of one name that right of the one which the question mentions: a winner's own time.
            name = features(scored[0][-1].name)
            right = [c for *_, c in scored if features(c.name) == name and self._mentioned < c.index]
            return min(right, key=lambda column: column.index) if self._mentioned >= 0 and right else None
        return scored[0][-1] if scored else None

    def _recall(self, name: frozenset[str], said: frozenset[str]) -> float:
        """Return what part of a name's weight is said."""
        whole = sum(self._weights.get(f, 1.0) for f in name)
        return sum(self._weights.get(f, 1.0) for f in name & said) / whole if whole else 0.0

    def _account_heads(self, match: re.Match[str] | None, column: Column) -> None:
        """Account for the words around what a column is called by: "won the most gold medals" of a column "Gold".

        ``match`` is the word of the superlative or the count. The noun behind the column's name says what it counts,
        the verb before the superlative that it was had; behind a superlative alone stands what the rows are.
        """
        if match is None:
            return
        own, words = features(column.name), self._text[match.end() :].split()
        at = [place for place, word in enumerate(words[:4]) if features(word) & own]
        noun = words[at[-1] + 1 : at[-1] + 2] if at else words[:1] if not own & features(self._text) else []
        others = frozenset().union(*(features(c.name) for c in self._columns if c is not column))
        self._accounted |= features(" ".join(noun)) - others
        before = self._text[: match.start()].removesuffix("the ").split()[-1:]
        self._accounted |= features(" ".join([*before, *words[-3:]])) & EVENTS_OF_NUMBERS

    def _may_count(self, noun: str) -> bool:
        """True for a noun that says nearly what columns of numbers are called: "appearances" beside "Apps"."""
        like = frozenset().union(*map(alike, features(noun)))
        return any(like & features(column.name) for column in self._columns if self._numeric(column))

    def _of_others(self, group: list[Condition]) -> list[Condition]:
        """Of a mention that may be of several columns, leave out the one whose things are counted."""
        counted = COUNT.search(self._text)
        noun = features(" ".join(self._text[counted.end() :].split()[:1])) if counted else frozenset[str]()
        others = [one for one in group if not noun & features(self._columns[one.column].name)]
        return others or group

    def _header_said(self, column: Column, text: str) -> bool:
        own = {f for f in features(column.name) if not is_asking(f)}
        return bool(own & features(text))

    def _entity(self) -> Column | None:
        """Return the first column of texts that are not all the same: what the rows are about."""
        texts = [c for c in self._columns if c.dtype == "text"]
        telling = [
            c for c in texts if len({self._table.text(row.index, c.index) for row in self._table.rows}) > 1
        ]
        return next(iter(telling or texts), None)

    def _numeric(self, column: Column) -> bool:
        return column.dtype in ("number", "percent", "currency")

    def _is_mentioned(self, match: re.Match[str]) -> bool:
        """True for a word within what the question says of a cell: "before" in "profit before tax"."""
        return any(start < match.start() and match.end() < end for start, end in self._used)

    def _is_row_said(self, row: Row) -> bool:
        """True when the question says all of a row's own name: then not all rows are meant."""
        own = {f for f in features(without_asides(row.leaf)) if f[0] not in "§#" and not is_asking(f)}
        return len(own) > 0 and own <= self._question.names

    def _second_wanted(self, wanted: Column, exclude: set[int]) -> Column | None:
        """Return the other column of "which club and league", or None."""
        match = WANTED.search(self._text)
        names = _JOINED.match(self._text[match.end() :]) if match else None
        if names is None or wanted.index not in self._named:
            return None
        found = [self._best_column(names[part], exclude=exclude) for part in ("a", "b")]
        others = [column for column in found if column is not None and column.index != wanted.index]
        return others[0] if None not in found and len(others) == 1 else None

    # --- rows ---------------------------------------------------------------------------------------

    def _rows(self, conditions: Sequence[Condition]) -> list[int]:
        if not conditions:
            return [row.index for row in self._table.records]
        found = run(self._table, "FILTER", where=[c.where for c in conditions]).observation.value
        return [item["row"] for item in found or []]

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
        names = [row.name for index in rows if (row := self._table.row(index)) and row.name]
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
            rest = _TALK_ZH.sub(" ", rest)
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
            light = known_here or feature in EVENTS
            light = light or (found and feature in self._question.proper)
            weight += 0.3 if light else 1.0
        # Of what was found by its conditions "the only" tells that there is one.
        hard = [word for word in HARD.findall(rest) if not (found and word == "only")]
        hard += PART_OF_YEAR.findall(rest) if any(c.dtype == "date" for c in self._columns) else []
        weight += 2.0 * sum(not features(word) & named for word in hard)
        return max(0.0, 1.0 - self._penalty - _UNKNOWN * weight)
