"""Chinese questions for what the rows of a list come to, put in the words of a column of amounts.

北区卖了多少钱 is 北区的总金额是多少, 谁卖得最多 is 哪个销售员总金额最高, 客单价 is 平均金额.
"""

from __future__ import annotations

import re

from engine.answer.tables.row_products import AMOUNT_ZH, RowProducts
from engine.answer.tables.trade_columns import (
    BUYERS,
    called,
    is_of_costs,
    is_of_goods,
    said_column,
    sellers_of,
    shared_columns,
)

_NOUN = (
    r"(?:一共|总共|合计)?的?总?(?:销售总额|销售金额|销售额|销售收入|订单总?金额|订单总额|采购总?金额|采购额|营业额|营收|总金额|总价值"
    r"|总额|金额|货款|库存价值|库存金额|货值|成交额|价值)"
)
_COST = r"的?总?(?:人工)?(?:费用|成本|工资|薪酬|报酬)"
_SOLD = r"(?:卖|销售|售|花|买|付|赚|挣|订购|订|采购|消费|收)(?:出去?|掉|得|到|入|费)?了?"
_HOW_MUCH = re.compile(
    rf"(?:一共|总共|共|合计|总计)?(?:{_SOLD}|值|价值|是|要)?(?:一共|总共)?(?:多少钱|多少元|多少万元|几多钱)"
    rf"|(?:一共|总共|共|合计)?{_SOLD}(?:一共|总共)?多少(?=$|[？?。，,！!])"
)
_MOST = re.compile(
    r"(?:销售|卖|业绩)得?(?P<way>最[多好高]|最[少差低])|(?:消费|花钱?|花费|采购)得?最(?P<spent>[多少])"
)
_TOP_SELLER = re.compile(r"(?:销冠|销售冠军|业绩第一)(?:是谁|是哪位|的?是哪?个?人?)?")
_WHO = re.compile(r"谁|哪[位个](?:人|同事)?(?=[卖销业的总])")
_COUNTED = re.compile(r"数量|多少[件个台单笔条箱份]|几[件个台单笔条箱份]|价格|每[件个台]")
_AVERAGE = re.compile(
    r"(?:平均)?(?:客单价|每单金额|单笔金额)|平均每[单笔](?:订单)?(?:的?金额|多少钱|卖多少钱)?|每[单笔]平均(?:金额|多少钱)?"
)
_AND_OF_IT = re.compile(
    r"[，,、]\s*(?:一共|总共|他|她|它|其)?(?:卖|销售|花)(?:出)?了?(?:多少钱?|多少元)[^，,]*$"
)


def in_chinese(question: str, products: RowProducts) -> str:
    """Return a Chinese question in the words of the column of amounts; one that asks for no money as it is."""
    if _TOP_SELLER.search(question) or _MOST.search(question):
        return _ranked(question, products)
    if (averaged := _AVERAGE.sub(f"平均{AMOUNT_ZH}", question)) != question:
        return averaged
    if _COUNTED.search(question):
        return question
    short = _AND_OF_IT.sub("", question) if "最" in question else question
    of_rows = "最" in short and said_column(short, shared_columns(products)) is None
    amount = AMOUNT_ZH if "平均" in short or of_rows else f"总{AMOUNT_ZH}"
    nouns = f"{_NOUN}|{_COST}" if is_of_costs(products) else _NOUN
    if (named := re.sub(nouns, amount, short)) != short:
        return re.sub(r"(?:一共|总共|合计|共)?(?:是|有|为)?多少钱", "是多少", named)
    return _HOW_MUCH.sub(f"的总{AMOUNT_ZH}是多少", short)


def _ranked(question: str, products: RowProducts) -> str:
    """Return a question for who or which comes to most, with the column of those that are compared."""
    short, columns = _AND_OF_IT.sub("", question), shared_columns(products)
    match = _MOST.search(short)
    who = called(columns, BUYERS if match and match["spent"] else sellers_of(products))
    if match is None:
        return _TOP_SELLER.sub(f"哪个{who.name}总{AMOUNT_ZH}最高", short) if who else question
    compared = said_column(short, columns)
    if compared is None and who is not None and _WHO.search(short):
        short, compared = _WHO.sub(f"哪个{who.name}", short, count=1), who
    if compared is None or is_of_goods(compared):
        return question
    low = (match["way"] or match["spent"])[-1] in "少差低"
    return _MOST.sub(f"总{AMOUNT_ZH}最低" if low else f"总{AMOUNT_ZH}最高", short, count=1)
