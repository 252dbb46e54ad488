"""Which row or column has a value that the question gives: "Which model has protection class IP55?", 哪款的内存是32GB.

The attribute is a column of a list, or a row of a table whose columns are the things. The value has to stand once
under it, and the thing that is asked for has to be what the rows or columns are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from engine.answer.tables.aggregate_words import CLASSIFIERS
from engine.answer.tables.finding import Finding, run
from engine.answer.tables.linked_question import LinkedQuestion
from engine.answer.tables.matching import features, longest_piece, plain, years_in
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.record_words import BEYOND, HARD, SUPERLATIVE
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import CellRef
from engine.answer.tables.word_families import alike
from engine.structure.sentences import is_cjk

CONFIDENCE = 0.9
_FEWEST = 2
_LEAST_SHARED = 2
_ASKED = re.compile(
    r"^\W*(?:(?:in|at|on|for|of|from) )?(?:which|what)(?: (?:of the )?(?P<noun>(?!is\b|are\b|was\b|were\b|do\b|does\b"
    r"|did\b)[a-z]+))\b",
    re.IGNORECASE,
)
_ASKED_ZH = re.compile(
    rf"哪一?[{CLASSIFIERS}趟辆次班支]?(?P<noun>[^\W\d_]{{0,6}}?)(?=的|是|有|在|[A-Za-z0-9，,?？]|$|为|卖|用)|谁"
)
_WHAT_ZH = re.compile(r"是什么(?P<noun>[^\W\d_]{2,6}?)(?=的|[?？。]|$)")
# "787-9": the number of a model, and no amount.
_CODE = re.compile(r"(?<![\w.,/-])\d{3}-\d{1,4}[a-z]?(?![\w,/-]|\.\d)")
_HOW_MANY = re.compile(r"\bhow many (?P<noun>[a-z]+)\b")
_LIMITED = re.compile(
    r"\b(?:over|under|above|below|between|or|than|least|most|around|about)\b|以上|以下|至少|至多|超过|不足|[低高大小少多]于|之间|或"
)
_SEPARATED = re.compile(r"(?<=\d),(?=\d{3})")
# What the things of any table may be called.
_THINGS = features("model type version variant product item option one device size plan tariff entry")
_THINGS_ZH = frozenset(
    "型号 产品 项目 机型 品种 方案 版本 规格 款式 商品 东西 一个 一款 一项 一种 人".split()
)
_PERIODS = features("year period quarter month") | frozenset("年 季度 月 年度 年份".split())

Said = Mapping[tuple[int, int], str]


class NamedByValuePlanner:
    """Finds the thing of a table that has a value under an attribute."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._question, self._table = source, question, source.table
        self._text = _SEPARATED.sub("", question.plain.casefold())
        self._noun = ""

    def plan(self) -> Finding | None:
        """Return the name of the one thing that has the value, or None."""
        asked = (_ASKED_ZH if is_cjk(self._text) else _ASKED).search(self._text)
        table = self._table
        if (
            asked is None
            or not table.header_rows
            or len(table.records) < _FEWEST
            or len(table.columns) < _FEWEST
        ):
            return None
        # "Maximum head" is a name, and asks for no maximum.
        unnamed = self._text
        for name in [*(row.leaf for row in table.rows), *(column.name for column in table.columns)]:
            if bare := plain(without_asides(name.rsplit(" / ", 1)[-1])):
                unnamed = unnamed.replace(bare, " ")
        if any(hard.search(unnamed) for hard in (_LIMITED, BEYOND, HARD, SUPERLATIVE)):
            return None
        self._noun = noun = asked["noun"] or ""
        if features(noun) & _PERIODS or noun in _PERIODS:
            return None
        if self._question.prose:
            return None
        found = [*self._by_column(noun), *self._by_row(noun)]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _said_cells(self) -> Said:
        """The cells whose text the question says, by place, with the words it says them in."""
        found: dict[tuple[int, int], str] = {}
        for row in self._table.records:
            for column in self._table.columns:
                text = _SEPARATED.sub("", plain(self._table.text(row.index, column.index)))
                if text and (text[-1:].isdigit() or len(text) > 1) and _is_said(text, self._text):
                    found[row.index, column.index] = text
        longer = set(found.values())
        return {
            place: text
            for place, text in found.items()
            if not any(text != other and text in other for other in longer)
        }

    def _by_column(self, noun: str) -> list[Finding]:
        """Return the rows that have the value in a column that the question names."""
        entity = self._answering(noun)
        if entity is None:
            return []
        told = {column.index: column.name for column in self._table.columns if column.index != entity}
        places = self._under(told, {place: place[1] for place in self._said_cells})
        if len(places) != 1:
            return []
        row, column = places[0]
        own = {plain(self._table.text(row, each.index)) for each in self._table.columns}
        if any(text not in own for text in self._said_cells.values() if not text[-1:].isdigit()):
            return []  # something of another row is said as well
        return self._found(row, entity, [self._table.ref(row, column)], self._table.columns[column].name)

    def _by_row(self, noun: str) -> list[Finding]:
        """Return the columns that have the value in a row that the question names."""
        table = self._table
        columns = [column for column in table.value_columns if column.name and not years_in(column.name)]
        heads = frozenset().union(*(features(column.name) for column in columns), frozenset())
        if noun and any(features(noun) == features(column.name) for column in columns):
            return []  # what a column is called stands in it, and is no name of a column
        if not (self._is_thing(noun) or features(noun) & heads) or not table.header_columns:
            return []
        said = {
            place: place[0] for place in self._said_cells if place[1] in {column.index for column in columns}
        }
        places = self._under({row.index: row.leaf for row in table.records}, said)
        if len(places) != 1:
            return []
        row, column = places[0]
        about = next(each.name for each in table.records if each.index == row)
        return self._found(table.header_rows - 1, column, [table.ref(row, column)], about)

    def _under(self, names: Mapping[int, str], lines: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
        """Return the said cells in the line whose name the question says most of."""
        shares = {
            place: self._share(names[line], self._said_cells[place])
            for place, line in lines.items()
            if line in names
        }
        best = max(shares.values(), default=0.0)
        return [place for place, share in shares.items() if share == best] if best else []

    def _share(self, name: str, value: str) -> float:
        """Return how much of an attribute's name the question says besides the value, 0 for nothing telling."""
        text = self._text.replace(value, " ").replace(f" {self._noun} ", " ", 1)
        bare = plain(without_asides(name.rsplit(" / ", 1)[-1]))
        if is_cjk(text) and bare:
            shared = longest_piece(bare, text)
            return shared / len(bare) if shared >= min(_LEAST_SHARED, len(bare)) else 0.0
        own = frozenset(f for f in features(bare) if not is_asking(f) and f[0] not in "§#") or features(bare)
        asked = features(text)
        met = {f for f in own if f in asked or alike(f) & asked}
        return len(met) / len(own) if own else 0.0

    def _answering(self, noun: str) -> int | None:
        """Return the column of the things that are asked for."""
        entity = LinkedQuestion(self._source, self._question).entity
        names = {column.index: plain(without_asides(column.name)) for column in self._table.columns}
        if noun and is_cjk(noun):
            called = [index for index, name in names.items() if noun in name or (name and name in noun)]
        else:
            wanted = features(noun)
            called = [index for index, name in names.items() if wanted and wanted <= features(name)]
        if len(called) == 1:
            return called[0]
        if entity is None or called:
            return entity.index if entity is not None and entity.index in called else None
        return entity.index if self._is_thing(noun) or not entity.name else None

    def _is_thing(self, noun: str) -> bool:
        """True for a noun that any thing may have, and for one that the table stands under."""
        if not noun or noun in _THINGS_ZH:
            return True
        near = [self._source.title, self._table.caption, *self._source.path]
        if is_cjk(noun):
            return any(noun in text for text in near)
        return bool(features(noun) & (_THINGS | self._source.context))

    def _found(self, row: int, column: int, told: list[CellRef], about: str) -> list[Finding]:
        text = self._table.text(row, column)
        if not text or _is_said(plain(text), self._text):
            return []
        step = run(self._table, "READ_CELL", row=row, column=column)
        if step.observation.status != "ok":
            return []
        label = ", ".join([f"{about}: {told[0].text}"])
        cells = [*step.observation.cells, *told]
        return [Finding("lookup", [text], label, [step], CONFIDENCE, cells=cells)]


def is_of_thing_asked(question: Question, source: TableSource, finding: Finding) -> bool:
    """False for a cell of another column than the one that is called what is asked for, and for a code said of nothing.

    "Which category has a deductible of 30,000" asks for no deductible.
    """
    text, table = question.plain.casefold(), source.table
    asked = (_ASKED_ZH if is_cjk(text) else _ASKED).search(text) or _WHAT_ZH.search(text)
    noun = asked["noun"] or "" if asked else ""
    # "757-200s" are several of a kind.
    if any(not source.says(code.removesuffix("s")) for code in _CODE.findall(text)):
        return False
    counted = _HOW_MANY.search(text)
    if counted and finding.kind == "lookup":
        holding = [
            c.index
            for c in table.columns
            if c.dtype in ("text", "date") and _is_called(c.name, counted["noun"])
        ]
        if holding and not any(cell.column in holding for cell in finding.cells):
            return False  # "how many seasons" asks for none of their goals
    if finding.kind != "lookup" or not noun or not table.columns:
        return True
    called = [column.index for column in table.columns if _is_called(column.name, noun)]
    told = [cell for cell in finding.cells if cell.text in finding.values and cell.row >= table.header_rows]
    named = [level for cell in told for level in table.columns[cell.column].name.split(" / ")]
    return (
        not called
        or not told
        or any(cell.column in called for cell in told)
        or any(_is_called(level, noun) for level in named)
    )


def thing_of_other(
    question: Question, finding: Finding, source: TableSource, sources: Sequence[TableSource]
) -> bool:
    """True where what is asked for or counted is what another table has a column of or stands under, and not this one.

    "How many employees work in Leeds" counts no vehicles there; 在哪个部门 is told by no list without departments.
    """
    text = question.plain.casefold()
    asked = _HOW_MANY.search(text) if finding.kind == "count" else None
    asked = asked or (_ASKED_ZH if is_cjk(text) else _ASKED).search(text)
    noun = (asked["noun"] or "") if asked else ""
    if not noun or finding.kind not in ("count", "superlative", "lookup", "extreme"):
        return False
    own, *rest = [source, *(other for other in sources if other is not source)]
    return not _has_thing(own, noun) and any(_has_thing(other, noun) for other in rest)


def _has_thing(source: TableSource, noun: str) -> bool:
    """True where a table has a column of such things, or stands under their name."""
    if any(_is_called(column.name, noun) for column in source.table.columns):
        return True
    if is_cjk(noun):
        return any(noun in text for text in [source.table.caption, *source.path[-1:]])
    own = features(noun)
    like = own.union(*map(alike, own))
    return bool(like & features(" ".join([source.table.caption, *source.path[-1:]])))


def _is_called(name: str, noun: str) -> bool:
    """True where a noun is the head of a column's name: "category" of "Category of loss"."""
    bare = plain(without_asides(name.rsplit(" / ", 1)[-1]))
    if is_cjk(noun):
        return len(noun) > 1 and (bare.endswith(noun) or bare in (f"{noun}名称", f"{noun}名"))
    return bool(features(noun)) and features(noun) == features(re.split(r" (?:of|in|for|at) ", bare)[0])


def _is_said(text: str, question: str) -> bool:
    """True where a question says a text as words of its own; a number may stand right before its unit."""
    edge = r"(?![.,]?\d)" if text[-1].isdigit() else "" if is_cjk(text[-1]) else r"(?![a-z0-9])"
    start = "" if is_cjk(text[0]) else r"(?<![a-z0-9.,-])"
    return re.search(f"{start}{re.escape(text)}{edge}", question) is not None
