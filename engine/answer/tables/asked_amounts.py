"""Questions for what the rows of a list come to in money, put in the words of a column of amounts.

"How much did we sell to Evergreen", "average order value", 北区卖了多少钱 say nothing of a column. What asks for
something else of the list – its prices, its quantities, which product was sold most – is left alone.
"""

from __future__ import annotations

import re

from engine.answer.tables.amounts_in_chinese import in_chinese
from engine.answer.tables.amounts_in_english import AND_OF_IT, in_english
from engine.answer.tables.matching import plain
from engine.answer.tables.row_products import RowProducts
from engine.answer.tables.trade_columns import has_orders_of_several_rows
from engine.structure.sentences import is_cjk

_TARGETS = re.compile(
    r"\b(?:targets?|goals?|quotas?|budget|profits?|margins?|commissions?)\b|目标|指标|预算|利润|毛利|提成|佣金",
    re.I,
)
# What is in stock was not sold yet.
_SOLD = re.compile(
    r"\b(?:sales|revenues?|turnover|sold|sell|sellers?|earn\w*|spen[dt]|bought)\b|卖|销售|营业额|营收|花了",
    re.I,
)
_PRICES = re.compile(
    r"\bunit (?:costs?|prices?|rates?)\b|\bprices?\b|\b(?:hourly|daily|day) rates?\b|\b(?:each|apiece)\b"
    r"|\bper (?:hour|unit|piece|item|day)\b|单价|单位成本|时薪|日薪|每小时",
    re.I,
)
# What one order comes to is not told by its rows one by one.
_OF_ONE_ORDER = re.compile(
    r"\b(?:average|mean|avg|largest|biggest|highest|smallest|lowest|top)\b.*\b(?:orders?|invoices?|sales?|deals?|baskets?)\b"
    r"|\b(?:orders?|invoices?)\b.*\b(?:average|largest|biggest|highest|smallest|lowest)\b|平均|客单价|[单票].*最|最.*[单票]",
    re.I,
)
# Of what was said before, which is not known here.
_OF_OTHERS = re.compile(
    r"\b(?:they|these|those|them|that)\b(?! (?:[a-z]+ ){0,2}(?:orders?|invoices?))|\bit worth\b"
    r"|^(?:它们|这些|那些|其)?(?:一共|总共|合计|总计|共)?(?:是|有|值)?的?(?:多少钱|总?金额)?(?:是|有)?(?:多少)?[？?]?$",
    re.I,
)


def in_words_of_amounts(question: str, products: RowProducts) -> str | None:
    """Return a question for money in the words of the list's column of amounts, None for another question.

    It is "" where money is asked for and the rows do not tell it: of an order with several rows, of what was said
    before.
    """
    priced = plain(products.price.name.rsplit(" / ", 1)[-1]) in plain(question)
    if priced or _PRICES.search(question) or _TARGETS.search(question):
        return None
    if products.kind == "stock" and _SOLD.search(question):
        return None
    written = in_chinese(question, products) if is_cjk(question) else in_english(question, products)
    if written == question:
        return None
    of_orders = _OF_ONE_ORDER.search(question) and has_orders_of_several_rows(products)
    return "" if of_orders or _OF_OTHERS.search(AND_OF_IT.sub("", question)) else written
