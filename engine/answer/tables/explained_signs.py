"""What a sign, a code or a state stands for: tables of signals, lamps, faults and what is to be done about them.

"What does a red blinking lamp mean?" and 漏水怎么办 ask for one of the columns that such tables have: the meaning, the
cause, or the action. The row is the only one that holds all that the question says of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from engine.answer.tables.finding import Finding, run
from engine.answer.tables.matching import features, plain
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.record_words import IDLE
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column
from engine.structure.sentences import is_cjk

CONFIDENCE = 0.9
_FEWEST = 2
_LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class _Explanation:
    """How something is asked for, and the names of columns that tell it, the plainest first."""

    asked: re.Pattern[str]
    names: tuple[re.Pattern[str], ...]


def _words(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_MEANING = _Explanation(
    re.compile(
        r"\bwhat (?:does|do|would|is) it mean (?:when|if)\b|\bwhat (?:does|do|would) .+?\b(?:mean|indicate|signify"
        r"|stand for|denote|represent|tell)(?=\W*$)"
        r"|\bwhat is (?:the meaning of|meant by|indicated by|signalled by)\b|\bmeaning of\b"
        r"|是?什么意思|(?:是|有)什么(?:故障|问题|含义|意义|现象)|(?:表示|代表|说明|意味着|指的?是)(?:的是)?什么"
        r"|(?:表示|代表)何意|的?含义是什么|的意思是什么",
        re.IGNORECASE,
    ),
    _words(
        r"^meanings?\b|\bmeans$|含义|意义|意思|释义",
        r"^(?:significance|indication|explanation|interpretation|definition)\b|^(?:解释|定义|说明)",
        r"^(?:description|fault|error|problem|condition)\b|故障现象|现象|故障描述|描述|(?:故障|报警|告警|错误)(?:内容|信息|名称)",
    ),
)
_ACTION = _Explanation(
    re.compile(
        r"\bwhat (?:should|must|can|shall|do|has|have|needs?|is)\b.*?\b(?:do|done)\b"
        r"|\bwhat is the (?:remedy|solution|(?:corrective|required|recommended) action)\b"
        r"|\bwhat (?:action|remedy|measure|solution|response)\b[^?]*?(?:\b(?:needed|required|taken|recommended)\b)?"
        r"|\bhow (?:do|can|should|must) (?:i|we|you|one)\b.*?"
        r"\b(?:fix|solve|resolve|remedy|handle|react|respond|clear)\b"
        r"|怎么办|(?:应当?该?|该|要)?(?:怎么|如何|怎样)(?:处理|解决|处置|排除|应对|做|修)|(?:处理|解决|排除)(?:方法|措施|办法)是什么"
        r"|采取什么(?:措施|办法)",
        re.IGNORECASE,
    ),
    _words(
        r"^(?:(?:corrective|required|recommended|suggested) )?(?:actions?|remed(?:y|ies)|solutions?|fix|response)\b"
        r"|what to do|(?:处理|解决|排除|应对|处置)(?:方法|办法|措施|方式|建议|方案)?|措施|对策",
    ),
)
_CAUSE = _Explanation(
    re.compile(
        r"\bwhat (?:is|are|was|could be|may be) the (?:possible |probable |likely )?(?:causes?|reasons?)\b"
        r"|\bwhat (?:causes|can cause)\b|^\W*why\b|的?(?:可能)?原因(?:是|有)?(?:什么|哪些)|为什么(?:会)?|为何",
        re.IGNORECASE,
    ),
    _words(r"^(?:(?:possible|probable|likely) )?(?:causes?|reasons?)\b|原因"),
)
# "Which lamp shows that the oil pressure is low?" asks for the sign itself.
_SIGN_ASKED = re.compile(
    r"^\W*(?:which|what) (?!is\b|are\b|does\b|do\b)(?:\w+ ){1,3}?"
    r"(?:indicates?|shows?|means?|signals?|tells?|warns?|stands? for)\b",
    re.IGNORECASE,
)
_KINDS = (_ACTION, _CAUSE, _MEANING)
# What signs are, and what they do where they are named by what they show.
_SIGNS = features(
    "light lights lamp lamps led leds indicator sign signal symbol icon code message error alarm warning"
    " display fault status state colour color device appears lit come on goes show shows see seen happen"
    " happens mean means indicate indicates signals tells warns possible cause reason action needed"
    " required taken should must when if it there problem turn turns up"
)
_IDLE_ZH = re.compile(
    r"请问|如果|当|时候|时|出现|显示|发生|遇到|报警|提示|亮起|应该|应当|应|该|需要|了|的|是|会|我|要|呢|[?？。，,\s]"
)
_SIGNS_ZH = frozenset("指示灯信号状态代码符号图标标志故障设备机器它这个后着")
_AS_PRINTED = ((re.compile(r"一直|持续|长(?=亮)"), "常"), (re.compile(r"一闪一闪|不停闪|在闪$|闪动"), "闪烁"))
_PIECE = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*|[\u4e00-\u9fff]")


class ExplainedSignPlanner:
    """Reads what a table tells of a sign that the question describes."""

    def __init__(self, source: TableSource, question: Question) -> None:
        self._source, self._table, self._text = source, source.table, question.plain

    def plan(self) -> Finding | None:
        """Return the explanation, or None where no single row is described or more is said than the table holds."""
        table = self._table
        if not table.header_rows or len(table.records) < _FEWEST:
            return None
        if _SIGN_ASKED.search(self._text):
            return self._sign()
        asked = next(((kind, m) for kind in _KINDS if (m := kind.asked.search(self._text))), None)
        column = self._column(asked[0]) if asked else None
        if asked is None or column is None:
            return None
        rows = self._rows_zh(asked[0], column) if is_cjk(self._text) else self._rows(column)
        if len(rows) != 1:
            return None
        step = run(table, "LOOKUP", row=rows[0], column=column.index)
        if step.observation.status != "ok":
            return None
        others = [table.text(rows[0], other.index) for other in self._others(column)]
        label = f"{others[0]}, {column.name}"
        text = table.text(rows[0], column.index)
        return Finding("lookup", [text], label, [step], CONFIDENCE, cells=list(step.observation.cells))

    def _sign(self) -> Finding | None:
        """Return the sign that a row explains, where the table explains signs."""
        table, sign = self._table, self._table.columns[0]
        rows = self._rows(sign) if self._column(_MEANING) is not None else []
        if len(rows) != 1:
            return None
        step = run(table, "READ_CELL", row=rows[0], column=sign.index)
        if step.observation.status != "ok":
            return None
        text = table.text(rows[0], sign.index)
        cells = list(step.observation.cells)
        return Finding("lookup", [text], sign.name, [step], CONFIDENCE, cells=cells)

    def _column(self, kind: _Explanation) -> Column | None:
        """Return the one column of texts that tells this, by the plainest of its names."""
        columns = [column for column in self._table.columns[1:] if column.dtype == "text"]
        for name in kind.names:
            called = [column for column in columns if name.search(plain(column.name))]
            if called:
                return called[0] if len(called) == 1 else None
        return None

    def _others(self, column: Column) -> list[Column]:
        return [other for other in self._table.columns if other.index != column.index]

    @cached_property
    def _heads(self) -> str:
        near = [self._source.title, self._table.caption, *self._source.path]
        return " ".join([*near, *(column.name for column in self._table.columns)]).casefold()

    def _rows(self, column: Column) -> list[int]:
        """Return the rows that hold all words by which the question describes the sign."""
        rows = {
            row.index: [features(self._table.text(row.index, other.index)) for other in self._others(column)]
            for row in self._table.records
        }
        held = frozenset().union(*(cell for cells in rows.values() for cell in cells), frozenset())
        asked = frozenset(f for f in features(self._text) if f[0] not in "§#")
        known = asked & held - _SIGNS or asked & held
        around = features(self._heads) | self._source.context | _SIGNS | IDLE
        if not known or any(f not in held | around and not is_asking(f) for f in asked):
            return []
        fitting = [place for place, cells in rows.items() if known <= frozenset().union(*cells)]
        exact = [place for place in fitting if any(cell and cell <= asked for cell in rows[place])]
        return fitting if len(fitting) == 1 else exact if len(exact) == 1 and len(fitting) > 1 else []

    def _rows_zh(self, kind: _Explanation, column: Column) -> list[int]:
        """Return the rows one cell of which holds every character by which the question describes the sign."""
        rows = {
            row.index: [
                _pieces(plain(self._table.text(row.index, other.index))) for other in self._others(column)
            ]
            for row in self._table.records
        }
        cells = [plain(self._table.text(row, other.index)) for row in rows for other in self._others(column)]
        text = kind.asked.sub(" ", self._text.casefold())
        for said, printed in _AS_PRINTED:
            if not any(said.search(cell) for cell in cells):
                text = said.sub(printed, text)
        text = _without_heads(_IDLE_ZH.sub(" ", text), self._heads, cells)
        asked = _pieces(text)
        held = frozenset().union(*(cell for own in rows.values() for cell in own), frozenset())
        known = asked & held
        if not known or asked - held - _SIGNS_ZH:
            return []
        return [place for place, own in rows.items() if any(known <= cell for cell in own)]


def _pieces(text: str) -> frozenset[str]:
    """Return the Chinese characters of a text and its words in other letters."""
    return frozenset(_PIECE.findall(text.casefold()))


def _without_heads(text: str, heads: str, cells: list[str]) -> str:
    """Take out of a text what the table stands under or calls its columns, unless a cell says it, too."""
    kept, at = [], 0
    while at < len(text):
        end = at + 1
        while end < len(text) and text[at : end + 1] in heads:
            end += 1
        piece = text[at:end]
        taken = end - at >= _LEAST_SHARED and not any(piece in cell for cell in cells)
        kept.append(" " if taken else piece)
        at = end
    return "".join(kept)
