"""What a question says of a list, put into marks: values of cells, columns, the rows' own name, limits.

"total quantity of open orders over 100" over a list of orders becomes "total ‹m0› of ‹v1› ‹r2› ‹l3›". A value is
linked where a cell says the same, in the singular or the plural; a column by its name or by a word that only its
name holds. What could be two things is linked to none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.answer.tables.aggregate_words import (
    CLASSIFIERS,
    GENERIC_ROWS,
    JOINED,
    MEASURE_CUES,
    NEGATED,
    QUANTITIES,
    TRADED,
    TRADES,
)
from engine.answer.tables.chinese_numerals import with_digits
from engine.answer.tables.limits import find_limits
from engine.answer.tables.matching import features, plain, unaccented
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.record_words import NUMBERED_BY, YEARLY
from engine.answer.tables.row_names import NUMBERED, called_by
from engine.answer.tables.said_units import without_the_list, without_units
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column
from engine.answer.tables.word_families import alike, same_root
from engine.answer.tables.yes_no_columns import affirmed
from engine.enrich.cell_values import NUMERIC, parse_cell
from engine.structure.sentences import is_cjk

_LONGEST_VALUE = 60
# How large or how many of a thing: "Hose reel 40m" is a hose reel.
_SIZE = re.compile(r"[ ,-]+(?:\d[\d.,/x×]*\s?[a-zμ°\"”]{0,4}|\d[\d.,]*\s?(?:pack|pcs|pieces?))$")
_FEWEST_LETTERS = 4
_HOURS = frozenset({"hours", "工时"})
_SHORTEST_WORD = 3
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_ITEMS = re.compile(r"\s*[,;/、]\s*")
_EITHER = re.compile(r"\bor\b|或")
_NUMBER_OF = "数量"
_OF_DATES = re.compile(r"(?:日期|时间|年份|年月)$")
_COUNT_OF_ROWS = re.compile(r"(?P<rows>‹r\d+›)‹m(?P<column>\d+)›")
_MARK = re.compile(r"‹(?P<kind>[a-z])(?P<place>\d+)›")


@dataclass(slots=True)
class Marked:
    """The question's ``text`` with marks, and the ``conditions`` on rows as operators take them.

    ``failed`` is True where the question could mean several things.
    """

    text: str
    conditions: list[dict[str, Any]] = field(default_factory=list)
    failed: bool = False

    def mark(self, condition: dict[str, Any]) -> str:
        """Keep a condition on the rows; return the mark for it."""
        self.conditions.append(condition)
        return f"‹l{len(self.conditions) - 1}›"


class LinkedQuestion:
    """Links one question to one list."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._table = source, source.table
        bare = question.plain.replace("‹", " ").replace("›", " ").casefold().rstrip("?？ 。.!！")
        self._text = without_units(unaccented(without_the_list(with_digits(bare))), self._table)

    @cached_property
    def entity(self) -> Column | None:
        """The column that names the rows: the first that says something else in each of them, else of texts."""
        for column in self._table.columns:
            texts = [self._table.text(row.index, column.index) for row in self._table.records]
            called = column.index == 0 and self._table.numbers_things
            named = column.dtype == "text" or called or NUMBERED.search(column.name)
            if named and all(texts) and len(set(texts)) == len(texts):
                return called_by(self._table, column)
        return next((column for column in self._table.columns if column.dtype == "text"), None)

    @cached_property
    def measures(self) -> list[Column]:
        """The columns of amounts."""
        return [
            column
            for column in self._table.columns
            if column.dtype in NUMERIC and column is not self.entity and not NUMBERED.search(column.name)
            and not NUMBERED_BY.match(column.name)
            and not features(column.name) & YEARLY
        ]  # fmt: skip

    @property
    def only_measure(self) -> Column | None:
        """The column of amounts, where there is one alone."""
        return self.measures[0] if len(self.measures) == 1 else None

    @cached_property
    def is_of_trade(self) -> bool:
        """True where each row tells of a quantity or of hours: orders, stock, time sheets."""
        return self.called(QUANTITIES | _HOURS) is not None

    @cached_property
    def dates(self) -> list[Column]:
        """The columns of dates and of years."""
        return [c for c in self._table.columns if c.dtype == "date" or features(c.name) & YEARLY]

    @cached_property
    def known(self) -> frozenset[str]:
        """The words that the list stands under: the title of its file and sheet, and what is done with such rows."""
        near = [self._source.title, *self._source.path, self._table.caption]
        said = frozenset(word.casefold() for text in near for word in re.findall(r"[^\W_]+", text))
        names = [*near, self.entity.name if self.entity else ""]
        trades = any(features(name) & TRADES for name in names) or self.called(QUANTITIES) is not None
        return said | TRADED if trades else said

    def cued(self, text: str) -> tuple[Column, re.Match[str]] | None:
        """Return the one column of amounts that a verb means ("earns": Salary), and where; None for none or several."""
        for cue, names in MEASURE_CUES:
            match = cue.search(text)
            found = [column for column in self.measures if match and self._is_called(column, names)]
            if match and len(found) == 1:
                return found[0], match
        return None

    def called(self, names: frozenset[str]) -> Column | None:
        """Return the one column of amounts that is called by one of these names."""
        found = [column for column in self.measures if self._is_called(column, names)]
        return found[0] if len(found) == 1 else None

    @staticmethod
    def _is_called(column: Column, names: frozenset[str]) -> bool:
        name = plain(without_asides(column.name))
        return bool(names & set(name.split())) or any(is_cjk(one) and one in name for one in names)

    def marked(self) -> Marked:
        """Return the question with marks in place of all that it says of the list."""
        self._values: list[list[tuple[int, str]]] = []
        made = Marked("")
        text = self._cells_marked(self._affirmed_marked(made))
        made.text = _COUNT_OF_ROWS.sub(self._counting, self._rows_marked(text))
        find_limits(made, self)
        made.text = self._values_told(made)
        return made

    def _affirmed_marked(self, made: Marked) -> str:
        """Make conditions of the names of columns that say yes or no: 独立董事 are those that are 是否独立董事."""
        text = self._text
        for said in affirmed(self._table, text):
            condition = {"column": said.column, "is": "=", "value": said.value}
            text = text.replace(said.words, f" {made.mark(condition)} ", 1)
        return text

    def _counting(self, match: re.Match[str]) -> str:
        """Leave the number of the rows (订单数量) as it is said, though a column is called 数量."""
        named = self.column(int(match["column"])).name == _NUMBER_OF
        return f"{match['rows']}{_NUMBER_OF}" if named else match[0]

    def column(self, place: int) -> Column:
        """Return a column by its place."""
        return self._table.columns[place]

    def texts(self, column: Column) -> list[str]:
        """Return what the rows say in a column."""
        return [self._table.text(row.index, column.index) for row in self._table.records]

    def days(self, column: Column) -> list[str]:
        """Return the dates of a column, as ISO 8601 writes them."""
        rows = self._table.records
        return [date for row in rows if (date := self._table.value(row.index, column.index).date)]

    # --- links --------------------------------------------------------------------------------------

    def _cells_marked(self, text: str) -> str:
        values, columns = self._value_forms, self._column_forms
        forms = sorted({*values, *columns}, key=len, reverse=True)
        if not forms:
            return text
        # Chinese characters may stand right beside a code: "HT-003是".
        letter = r"[^\W\u4e00-\u9fff]"
        edged = (re.escape(f) if is_cjk(f) else rf"(?<!{letter}){re.escape(f)}(?!{letter})" for f in forms)

        def mark(match: re.Match[str]) -> str:
            said = match[0]
            if said in values and said in columns:
                return said  # a value and a column: left over
            if said in values:
                self._values.append(values[said])
                return f"‹v{len(self._values) - 1}›"
            return f"‹{self._kind(columns[said])}{columns[said].index}›"

        return re.sub("|".join(edged), mark, text)

    def _kind(self, column: Column) -> str:
        if column is self.entity and not self._is_shared(column):
            return "r"
        return "d" if column in self.dates else "m" if column in self.measures else "g"

    def _is_shared(self, column: Column) -> bool:
        """True where several rows of trade say the same in a column: it names what they are of, and none of them."""
        texts = self.texts(column)
        return self.is_of_trade and len(set(texts)) < len(texts)

    @cached_property
    def _value_forms(self) -> dict[str, list[tuple[int, str]]]:
        """The forms of cell texts that the question says, with the columns and texts they are of."""
        exact: dict[str, dict[int, str]] = defaultdict(dict)
        other: dict[str, dict[int, str]] = defaultdict(dict)
        for column in self._table.columns:
            if column.dtype in NUMERIC or column.dtype in ("date", "time"):
                continue
            for cell in dict.fromkeys(self.texts(column)):
                value = plain(cell)
                if not value or len(value) > _LONGEST_VALUE or parse_cell(cell).dtype != "text":
                    continue
                for form in _in_number(value):
                    if form in self._text:
                        (exact if form == value else other)[form].setdefault(column.index, cell)
        found = {form: list(of.items()) for form, of in {**other, **exact}.items()}
        found = {form: of for form, of in found.items() if features(form) or not form.isascii()}
        return {**self._sized_forms(), **found}

    def _sized_forms(self) -> dict[str, list[tuple[int, str]]]:
        """The names of goods that the question says without their sizes: "hose reels" for "Hose reel 40m"."""
        found: dict[str, dict[int, str]] = defaultdict(dict)
        for column in self._table.columns if self.called(QUANTITIES) is not None else []:
            if column.dtype == "text" and column is not self.entity:
                for cell in dict.fromkeys(self.texts(column)):
                    bare = _without_size(cell)
                    for form in _in_number(bare) if bare else []:
                        if form in self._text:
                            found[form].setdefault(column.index, bare)
        return {form: list(of.items()) for form, of in found.items()}

    @cached_property
    def _column_forms(self) -> dict[str, Column]:
        """The forms of column names that the question says; of one that several could be called by, none."""
        whole: dict[str, set[int]] = defaultdict(set)
        part: dict[str, set[int]] = defaultdict(set)
        for column in self._table.columns:
            leaf = column.name.rsplit(" / ", 1)[-1]
            for name in {plain(leaf), plain(without_asides(leaf))} - {""}:
                for form in _in_number(name):
                    whole[form].add(column.index)
                for word in _parts(name):
                    for form in _in_number(word):
                        part[form].add(column.index)
                    if column in self.dates:  # "hired" for "Hire date"
                        part[f"{word.removesuffix('e')}ed"].add(column.index)
                if column in self.dates and len(event := _OF_DATES.sub("", name)) > 1 and event != name:
                    part[event].add(column.index)  # 入职 for 入职日期
        if (quantity := self.called(QUANTITIES)) is not None:
            for noun in ("unit", "units"):  # how many units are no unit price
                whole.setdefault(noun, {quantity.index})
        forms = {**self._like_forms(), **part, **whole}
        said = {form: of for form, of in forms.items() if form in self._text and len(of) == 1}
        return {form: self._table.columns[next(iter(of))] for form, of in said.items()}

    def _like_forms(self) -> dict[str, set[int]]:
        """The words of the question that no cell or column has, by the columns that are called by one like them."""
        heads = {c.index: features(c.name.rsplit(" / ", 1)[-1]) for c in self._table.columns}
        if self.called(QUANTITIES) is not None:  # an order is no "OrderDate"
            heads = {place: own for place, own in heads.items() if self.column(place) not in self.dates}
        known = frozenset().union(*heads.values())
        found: dict[str, set[int]] = {}
        for word in [*_WORD.findall(self._text), *_pieces([self._text], longest=2)]:
            own = features(word)
            if len(own) != 1 or own & known or any(map(is_asking, own)):
                continue
            (one,) = own
            like = alike(one)
            found[word] = {
                index
                for index, head in heads.items()
                if like & head or any(same_root(one, other) for other in head)
            }
        return found

    def _rows_marked(self, text: str) -> str:
        """Mark the words for the things that the rows are: those of the list's title and of its first column."""
        names = [*self._source.path[-1:], self._table.caption, self.entity.name if self.entity else ""]
        nouns = {
            word
            for name in names
            for word in _WORD.findall(plain(name))
            if not all(map(is_asking, features(word)))
        }
        said = {form for noun in nouns for form in _in_number(noun)} | GENERIC_ROWS
        like = frozenset(other for noun in nouns for one in features(noun) for other in alike(one))
        place = self.entity.index if self.entity else 0
        for name in sorted(_pieces(names), key=len, reverse=True):
            text = re.sub(rf"(?<!‹){re.escape(name)}", f"‹r{place}›", text)
        if self.entity and is_cjk(self.entity.name):
            last = re.escape(self.entity.name[-1])
            text = re.sub(rf"(?<=[哪几少][{CLASSIFIERS}]){last}(?![\u4e00-\u9fff]*›)", f"‹r{place}›", text)

        def mark(match: re.Match[str]) -> str:
            word = match[0]
            other = features(word) and features(word) <= like and not word.endswith(("ed", "ing"))
            return f"‹r{place}›" if word in said or other else word

        return re.sub(r"(?<![‹\w])[^\W_]+(?![\w›])", mark, text)

    # --- conditions -----------------------------------------------------------------------------------

    def _values_told(self, made: Marked) -> str:
        """Make conditions of the values: joined ones of one column are any of them, a negated one none of it."""
        named = {int(m["place"]) for m in _MARK.finditer(made.text) if m["kind"] == "g"}

        def excluded(match: re.Match[str]) -> str:
            column, value = self._one_of(int(match["value"]), named, made)
            held = self._held(column, value)
            made.failed |= len(held) > 1 and value not in held
            value = held[0] if len(held) == 1 else value
            return f" {made.mark({'column': column, 'is': '!=', 'value': value})} "

        def joined(match: re.Match[str]) -> str:
            chosen = [self._one_of(int(m["place"]), named, made) for m in _MARK.finditer(match[0])]
            if len({column for column, _ in chosen}) > 1:
                made.failed |= _EITHER.search(match[0]) is not None
                return match[0]
            whole = [
                text for column, value in chosen for text in self._held(column, value, items=False) or [value]
            ]
            values = list(dict.fromkeys(whole))
            return made.mark({"column": chosen[0][0], "is": "one of", "value": values})

        def single(match: re.Match[str]) -> str:
            column, value = self._one_of(int(match[1]), named, made)
            held = self._held(column, value)
            value = held[0] if len(held) == 1 else value
            condition = {"is": "one of", "value": held} if len(held) > 1 else {"is": "=", "value": value}
            return made.mark({"column": column, **condition})

        text = JOINED.sub(joined, NEGATED.sub(excluded, made.text))
        text = re.sub(r"‹v(\d+)›", single, text)
        used = [c["column"] for c in made.conditions if c["is"] in ("=", "!=", "one of")]
        made.failed |= len(set(used)) < len(used)  # one cell says no two things
        return text

    def _held(self, column: int, value: str, items: bool = True) -> list[str]:
        """Return the texts of a column that say a value, as one of several ``items``, or with a size behind it."""
        texts = dict.fromkeys(self.texts(self.column(column)))
        return [text for text in texts if (items and _has_item(text, value)) or _without_size(text) == value]

    def _one_of(self, place: int, named: set[int], made: Marked) -> tuple[int, str]:
        """Return the column and text of a value; of several columns the one that the question names."""
        options = self._values[place]
        chosen = [option for option in options if option[0] in named] if len(options) > 1 else options
        describes = re.search(rf"‹v{place}› ?‹r", made.text)  # "red articles"
        if not chosen and self.entity and not describes:
            # What a thing is called comes before what is told of others.
            chosen = [option for option in options if option[0] == self.entity.index]
        made.failed |= len(chosen) != 1
        return (chosen or options)[0]


def _in_number(phrase: str) -> list[str]:
    """Return a phrase as it is, and with its last word in the singular and plural."""
    if phrase in ("男", "女"):
        return [phrase, *(f"{phrase}{noun}" for noun in "生性士")]
    if is_cjk(phrase) or not phrase[-1:].isalpha():
        return [phrase]
    forms = [phrase, f"{phrase}s"]
    if phrase.endswith("y"):
        forms.append(f"{phrase[:-1]}ies")
    if re.search(r"(?:s|x|z|ch|sh)$", phrase):
        forms.append(f"{phrase}es")
    if phrase.endswith("ies"):
        forms.append(f"{phrase[:-3]}y")
    if phrase.endswith("s") and not phrase.endswith("ss"):
        forms.append(phrase[:-1])
    if re.search(r"(?:s|x|z|ch|sh)es$", phrase):
        forms.append(phrase[:-2])
    return forms


def _parts(name: str) -> Iterable[str]:
    """Return the words by which a longer name may be called: its words, of Chinese names their ends."""
    if is_cjk(name):
        return [name[start:] for start in range(1, len(name) - 1)]
    words = _WORD.findall(name)
    return (
        [w for w in words if len(w) >= _SHORTEST_WORD and not all(map(is_asking, features(w)))]
        if len(words) > 1
        else []
    )


def _pieces(names: Iterable[str], longest: int = _LONGEST_VALUE) -> set[str]:
    """Return the Chinese words that titles are made of: pieces of two characters and more."""
    runs = [run for name in names for run in re.findall(r"[\u4e00-\u9fff]{2,}", name)]
    return {
        run[a:b]
        for run in runs
        for a in range(len(run))
        for b in range(a + 2, min(a + longest, len(run)) + 1)
    }


def places(text: str, kind: str) -> list[int]:
    """Return the places of the columns that marks of a kind stand for, in order and once each."""
    return list(dict.fromkeys(int(m["place"]) for m in _MARK.finditer(text) if m["kind"] in kind))


def _without_size(text: str) -> str:
    """Return the name of a thing (lower case) without its size and what stands in brackets; "" where it has none."""
    name = plain(text)
    bare = _SIZE.sub("", plain(without_asides(name)))
    return bare if bare != name and sum(map(str.isalpha, bare)) >= _FEWEST_LETTERS else ""


def _has_item(text: str, value: str) -> bool:
    """True for a cell that says a value, alone or as one of several things: "Voice, uncredited"."""
    items = [plain(item) for item in _ITEMS.split(text)]
    return plain(value) in items
