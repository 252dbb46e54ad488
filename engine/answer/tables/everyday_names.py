"""Items as people call them and as statements print them: "bottom line" for "Net income", 扣非 for 扣除非经常性损益.

A question is written with the printed name where the table has it, and left as it is where the table has the
everyday name itself.
"""

from __future__ import annotations

import re

from engine.answer.tables.table_source import TableSource

_EVERYDAY: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (
        re.compile(r"\bbottom line\b", re.IGNORECASE),
        ("net income", "net earnings", "net profit", "net loss", "profit for the year"),
    ),
    (re.compile(r"\btop line\b", re.IGNORECASE), ("revenue", "net sales", "sales", "turnover")),
    (
        re.compile(
            r"\b(?:buy(?:s|ing)?|bought)\b(?: \w+){0,2}? back\b|\b(?:buy back|bought back|buybacks?)\b",
            re.IGNORECASE,
        ),
        ("repurchase", "treasury"),
    ),
    (re.compile(r"(?:每个?|一个|按)月的?(?:房租|租钱|租金)"), ("月租金", "月租")),
    (re.compile(r"(?:每|一|按|全)年的?(?:房租|租钱|租金)"), ("年租金", "年租")),
    (re.compile(r"房租|租钱"), ("租金",)),
    (re.compile(r"(?:每个?|一个|按)月的?(?:工资|薪水|薪酬)"), ("月薪", "月工资", "月薪酬")),
    (re.compile(r"扣非后?的?"), ("扣除非经常性损益后的", "扣除非经常性损益的", "扣除非经常性损益")),
    (
        re.compile(r"归母的?"),
        (
            "归属于上市公司股东的",
            "归属于母公司股东的",
            "归属于母公司所有者的",
            "归属于母公司",
            "归属于本公司股东的",
        ),
    ),
    (re.compile(r"经营(?:性|活动)?的?净?现金流(?!量)"), ("经营活动产生的现金流量", "经营活动现金流量")),
    (re.compile(r"投资(?:性|活动)?的?净?现金流(?!量)"), ("投资活动产生的现金流量", "投资活动现金流量")),
    (re.compile(r"[筹融]资(?:性|活动)?的?净?现金流(?!量)"), ("筹资活动产生的现金流量", "筹资活动现金流量")),
    (re.compile(r"[上去]年(?!末|底|年)"), ("上期", "上年")),
    (re.compile(r"[本今]年(?!末|底|初)"), ("本期", "本年")),
    (re.compile(r"[年期]初"), ("期初", "年初", "上年末", "上年年末")),
    (re.compile(r"[年期][末底]"), ("期末", "年末", "年底")),
)


def as_printed_names(question: str, source: TableSource) -> str:
    """Return a question with everyday names of items as the table's rows and columns print them."""
    table = source.table
    names = [*(row.name for row in table.rows), *(column.name for column in table.columns)]
    printed = "\n".join(names).casefold()
    for everyday, full in _EVERYDAY:
        match = everyday.search(question)
        if match is None or match[0].casefold() in printed:
            continue
        written = next((name for name in full if name in printed), None)
        if written is not None:
            question = everyday.sub(written, question)
    return question
