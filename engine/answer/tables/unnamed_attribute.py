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
from engine.answer.tables.word_families import alike, same_root
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
# Of these the word before tells which: a "mobile number", a "reaction time".
_COSTS_OF = re.compile(r"\b(?P<what>[a-z]{4,}) (?:costs?|expenses?|spending)\b", re.IGNORECASE)
_QUALIFIED = frozenset("number time date code".split())
_GENERAL = frozenset(
    "total exact final overall average winning finishing full same first last next current official recorded best"
    " fastest personal serial model part page jersey squad start starting end ending due closing"
    " opening release birth".split()
)
_ANYTHING_CHINESE = re.compile(
    r"数量|金额|数额|数字|数据|总数|总额|合计|比例|占比|比率|名称|名字|日期|时间|情况|数|值|额|价|率$"
)


def attribute_unnamed(question: Question, source: TableSource, finding: Finding) -> bool:
    """True for a single cell where the thing asked for stands nowhere in the table or above it."""
    if finding.kind != "lookup":
        return False
    if _of_total(finding):
        rows = (cell.row_header.rsplit(" / ", 1)[-1] for cell in finding.cells)
        return any(map(TOTAL.match, rows)) and _item_unnamed(question, source)
    if finding.confidence >= _SURE:
        return False
    if is_cjk(question.text):
        return _unnamed_in_chinese(question.text, source)
    for form in _ASKED:
        if (match := form.search(question.text)) is not None:
            return _unnamed(match["what"], source)
    return False


def _item_unnamed(question: Question, source: TableSource) -> bool:
    """True where costs or expenses of something are asked for that stands nowhere: "the administration costs"."""
    match = _COSTS_OF.search(question.text)
    if match is None:
        return False
    own = frozenset(f for f in features(match["what"]) if not is_asking(f))
    known = source.known_features | source.announced
    return bool(own) and not any(({f} | alike(f)) & known or any(same_root(f, k) for k in known) for f in own)


def _of_total(finding: Finding) -> bool:
    """True where a total was read: it counts what its table is about, by whatever name."""
    names = (
        name.rsplit(" / ", 1)[-1] for cell in finding.cells for name in (cell.row_header, cell.column_header)
    )
    return any(map(TOTAL.search, names))


def _tells_which(word: str) -> bool:
    own = features(word)
    return (
        word not in _GENERAL
        and bool(own)
        and not all(map(is_asking, own))
        and not word.endswith(("'s", "’s"))
    )


def _unnamed(what: str, source: TableSource) -> bool:
    words = what.casefold().split()
    head = words[-1]
    known = source.known_features | source.announced
    if head in _QUALIFIED and len(words) > 1 and _tells_which(words[-2]):
        own = features(words[-2])  # "reaction time" is no time
        return not (own | frozenset().union(*map(alike, own))) & known
    own = features(head)
    if head in _ANYTHING or not own or all(map(is_asking, own)):
        return False
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
