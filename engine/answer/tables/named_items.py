"""The item that a question names in full: "2019年的流动资产合计是多少?" is the row 流动资产合计 in the column of 2019.

Nothing is weighed here. The longest row name that the question says must be all it says, but for the year, the
words of asking and what the table stands under; then no other reading can be meant. What is said beyond that,
or asked for beyond reading a cell, is left to the other plans.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cached_property

from engine.answer.tables.finding import Finding, run
from engine.answer.tables.matching import features, plain, years_in
from engine.answer.tables.question import Question
from engine.answer.tables.reading import name_of
from engine.answer.tables.references import CellPlace
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column, Row
from engine.enrich.cell_values import NUMERIC
from engine.structure.sentences import is_cjk

CONFIDENCE = 0.9
_LEAST_LETTERS, _LEAST_CHINESE = 6, 3
# Characters of the question that may be left over: pieces of a name that is printed otherwise.
_MOST_LEFT = 1
_FRONT = re.compile(
    r"^(?:[一二三四五六七八九十]{1,3}[、.．]|[（(][一二三四五六七八九十\d]{1,3}[)）]|\d{1,2}[、.．](?!\d)"
    r"|(?:加|减|減|其中|其他?中|add|less|plus|of which|including)\s*[:：])\s*",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*[（(][^（）()]*[)）]\s*")
_END = re.compile(r"(?:期末|年末|ending|closing|\bend of\b|as (?:of|at))", re.IGNORECASE)
_START = re.compile(r"(?:期初|年初|上年|上期|beginning|opening|prior|previous)", re.IGNORECASE)
_NOW = re.compile(r"(?:期末|年末|本期|本年|当期|current|this year|closing|ending)", re.IGNORECASE)
_COMPUTED = re.compile(
    r"占|比例|比重|比率|增长|增加|减少|下降|变动|变化|相差|差额|平均|最[高低大小多少]|哪|趋势|之和|总和|以上|以下|超过|倍|为什么|原因"
)
# What makes something else of an item: 管理费用 and 管理费用率.
_OF_ITEMS = re.compile(r"率|倍|比")
_ASKING_ZH = re.compile(
    r"请?保留[一二两三四\d]位小数|财务数据中?|请问|请|在|于|截至|截止|报告期|本期|期末|年末|年底|年度|年初|期初|末|底|全年|金额|余额|总额|数额|数值|数|分别|一共|总共|多少|几|"
    r"人民币|万元|亿元|美元|港元|元|人|名|个|家|股份|有限|责任|集团|总公司|公司|本公司|企业|合并|母公司|的|是|为|有|了|达到|达|其|该|我们|"
    r"什么|[年月日\d\s?？。，,、:：%％]"
)
_ASKING = frozenset(
    """what was were is are the a an of in for at on as how much many did does do have has had total amount value
    company companys company's its their our year fiscal ended ending end please tell me give show report reported
    million millions thousand thousands billion dollars usd inc corp corporation ltd plc co group december march june
    september 30 31 consolidated parent only by and to""".split()
)


class NamedItemPlanner:
    """Reads the cell of the item that the question names in full."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._question, self._table = source, question, source.table
        self._chinese = is_cjk(question.text)

    def plan(self) -> Finding | None:
        """Return the cell, or None where the question does not name one item and nothing else."""
        row = self._row()
        column = self._column() if row is not None else None
        if row is None or column is None:
            return None
        place = CellPlace(self._table, row.index, column.index)
        if place.value.dtype in ("empty", "text"):
            return None
        step = run(self._table, "LOOKUP", row=row.index, column=column.index)
        if step.observation.status != "ok":
            return None
        return Finding(
            "lookup", [place.text], name_of(place), [step], CONFIDENCE, cells=list(step.observation.cells)
        )

    @cached_property
    def _said(self) -> str:
        return _bare(self._question.text) if self._chinese else f" {plain(self._question.text)} "

    def _row(self) -> Row | None:
        """The row with the longest name that the question says, when it is the only one and all that is said."""
        if self._question.prose or (self._chinese and _COMPUTED.search(self._question.text)):
            return None
        if not self._chinese and self._question.kind != "lookup":
            return None
        named = [(row, name) for row in self._table.rows if (name := own_name(row)) and self._says(name)]
        longest = max((len(name) for _, name in named), default=0)
        rows = [row for row, name in named if len(name) == longest]
        names = {name for _, name in named if len(name) == longest}
        if len(rows) != 1 or not longest or not self._is_all(rows[0], names.pop()):
            return None
        return rows[0]

    def _says(self, name: str) -> bool:
        if self._chinese:
            return len(name) >= _LEAST_CHINESE and name in self._said
        return len(name) >= _LEAST_LETTERS and f" {name} " in self._said

    def _says_other_group(self, row: Row, left: str) -> bool:
        """True when what is left says a group of the table that the row does not stand in: "consolidated"."""
        groups = {other.group for other in self._table.rows} - {row.group, ""}
        others = frozenset().union(*map(features, groups), frozenset()) - features(row.name)
        return bool(features(left) & others)

    def _is_all(self, row: Row, name: str) -> bool:
        """True when nothing is left of the question but asking and what the table stands under."""
        around = [self._source.title, self._table.caption, *self._source.path]
        left = self._said.replace(name, " ", 1)
        if not self._chinese:
            if self._says_other_group(row, left):
                return False
            known = frozenset(word for text in around for word in re.findall(r"[^\W_]+", plain(text)))
            return (
                not {word.strip("?,.'’") for word in left.split()}
                - _ASKING
                - known
                - set(self._question.years)
                - {""}
            )
        return not _OF_ITEMS.search(left) and only_asks(left, around)

    def _column(self) -> Column | None:
        """The column of values that is meant: that of the year, or the only or latest one."""
        columns = [column for column in self._table.value_columns if column.dtype in NUMERIC]
        years = list(dict.fromkeys(self._question.years))
        if len(years) > 1:
            return None
        if not years:
            if len(columns) == 1:
                return columns[0]
            return self._latest(columns) if self._chinese or not self._ends() else None
        dated = [column for column in columns if years[0] in years_in(column.name)]
        if len(dated) == 1:
            return dated[0]
        around = {
            year
            for text in (self._source.title, self._table.caption, *self._source.path)
            for year in years_in(text)
        }
        if dated or years[0] not in around or any(years_in(column.name) for column in columns):
            return None
        now = [column for column in columns if _NOW.search(column.name) and not _START.search(column.name)]
        return now[0] if len(now) == 1 else columns[0] if len(columns) == 1 else None

    def _ends(self) -> bool:
        """True when the question ends with the item's name: then it asks for no year, and for no latest one."""
        row = self._row()
        return row is not None and self._said.rstrip().endswith(own_name(row))

    def _latest(self, columns: list[Column]) -> Column | None:
        dated = [(max(found), column) for column in columns if (found := years_in(column.name))]
        last = max((year for year, _ in dated), default="")
        latest = [column for year, column in dated if year == last]
        return latest[0] if len(latest) == 1 and len(dated) == len(columns) else None


def only_asks(text: str, around: Iterable[str]) -> bool:
    """Tell whether nothing is left of a Chinese text but asking, years and what the texts around a table say."""
    left = _bare(text)
    for other in around:
        left = _without_shared(left, _bare(other))
    return sum(len(part) for part in _ASKING_ZH.sub(" ", left).split()) <= _MOST_LEFT


def own_name(row: Row) -> str:
    """Return a row's own name for comparing: without numbering, "其中：" and asides."""
    name = unicodedata.normalize("NFKC", row.leaf)
    previous = None
    while previous != name:
        previous, name = name, _FRONT.sub("", name)
    name = _ASIDE.sub("", name).strip(" :：")
    return _bare(name) if is_cjk(name) else plain(name)


def _bare(text: str) -> str:
    """A Chinese text for comparing: NFKC, lower case, no white space."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).casefold())


def _without_shared(text: str, other: str) -> str:
    """Take out of a text what it shares with another, in pieces of two characters and more."""
    kept, at = [], 0
    while at < len(text):
        end = at + 1
        while end < len(text) and text[at : end + 1] in other:
            end += 1
        kept.append(" " if end - at > 1 else text[at])
        at = end
    return "".join(kept)
