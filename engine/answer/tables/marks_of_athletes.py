"""The column of a list of competitions that holds the times, heights or distances: often it is called "Notes".

"How long did she need for the marathon", "how high did he jump", "what time did she run": none of these words is the
name of a column, yet only one column holds such marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.answer.tables.matching import features
from engine.answer.tables.typed_table import Column, TypedTable

_COMPETITIONS = features(
    "competition competitions championship championships event events meet games tournament race 比赛 赛事 项目"
)
_MARKS = features(
    "notes note mark marks result results performance performances best time distance height score 成绩 备注 时间"
)
# "2:23:34", "11.47", "44.82A", "43.19 NR", "2.34 m", "1:54.23".
_MARK = re.compile(
    r"(?:\d{1,2}:)?\d{1,2}:\d\d(?:\.\d+)?h?|\d+(?:\.\d+)? ?(?:m|cm|km|ft|s|sec|kg|pts?)\b\.?|\d{1,3}\.\d{1,2}"
)
# "How far" and "how high" ask for metres, and not for a time.
_LENGTH_ASKED = re.compile(
    r"\bhow (?:high|far)\b|\bwhat (?:distance|height)\b|\b(?:jump|throw|threw)|多[高远]"
)
_LENGTH = re.compile(r"\d+(?:\.\d+)? ?(?:m|cm|ft)\b")
_TAIL = re.compile(r"\s*(?:[A-Z]{1,3}|\([^()]*\)|[+-]\d\.\d)*\s*")
ASKED_FOR_MARK = re.compile(
    r"\bwhat (?:time|mark|distance|height) did\b|\bhow (?:long|high|far|fast) (?:did|was|were)\b"
    r"|\bwhat was (?:his|her|their|the|[^\W\d][\w .-]*['’]s?) (?:time|mark)\b|(?:跑|跳|游|投|掷)了?多(?:快|高|远|久"
    r"|长)|成绩是多少"
)
# What athletes do, and what is said of the time that it took them.
DONE = features("run ran swim swam jump jumped throw threw clear cleared vault leap")
TAKEN = DONE | features("need needed take took clock clocked finish")


def column_of_marks(table: TypedTable, columns: Iterable[Column], text: str) -> Column | None:
    """Return the one of these columns that holds nearly nothing but marks of what a question (lower case) asks for."""
    if not any(features(column.name) & _COMPETITIONS for column in table.columns):
        return None
    found = [column for column in columns if features(column.name) & _MARKS and _holds_marks(table, column)]
    if len(found) != 1:
        return None
    marks = [mark for row in table.records if (mark := table.text(row.index, found[0].index))]
    lengths = sum(_LENGTH.match(mark) is not None for mark in marks)
    return found[0] if (2 * lengths > len(marks)) == bool(_LENGTH_ASKED.search(text)) else None


def _holds_marks(table: TypedTable, column: Column) -> bool:
    texts = [
        text for row in table.records if (text := table.text(row.index, column.index)) and text not in "-–—"
    ]
    told = [text for text in texts if (mark := _MARK.match(text)) and _TAIL.fullmatch(text[mark.end() :])]
    return len(texts) > 1 and 4 * len(told) >= 3 * len(texts)
