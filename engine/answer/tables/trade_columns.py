"""What the columns of a list of trade are for: who sold, who bought, the goods, the numbers of orders."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.answer.tables.matching import features
from engine.answer.tables.row_products import RowProducts
from engine.answer.tables.typed_table import Column
from engine.answer.tables.word_families import alike, same_root
from engine.structure.sentences import is_cjk

SELLERS = features("seller salesperson salesman sales rep representative agent consultant") | frozenset(
    "销售员 业务员 销售人员 导购 销售 店员 客户经理 业务经理".split()
)
_WORKERS = features(
    "consultant employee worker staff name freelancer contractor engineer person resource"
) | frozenset("员工 姓名 顾问 人员 工程师".split())
BUYERS = features("customer client buyer account purchaser") | frozenset("客户 顾客 买家 采购方 会员".split())
_GOODS = features("product item article good sku goods material part model") | frozenset(
    "产品 商品 货品 品名 物料 品种 款式 型号 货号 物品".split()
)
_PAID = re.compile(r"\bcosts?\b|成本|进价", re.I)
_NUMBER_OF_ORDER = re.compile(
    r"\b(?:order|invoice|bill|receipt|transaction|sale) ?(?:id|code|no\.?|nr\.?|number|#)|^(?:order|invoice)$"
    r"|单号|订单编?号|发票号码?",
    re.I,
)


def shared_columns(products: RowProducts) -> list[Column]:
    """Return the columns of texts whose values stand in several rows: what rows are grouped by."""
    table = products.printed
    found = []
    for column in table.columns:
        texts = [table.text(row.index, column.index) for row in table.records]
        if column.dtype == "text" and len(set(texts)) < len(texts):
            found.append(column)
    return found


def called(columns: Iterable[Column], names: frozenset[str]) -> Column | None:
    """Return the one column that is called by one of these words."""
    found = [c for c in columns if features(c.name) & names or any(is_cjk(n) and n in c.name for n in names)]
    return found[0] if len(found) == 1 else None


def said_column(text: str, columns: Iterable[Column]) -> Column | None:
    """Return the one of these columns whose name a text says, or a word like it."""
    words = features(text)
    like = words.union(*map(alike, words))
    found = []
    for column in columns:
        own = features(column.name)
        if own & like or any(same_root(a, b) for a in own for b in words):
            found.append(column)
    exact = [column for column in found if features(column.name) <= words]
    return exact[0] if len(exact) == 1 else found[0] if len(found) == 1 else None


def is_of_goods(column: Column) -> bool:
    """True for a column of the goods themselves, of which pieces are counted."""
    return called([column], _GOODS) is not None


def sellers_of(products: RowProducts) -> frozenset[str]:
    """Return what the column of those who sell is called; where time is counted, of those who work."""
    return SELLERS | _WORKERS if products.kind == "time" else SELLERS


def is_of_costs(products: RowProducts) -> bool:
    """True where the products are what was paid: for time, and where the price is called a cost."""
    return products.kind == "time" or _PAID.search(products.price.name) is not None


def has_orders_of_several_rows(products: RowProducts) -> bool:
    """True where rows are lines of orders: the numbers of orders stand in several."""
    table = products.printed
    for column in table.columns:
        texts = [text for row in table.records if (text := table.text(row.index, column.index))]
        if _NUMBER_OF_ORDER.search(column.name) and len(set(texts)) < len(texts):
            return True
    return False
