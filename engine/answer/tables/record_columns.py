"""Which column of a list a question asks for: by the noun behind its question word or by its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.tables.chinese_numerals import with_digits
from engine.answer.tables.marks_of_athletes import ASKED_FOR_MARK, TAKEN, column_of_marks
from engine.answer.tables.matching import features, plain, unaccented, weights_of
from engine.answer.tables.mentions import Condition, Mentions
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.record_words import (
    AGENTS,
    COUNT,
    EVENTS_OF_NUMBERS,
    GENERIC,
    HOW,
    MONEY,
    OUTCOMES,
    PEOPLE,
    PLACES,
    TITLES,
    WANTED,
    WHEN,
    WHERE,
    WHO,
    WORKS,
    YEARLY,
    measured,
)
from engine.answer.tables.row_names import called_by
from engine.answer.tables.said_units import without_the_list, without_units
from engine.answer.tables.short_forms import in_words_of, without_asides
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column, Row
from engine.answer.tables.word_families import alike, same_root
from engine.structure.sentences import is_cjk

GUESSED = 0.12
_WORD = re.compile(r"\w")
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# Percentages beside the numbers that they are of.
_SHARE = 0.7
# "Where did he finish" asks for a place in the ranking.
_ENDED = re.compile(r"\b(?:finish|rank|placed|(?<!take )(?<!takes )(?<!took )place)\b")
_HOW_MUCH = re.compile(r"\bhow much (?:is|are|was|were|does|do|did|for)\b|多少钱")
_NEARLY = 0.8
# "Which club and league": two columns are asked for.
_JOINED = re.compile(r"\W*(?P<a>[\w' -]+?) and (?:what |which |the |in |at )*(?P<b>[\w'-]+)")
# What begins and ends a term, and what columns call it.
_TERMS = (
    (
        re.compile(
            r"\b(?:becom(?:e|es)|became|take|took|start(?:ed)?|begin|began|appointed|elected|assumed?)\b"
        ),
        features("took take start started began from appointed elected inaugurated since"),
    ),
    (
        re.compile(
            r"\b(?:leave|left|end(?:ed)?|retired?|resign(?:ed)?|stop(?:ped)?)\b|\bstep(?:ped)? down\b"
        ),
        features("left leave end ended until retired to"),
    ),
)
_TEAM = re.compile(
    r"\b(?:which|what) (?:team|club|side|player|country)\b|\b(?:losing|winning) (?:team|side|club)\b"
)
_SCORE = re.compile(r"\bscores?\b(?! (?:the|a|his|her|most)\b)|\bresult\b|比分")
_SCORED = re.compile(r"\W*\d{1,3}\s?[-–—:−]\s?\d{1,3}(?!\d|\s?[-–—:/]\s?\d)")
_OWNERS = frozenset({"his", "her", "its", "their"})
_VENUES, _TOWNS = features("venue location place"), features("city town country")
_PLAYED, _PARTS = re.compile(r"\bplay(?:s|ed)?\b|\bportray"), features("role character part")


def _in_plain_words(text: str) -> str:
    text = text.replace(" & ", " and ").replace("most recent", "latest")
    text = re.sub(r" at the time(?: of [\w ]+)?$| at that time\b", "", text)
    return re.sub(r"\b(?:take|took|taken|taking)(s?) part\b", "participate", text)


def _begins_with_end(text: str, name: str) -> bool:
    """True for a text that begins as a Chinese name ends: 哪家店 asks for one of the 门店."""
    return is_cjk(name) and any(text.startswith(name[start:]) for start in range(len(name)))


class RecordColumns:
    """Finds the columns that one question over one table speaks of; what it only guesses lowers its penalty."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._table = source, source.table
        self._question = question
        cells = "\n".join(
            self._table.text(row.index, c.index) for row in self._table.rows for c in self._table.columns
        )
        asked = without_the_list(with_digits(question.plain).casefold().rstrip("?？ ."))
        asked = without_units(unaccented(asked), self._table)
        self._text = _in_plain_words(in_words_of(asked, cells.casefold()))
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

    def _wanted(self, exclude: set[int]) -> Column | None:
        """Return the column that is asked for: named behind the question word, of its kind, or the first of texts."""
        text = self._text
        free = [c for c in self._columns if c.index not in exclude]
        named = self._of_outcome(free) or self._wanted_named(exclude) or self._done_by(free)
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
        if (titled := self._column_of_works(free) or self._column_of_places(free)) is not None:
            return titled
        if _SCORE.search(text) and (score := self._column_of_scores(free)) is not None:
            return score
        if WHERE.search(text) and _ENDED.search(text):
            found = [c for c in free if features(c.name) & features("position rank place finish standing")]
            self._named |= {c.index for c in found}
            return found[0] if len(found) == 1 else None
        if ASKED_FOR_MARK.search(text) and (mark := column_of_marks(self._table, free, text)) is not None:
            self._used += [match.span() for match in ASKED_FOR_MARK.finditer(text)]
            self._accounted |= TAKEN
            self._named.add(mark.index)
            return mark
        if WHEN.search(text):
            dated = [c for c in free if c.dtype in ("date", "time") or features(c.name) & YEARLY]
            dated = dated or [c for c in free if self._tells_when(c)]
            if len(dated) > 1:
                # "When was it completed?" of columns for the start and the completion.
                others = {c.index for c in self._columns if c not in dated}
                named = (
                    self._best_column(text, exclude=others)
                    or self._best_column(text, exclude=others, nearly=True)
                    or self._begun_or_ended(dated)
                )
                dated = [named] if named is not None else []
            self._named |= {c.index for c in dated}
            return dated[0] if dated else None
        if (how := HOW.search(text)) is not None:
            found = measured(how[1] or how[2], free)
            found = [c for c in found if features(c.name) == features(found[0].name)]
            found = [c for c in found if c.index > self._mentioned] or found
            self._used.append(how.span())
            if not found and (named := self._best_column(text[how.end() :], numeric=True, nearly=True)):
                found = [named]
            self._named |= {c.index for c in found[:1]}
            return found[0] if found else None
        if WHERE.search(text):
            return None
        paid = self._question.measure == "money" and self._question.amount
        if paid or _HOW_MUCH.search(text):
            found = [c for c in free if c.dtype == "currency" or features(c.name) & MONEY]
            if len(found) > 1 and (said := self._best_column(text, exclude=self._all_but(found))) is not None:
                found = [said]
            else:
                self._penalty += GUESSED
            self._named |= {c.index for c in found[:1]}
            return found[0] if len(found) == 1 else None
        entity = self._entity()
        if entity is None or entity.index in exclude:
            return None
        wanted = WANTED.search(text)
        behind = text[wanted.end() :] if wanted else ""
        noun = features(" ".join(behind.split()[:2]))
        told = bool(noun & (self._source.context | GENERIC) or WHO.search(text)) or _begins_with_end(
            behind, plain(entity.name)
        )
        if not told and (word := self._said_word(free)) is not None:
            self._named.add(word.index)
            return word
        if features(entity.name) <= GENERIC and not any(map(self._may_name, noun)):
            told = True  # "Name" says nothing of what they are called
            self._accounted |= noun
        # The column in front that has no name names the rows.
        in_front = entity.index == 0 and not entity.name and WHO.search(text)
        self._penalty += 0.0 if in_front else GUESSED if told else 2 * GUESSED
        return entity

    def _all_but(self, columns: Sequence[Column]) -> set[int]:
        return {c.index for c in self._columns if c not in columns}

    def _begun_or_ended(self, dated: Sequence[Column]) -> Column | None:
        """Return the one column of dates that says since or until when, as the verb asks: "become", "leave"."""
        for verb, names in _TERMS:
            said = verb.search(self._text)
            found = [column for column in dated if features(column.name) & names]
            if said and len(found) == 1:
                self._accounted |= features(said[0])
                return found[0]
        return None

    def _of_outcome(self, free: Sequence[Column]) -> Column | None:
        """Return the column of those who lost or won, where a list of finals has both: "who was the losing team"."""
        asked = WHO.search(self._text) or _TEAM.search(self._text)
        return self._by_outcome(free) if asked else None

    def _by_outcome(self, columns: Sequence[Column]) -> Column | None:
        """Return the one of these columns that the verb of the question speaks of: of those who lost or won."""
        held = [[c for c in self._columns if features(c.name) & names] for _, names in OUTCOMES]
        said = [cue.search(self._text) is not None for cue, _ in OUTCOMES]
        if any(len(own) != 1 for own in held) or said.count(True) != 1:
            return None
        column = held[said.index(True)][0]
        self._accounted |= features("losing lost lose loser winning won win winner team final game match")
        return column if column in columns else None

    def _column_of_works(self, free: Sequence[Column]) -> Column | None:
        """Return the one column of titles that "which movie", "what episode" or "in which musical" asks for."""
        wanted = WANTED.search(self._text)
        behind = self._text[wanted.end() :] if wanted else ""
        words = behind.split()
        own = 4 if words[:1] and words[0] in _OWNERS else 1
        noun = features(" ".join(words[:own]))
        found = [c for c in free if c.dtype == "text" and features(c.name) & TITLES]
        if not noun & WORKS or len(found) != 1:
            return None
        self._named.add(found[0].index)
        self._accounted |= noun & WORKS
        return found[0]

    def _column_of_places(self, free: Sequence[Column]) -> Column | None:
        """Return the column of venues, whose texts "Rome, Italy" say the city and the country that are asked for."""
        wanted = WANTED.search(self._text)
        noun = features(" ".join(self._text[wanted.end() :].split()[:1])) if wanted else frozenset[str]()
        found = [c for c in free if c.dtype == "text" and features(c.name) & _VENUES]
        if not noun & _TOWNS or len(found) != 1 or not self._says_towns(found[0]):
            return None
        self._named.add(found[0].index)
        self._accounted |= noun
        return found[0]

    def _column_of_scores(self, free: Sequence[Column]) -> Column | None:
        """Return the one column of results like "3–1", whatever it is called."""
        found = []
        for column in free:
            texts = [text for row in self._table.rows if (text := self._table.text(row.index, column.index))]
            told = sum(_SCORED.match(text) is not None for text in texts)
            if column.dtype not in ("date", "time") and len(texts) > 1 and 4 * told >= 3 * len(texts):
                found.append(column)
        if len(found) != 1:
            return None
        self._named.add(found[0].index)
        self._accounted |= features("score final result")
        return found[0]

    def _says_towns(self, column: Column) -> bool:
        """True where nearly all cells of a column hold a town before its country, or nothing."""
        texts = [text for row in self._table.rows if (text := self._table.text(row.index, column.index))]
        return 4 * sum("," in text for text in texts) >= 3 * len(texts) > 0

    def _said_word(self, free: Sequence[Column]) -> Column | None:
        """Return the one column that is called by a small word of the question: "which club did he come from"."""
        words = self._text.split()
        found = [c for c in free if not features(c.name) and plain(c.name) in words]
        return found[0] if len(found) == 1 else None

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
        texts = [c for c in free if c.dtype == "text"]
        found = [c for c in texts if said & features(c.name)] or [
            c for c in texts if any(same_root(a, b) for a in said for b in features(c.name))
        ]
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
            taken = exclude | self._named
            return self._best_column(self._text, exclude=taken) or self._best_column(
                self._text, exclude=taken, nearly=True
            )
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
            own = {features(column.name), features(without_asides(column.name)), self._own_level(column)}
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
        if not scored and nearly and numeric and (inner := self._by_inner_word(said, exclude)):
            return inner
        scored.sort(key=lambda item: (-item[0], -item[1], -item[2]))
        if (
            len(scored) > 1
            and scored[0][0] == scored[1][0]
            and features(scored[0][-1].name) == features(scored[1][-1].name)
        ):
            # Of columns of one name that right of the one which the question mentions: a winner's own time.
            name = features(scored[0][-1].name)
            right = [c for *_, c in scored if features(c.name) == name and self._mentioned < c.index]
            if self._mentioned < 0:
                return self._only_filled([c for *_, c in scored if features(c.name) == name])
            return min(right, key=lambda column: column.index) if right else None
        return scored[0][-1] if scored else None

    def _own_level(self, column: Column) -> frozenset[str]:
        """Return the features of a column's innermost level where no other column has such a one, else of its name."""
        leaf = column.name.rsplit(" / ", 1)[-1]
        alone = sum(other.name.rsplit(" / ", 1)[-1] == leaf for other in self._columns) == 1
        return features(leaf if alone else column.name)

    def _only_filled(self, columns: Sequence[Column]) -> Column | None:
        """Return the one of several columns that holds words: a column of colours beside it has the same name."""
        found = [
            column
            for column in columns
            if 2
            * sum(
                bool(_WORD.search(self._table.text(row.index, column.index))) for row in self._table.records
            )
            > len(self._table.records)
        ]
        return found[0] if len(found) == 1 else None

    def _by_inner_word(self, said: frozenset[str], exclude: set[int] | frozenset[int]) -> Column | None:
        """Return the one column of numbers whose Chinese name has a word of the text within it: 蓄水 of 年末蓄水量."""
        entity = self._entity()
        others = features(entity.name) if entity else frozenset[str]()
        known = {f for f in said - others if is_cjk(f) and not is_asking(f)}
        able = [c for c in self._columns if c.index not in exclude and self._numeric(c)]
        found = [column for column in able if known & features(column.name)]
        return found[0] if len(found) == 1 else None

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
        if self._table.numbers_things:
            return called_by(self._table, self._columns[0])
        texts = [c for c in self._columns if c.dtype == "text"]
        telling = [
            c for c in texts if len({self._table.text(row.index, c.index) for row in self._table.rows}) > 1
        ]
        first = next(iter(telling or texts), None)
        return called_by(self._table, first) if first is not None else None

    def _says_rows(self, noun: str) -> bool:
        entity = self._entity()
        said = features(noun)
        said |= frozenset().union(*map(alike, said))
        if entity and said & AGENTS and set(PEOPLE) & set(plain(entity.name).split()):
            return True  # the swimmers of a column "Name"
        return bool(entity and said & features(entity.name))

    def _numeric(self, column: Column) -> bool:
        if column.index == 0 and self._table.numbers_things:
            return False
        return column.dtype in ("number", "percent", "currency")

    def _is_mentioned(self, match: re.Match[str]) -> bool:
        """True for a word within what the question says of a cell: "before" in "profit before tax"."""
        length = match.end() - match.start()
        return any(
            start <= match.start() and match.end() <= end and length < end - start
            for start, end in self._used
        )

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
