"""A Chinese question to a list in English: the words of trade that both have, written as the list writes them.

北区9月份卖了多少钱 over a list with the region "North" is "North 9月份卖了多少钱". A word is only put in where the list
has the English one as a cell or as the name of a column.
"""

from __future__ import annotations

import re
from functools import partial

from engine.answer.tables.matching import plain
from engine.answer.tables.table_source import TableSource
from engine.structure.sentences import is_cjk

# What a list may print, with what a question may say for it, the longer first.
_COLUMNS = (
    (("region", "area", "territory"), "销售地区|销售区域|地区|区域|大区|片区"),
    (
        ("salesperson", "sales rep", "seller", "sales representative", "sales executive"),
        "销售人员|销售员|业务员",
    ),
    (("customer", "client", "customer name"), "客户|顾客"),
    (("product", "item", "article", "product name"), "产品|商品"),
    (("category", "product category"), "类别|品类"),
    (("department",), "部门"),
    (("project",), "项目"),
    (("supplier", "vendor"), "供应商"),
    (("warehouse",), "仓库"),
    (("payment status", "status"), "付款状态|状态"),
    (("order no", "order number", "order id", "order"), "订单"),
    (("invoice no", "invoice number", "invoice id", "invoice"), "发票"),
)
_CELLS = (
    (("north", "north region", "northern"), "北区|北部"),
    (("south", "south region", "southern"), "南区|南部"),
    (("east", "east region", "eastern"), "东区|东部"),
    (("west", "west region", "western"), "西区|西部"),
    (("central", "centre", "midlands"), "中区|中部"),
    (("overdue",), "已?逾期"),
    (("paid",), "已付款|已付"),
    (("unpaid",), "未付款|未付"),
    (("shipped",), "已发货"),
    (("delivered",), "已送达|已交付"),
    (("cancelled", "canceled"), "已取消"),
    (("pending",), "待处理"),
)


def in_language_of_list(question: str, source: TableSource) -> str:
    """Return a Chinese question with the words that an English list prints; another question as it is."""
    table = source.table
    if not is_cjk(question) or any(is_cjk(cell) for row in table.cells for cell in row):
        return question
    heads = {plain(column.name): column.name for column in table.columns}
    cells = {plain(cell): cell for row in table.cells[table.header_rows :] for cell in row}
    for known, words in ((heads, _COLUMNS), (cells, _CELLS)):
        for printed, said in words:
            written = next((known[name] for name in printed if name in known), None)
            if written is not None:
                question = re.sub(rf"(?:{said})(?P<figure>(?=[\da-zA-Z]))?", partial(_put, written), question)
    return question


def _put(written: str, match: re.Match[str]) -> str:
    """Return the word, apart from a figure behind it."""
    return written if match["figure"] is None else f"{written} "
