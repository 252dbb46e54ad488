"""A question for something of a row that the table does not tell: another column's cell is no answer to it.

"What were the total assets of the paper business?" finds the row "Paper", and no column of assets; the revenue that
stands there answers another question. What is asked for is told by the form of the question: "the … of", "how many
…", "somebody's …", ……的……是多少.
"""

from __future__ import annotations

import re

from engine.answer.tables.finding import Finding
from engine.answer.tables.matching import features
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.statement_words import TOTAL
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.word_families import alike
from engine.structure.sentences import is_cjk

_BE = r"(?:is|was|were|are)"
_WORDS = r"(?P<what>[a-z][a-z-]+(?:\s+[a-z][a-z-]+){0,2})"
_ASKED = (
    re.compile(rf"^\W*(?:what|which)\s+{_BE}\s+the\s+{_WORDS}\s+(?:of|for)\s", re.IGNORECASE),
    re.compile(r"\bhow many\s+(?P<what>[a-z][a-z-]+)\b", re.IGNORECASE),
    re.compile(
        rf"^\W*what\s+{_BE}\s.*[a-z]['’]s?\s+{_WORDS}(?:\s+(?:in|at|on|for|during|as of)\s.*)?\W*$",
        re.IGNORECASE,
    ),
)
_ASKED_CHINESE = re.compile(
    r"的(?P<what>[\u3400-\u9fff]{2,6}?)(?:是|有|为|達|达)?(?:多少|几|幾|什么|什麼|谁|誰|哪)[\u3400-\u9fff]{0,3}[？?。\s]*$"
)
# A cell that is surer than this was found by another name for what is asked ("traffic" for passenger miles).
_SURE = 0.8
# Words for any number or thing, which no column is called by.
_ANYTHING = frozenset(
    "amount number value total figure share percentage percent rate name kind type sum size level date year time price"
    " count change increase decrease difference ratio average times people items things units rows".split()
)
_ANYTHING_CHINESE = re.compile(
    r"数量|金额|数额|数字|数据|总数|总额|合计|比例|占比|比率|名称|名字|日期|时间|情况|数|值|额|价|率$"
)


def attribute_unnamed(question: Question, source: TableSource, finding: Finding) -> bool:
    """True for a single cell where the thing asked for stands nowhere in the table or above it."""
    if finding.kind != "lookup" or finding.confidence >= _SURE or _of_total(finding):
        return False
    if is_cjk(question.text):
        return _unnamed_in_chinese(question.text, source)
    for form in _ASKED:
        if (match := form.search(question.text)) is not None:
            return _unnamed(match["what"], source)
    return False


def _of_total(finding: Finding) -> bool:
    """True where a total was read: it counts what its table is about, by whatever name."""
    names = (
        name.rsplit(" / ", 1)[-1] for cell in finding.cells for name in (cell.row_header, cell.column_header)
    )
    return any(map(TOTAL.search, names))


def _unnamed(what: str, source: TableSource) -> bool:
    head = what.split()[-1].casefold()
    own = features(head)
    if head in _ANYTHING or not own or all(map(is_asking, own)):
        return False
    known = source.known_features | source.announced
    return not (own | frozenset().union(*map(alike, own))) & known


def _unnamed_in_chinese(text: str, source: TableSource) -> bool:
    match = _ASKED_CHINESE.search(text)
    if match is None or _ANYTHING_CHINESE.search(match["what"]):
        return False
    held = (
        "".join(cell for row in source.table.cells for cell in row)
        + source.table.caption
        + "".join(source.path)
    )
    return not any(match["what"][i : i + 2] in held for i in range(len(match["what"]) - 1))
