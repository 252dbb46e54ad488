"""English questions for what the rows of a list come to, put in the words of a column of amounts.

"How much did we sell to Evergreen" is "what is the total amount to Evergreen", "who was the top seller" is "which
salesperson has the highest total amount", "average order value" is "average amount".
"""

from __future__ import annotations

import re

from engine.answer.tables.matching import plain
from engine.answer.tables.row_products import AMOUNT, RowProducts
from engine.answer.tables.trade_columns import (
    BUYERS,
    SELLERS,
    called,
    is_of_costs,
    is_of_goods,
    said_column,
    sellers_of,
    shared_columns,
)

_NOUN = (
    r"(?:(?:total|overall) )?(?:(?:sales|order|invoice|stock|inventory|purchase|deal|monetary|billing) )?"
    r"(?:values?|amounts?|revenues?|turnover|takings|proceeds)(?: of (?:all )?(?:sales|orders?|invoices?|stock))?\b"
    r"|\b(?:total |overall )?sales\b(?! ?(?:person|people|rep|team|manager|staff|agent|executive|man|men|woman|women"
    r"|department|target|channel|order|tax|date|quantit|volume|unit|price))"
)
_COST = r"(?:(?:total|labou?r|overall) )*(?:costs?|pay|wages?|fees?|bill|charges?|earnings)\b"
_SOLD = (
    r"sell|sold|make|made|earn|earned|turn over|bring in|brought in|take|took|invoiced?|bill|billed|spend|spent|pay"
    r"|paid|buy|bought|order|ordered|purchased?|cost"
)
_NOBODY = r"we|they|you|i|it|one|people|(?:the|our) (?:company|shop|store|firm|team|business)"
_SELLER = r"sellers?|sales ?(?:persons?|people|m[ae]n|wom[ae]n|reps?|representatives?|agents?|executives?)"
_TOP = r"(?:top|best|biggest|largest|highest|number one|strongest|star)"
_HOW_MUCH = re.compile(
    rf"\bhow much (?:money |revenue )?(?:did|have|has|do|does) (?:(?P<nobody>{_NOBODY})|(?P<who>.+?)) (?:{_SOLD})\b",
    re.I,
)
_PASSIVE = re.compile(
    r"\bhow much (?:money )?(?:was|were|has been|have been) (?:sold|invoiced|billed|spent|ordered|made)\b",
    re.I,
)
_WORTH = re.compile(r"\b(?:what|how much) (?:is|are|was|were) (?P<what>.+?) worth\b", re.I)
_WORTH_LIMIT = re.compile(
    r"\b(?:(?:is|are|was|were) )?worth (?=(?:more|less|over|under|above|below|at least|at most|between|up to)\b)",
    re.I,
)
_TOP_SELLER = re.compile(
    rf"\b(?:who|which \w+)(?: (?:is|was|are|were|has been))? (?:the |our )?{_TOP}[- ](?:performing )?(?:{_SELLER})\b",
    re.I,
)
_MOST = re.compile(
    r"\b(?:sold|sells|made|makes|generated|brought in|spent|spends|paid|earned|turned over)(?: the)?"
    r" (?P<way>most|least)(?: (?:sales|revenue|turnover|money|business))?\b",
    re.I,
)
# Of one product the pieces are counted, of all others the money.
_BY_NUMBER = re.compile(r"(?:sold|sells)(?: the)? (?:most|least)", re.I)
_TOP_ONE = re.compile(
    rf"\b(?:who|what|which)(?: one)? (?:is|was) (?:our|the) {_TOP} (?P<noun>[a-z]+)\b", re.I
)
_WHO = re.compile(r"^\W*who\b", re.I)
# What is asked of the winner is told with its name.
AND_OF_IT = re.compile(
    r",?\s*(?:and|with|for) (?:(?:for )?how much|what)\b[^?,]*\b(?:he|she|they|it|that|their|his|her|its)\b[^?,]*",
    re.I,
)
_AVERAGE = re.compile(r"\b(?:average|mean|avg)\b", re.I)
_SUPERLATIVE = re.compile(rf"\b(?:{_TOP}|most|lowest|smallest|least|cheapest|bottom)\b", re.I)
_TWICE = re.compile(
    r"\b(?:total|overall|combined|sum of(?: the)?|gross)(?: of(?: the)?)? (?=total amount\b)", re.I
)
_TOGETHER = re.compile(r"\b(?:in total|in all|altogether|all together|overall|combined)\b", re.I)
_COUNTED = re.compile(r"\bhow many\b|\bnumber of\b|\bquantit|\bunits\b", re.I)
# All of a list, by other names.
_ALL = re.compile(r"^(?:the |our |all )*(?:inventory|stock|everything|warehouse|goods)$", re.I)


def in_english(question: str, products: RowProducts) -> str:
    """Return an English question in the words of the column of amounts; one that asks for no money as it is."""
    text = _with_sellers(" ".join(question.split()), products)
    if (limited := _WORTH_LIMIT.sub(f"with {AMOUNT.lower()} ", text)) != text:
        return limited
    ranked = _ranked(text, products)
    if ranked is not None:
        return ranked
    if _COUNTED.search(text):
        return question
    total = f"what is the total {AMOUNT.lower()}"

    def of_somebody(match: re.Match[str]) -> str:
        return f"{total} of {match['who']}" if match["who"] else total

    def worth(match: re.Match[str]) -> str:
        return total if _ALL.match(match["what"]) else f"{total} of {match['what']}"

    text = _WORTH.sub(worth, _PASSIVE.sub(total, _HOW_MUCH.sub(of_somebody, text)))
    if total not in text:
        nouns = f"{_NOUN}|\\b{_COST}" if is_of_costs(products) else _NOUN
        text = re.sub(nouns, _amount_in(text, products), text, flags=re.I)
    if text == _with_sellers(" ".join(question.split()), products):
        return question
    return " ".join(_TWICE.sub("", _TOGETHER.sub("", text)).split())


def _with_sellers(text: str, products: RowProducts) -> str:
    """Return a question with its word for sellers as their column is called: "top 3 salespeople" of "Rep"."""
    seller = called(shared_columns(products), sellers_of(products))
    if seller is None or _TOP_SELLER.search(text):
        return text
    return re.sub(rf"\b(?:{_SELLER})\b", plain(seller.name), text, flags=re.I)


def _amount_in(text: str, products: RowProducts) -> str:
    """Return what an amount is called: where rows are compared or averaged that of one, else the sum."""
    if _AVERAGE.search(text):
        return AMOUNT.lower()
    of_rows = _SUPERLATIVE.search(text) and said_column(text, shared_columns(products)) is None
    return AMOUNT.lower() if of_rows else f"total {AMOUNT.lower()}"


def _ranked(text: str, products: RowProducts) -> str | None:
    """Return a question for who or which comes to most, with the column of those that are compared."""
    short = AND_OF_IT.sub("", text)
    columns = shared_columns(products)
    highest = f"has the highest total {AMOUNT.lower()}"
    if (match := _TOP_SELLER.search(short)) is not None:
        seller = called(columns, SELLERS)
        return _with(short, match, f"which {plain(seller.name)} {highest}") if seller else None
    if (match := _MOST.search(short)) is not None:
        verb = highest if match["way"].casefold() == "most" else highest.replace("highest", "lowest")
        if _WHO.search(short):
            who = BUYERS if match[0].casefold().startswith(("spen", "paid")) else sellers_of(products)
            column = called(columns, who)
            return _WHO.sub(f"which {plain(column.name)}", _with(short, match, verb)) if column else None
        column = said_column(short, columns)
        counted = column is None or (is_of_goods(column) and _BY_NUMBER.fullmatch(match[0]))
        return None if counted else _with(short, match, verb)
    if (match := _TOP_ONE.search(short)) is not None:
        column = said_column(match["noun"], columns)
        if column is not None and not is_of_goods(column):
            return _with(short, match, f"which {plain(column.name)} {highest}")
    if short != text and _SUPERLATIVE.search(short):
        return re.sub(_NOUN, _amount_in(short, products), short, flags=re.I)
    return None


def _with(text: str, match: re.Match[str], words: str) -> str:
    return f"{text[: match.start()]}{words}{text[match.end() :]}"
