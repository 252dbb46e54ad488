"""A list with a quantity and a unit price in each row, and no amount: it gets a column of amounts to be asked of.

``with_amounts`` takes the list and gives it back with one column more, quantity × unit price, over which every plan
runs as over a printed one. ``in_printed_cells`` takes what a plan found there and puts in place of each cell of that
column the two cells that it was made of, so that only what is printed is cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from engine.answer.tables.finding import Finding, Step
from engine.answer.tables.matching import plain
from engine.answer.tables.observation import Observation
from engine.answer.tables.quantity import Quantity, shown, written
from engine.answer.tables.references import matching_rows
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import CellRef, Column, TypedTable
from engine.enrich.cell_values import NUMERIC, parse_cell
from engine.enrich.units import Measure, header_measure, measure_of

AMOUNT, AMOUNT_ZH = "Amount", "金额"
_FEWEST = 2
_MOST_SHOWN = 6
_GOODS = re.compile(
    r"(?:(?:order(?:ed)?|sold|sales|invoiced?|purchased?|delivered|shipped|stock) )?(?:quantity|qty|units|pieces|pcs)"
    r"(?: (?:ordered|sold|invoiced|purchased|delivered|shipped|in stock|on hand))?"
    r"|(?:number|no\.?) of (?:units|pieces|items|copies)|(?:current |in )?stock(?: level)?|on hand|copies"
    r"|(?:订单|订购|订货|采购|购买|销售|出货|发货|入库|出库|库存|现有|在库)?(?:数量|件数|台数|份数|箱数)|销量|库存量?|现存量"
)
_STOCK = re.compile(r"\bstock\b|\bon hand\b|库存|现有|现存|在库")
_HOURS = re.compile(
    r"(?:(?:billable|worked|total) )?hours(?: (?:worked|billed|spent))?|工时数?|(?:工作|服务)?小时数?"
)
_DAYS = re.compile(
    r"(?:(?:billable|worked|total) )?days(?: (?:worked|billed|spent))?|人天数?|(?:工作|服务)?天数"
)
_PRICE = re.compile(
    r"(?:(?:unit|item|piece|list|selling|sales|sale|purchase|retail|net)[- ])?(?:price|cost)"
    r"(?:/| per | a )(?:unit|piece|item|each)|(?:price|cost) each|(?:net |list )?unit (?:price|cost|value|rate)"
    r"|(?:销售|采购|进货|产品|商品|含税|不含税|未税)?单价|单位(?:价格|成本)|(?:每件|每台)(?:价格|售价)"
)
_RATE_OF_HOURS = re.compile(
    r"(?:hourly|hour)(?: billing| pay)? (?:rate|wage|fee)|(?:rate|price|fee)(?:/| per | an )(?:hour|hr|h)"
    r"|时薪|小时(?:费率|单价|工资)|每小时(?:费率|价格|费用)|工时单价"
)
_RATE_OF_DAYS = re.compile(
    r"(?:daily|day)(?: billing| pay)? (?:rate|wage|fee)|(?:rate|price|fee)(?:/| per | a )day"
    r"|日薪|(?:日|人天|每天)(?:费率|单价|工资|费用)"
)
# They may be of one or of the whole row.
_BARE_PRICE = re.compile(
    r"(?:(?:selling|sales|sale|list|retail|purchase) )?price|rate|billing rate|(?:销售|零售|采购)?价格|售价|进价|费率"
)
# What a row comes to stands there already, or something is taken off or added that the product does not know of.
_AMOUNT = re.compile(
    r"\b(?:amounts?|(?:sub)?totals?|values?|sales|revenues?|turnover|sum|costs?|net|gross|discounts?|rebates?|payable"
    r"|charges?|fees?|pay|earnings?|income|worth|spend|prices?|rates?|paid|due|taxable)\b"
    r"|金额|[总小][价额计]|合计|价值|[额费价款薪]$|收入|折扣|优惠|折让|成本|费率|实收|实付|应[收付]|营收"
)
_HARMLESS = re.compile(r"\b(?:commission|tax|vat|gst|exchange|interest|margin)\b.*|税率|佣金|汇率")
_OF_SEVERAL = re.compile(
    r"\b(?:per|each)? ?(?:\d+|hundred|thousand|dozen|pack|box|case)\b|[/每]\s?\d+|[百千万打]", re.I
)
_CURRENCY = re.compile(r"(?:order |invoice )?(?:currency|ccy)(?: code)?|币种|货币")
_PIECES = frozenset({None, "piece", "unit", "units", "pieces", "hour", "h", "day", "d"})


@dataclass(frozen=True, eq=False)
class RowProducts:
    """A list with a column of amounts that it does not print.

    ``source`` has that column at its end; it is made of the columns ``quantity`` and ``price`` of ``printed``. Of the
    rows ``unknown`` one of the two is missing. ``kind`` says what is counted: goods, stock or time.
    """

    source: TableSource
    printed: TypedTable
    quantity: Column
    price: Column
    kind: str
    unknown: frozenset[int]

    @property
    def column(self) -> int:
        """The place of the column of amounts."""
        return len(self.printed.columns)

    @property
    def name(self) -> str:
        """What the column of amounts is called for readers: "Quantity × Unit price"."""
        return f"{self.quantity.name} × {self.price.name}"

    def in_printed_cells(self, finding: Finding) -> Finding | None:
        """Return a finding about amounts with the cells that these were made of, and with the step that made them.

        None where it is of no amounts, or where one that it would have to know is missing.
        """
        if self._misses_amounts(finding):
            return None
        limits = [row for step in finding.steps for row in self._limited(step)]
        made = [c.row for step in finding.steps for c in step.observation.cells if c.column == self.column]
        made = list(
            dict.fromkeys([*made, *(c.row for c in finding.cells if c.column == self.column), *limits])
        )
        if not made:
            return None
        steps = [
            replace(step, observation=replace(step.observation, cells=self._printed(step.observation.cells)))
            for step in finding.steps
        ]
        cells = self._printed([*finding.cells, *(self._ref(row) for row in limits)])
        product = self._product_step(made)
        said = self._told(finding.said)
        if finding.kind in ("lookup", "sum") and len(made) == 1:
            number = self.source.table.value(made[0], self.column)
            amount = Quantity(number.value or Decimal(0), number.unit, number.scale)
            said = f"{shown(amount, self._chinese)} ({product.observation.derivation})"
        return replace(
            finding, label=self._told(finding.label), said=said, steps=[product, *steps], cells=cells
        )

    @property
    def _chinese(self) -> bool:
        return self.source.table.columns[self.column].name == AMOUNT_ZH

    def _told(self, text: str) -> str:
        return re.sub(rf"(?<!\w){self.source.table.columns[self.column].name}(?!\w)", self.name, text)

    def _limited(self, step: Step) -> list[int]:
        """Return the rows of a step that are chosen by their amounts."""
        where = step.params.get("where") or []
        by_amount = any(condition["column"] == self.column for condition in where)
        return matching_rows(self.source.table, where, "FILTER") if by_amount else []

    def _misses_amounts(self, finding: Finding) -> bool:
        if not self.unknown:
            return False
        if finding.kind not in ("sum", "average", "lookup", "count"):
            return True  # what is missing may be the largest
        rows = [
            row
            for step in finding.steps
            for row in matching_rows(self.source.table, step.params.get("where") or [], "FILTER")
        ]
        return bool(self.unknown & set(rows))

    def _ref(self, row: int) -> CellRef:
        return self.source.table.ref(row, self.column)

    def _printed(self, cells: Iterable[CellRef]) -> list[CellRef]:
        found = [
            self.printed.ref(cell.row, column)
            for cell in cells
            for column in (
                (self.quantity.index, self.price.index) if cell.column == self.column else (cell.column,)
            )
        ]
        return list(dict.fromkeys(found))

    def _product_step(self, rows: Sequence[int]) -> Step:
        """Return the step that multiplies quantities and prices of rows."""
        terms = [
            f"{self.printed.text(row, self.quantity.index)} × {self.printed.text(row, self.price.index)}"
            f" = {self.source.table.text(row, self.column)}"
            for row in rows
        ]
        derivation = "; ".join(
            terms if len(terms) <= _MOST_SHOWN else [*terms[: _MOST_SHOWN - 2], "…", terms[-1]]
        )
        amounts = [self.source.table.text(row, self.column) for row in rows]
        cells = self._printed(map(self._ref, rows))
        seen = Observation("MULTIPLY", amounts, "list", derivation, cells=cells, derivation=derivation)
        columns = [self.quantity.index, self.price.index]
        return Step("MULTIPLY", {"columns": columns, "rows": list(rows)}, seen)


def with_amounts(source: TableSource, chinese: bool = False) -> RowProducts | None:
    """Return a list with a column of amounts; None where it has one, or not one quantity and one unit price a row."""
    table = source.table
    if len(table.records) < _FEWEST or not table.header_rows or table.grouped:
        return None
    factors = _factors(table)
    if factors is None:
        return None
    quantity, price, kind = factors
    unit, scale = _money_of(table, price, quantity), price.scale * quantity.scale
    if unit is None or (scale != 1 and not _states_scales(quantity, price)):
        return None
    texts: dict[int, str] = {}
    unknown: set[int] = set()
    for row in table.records:
        pair = [parse_cell(table.text(row.index, column.index)) for column in (quantity, price)]
        numbers = [cell.value for cell in pair if cell.numeric and cell.value is not None and cell.scale == 1]
        if len(numbers) == len(pair):
            texts[row.index] = _written(numbers[0] * numbers[1], unit)
        elif any(cell.dtype != "empty" for cell in pair):
            unknown.add(row.index)
    if len(texts) < _FEWEST:
        return None
    name = AMOUNT_ZH if chinese else AMOUNT
    rows = [
        [
            *(line[place] if place < len(line) else "" for place in range(len(table.columns))),
            texts.get(at, ""),
        ]
        for at, line in enumerate(table.cells)
    ]
    rows[table.header_rows - 1][-1] = name
    columns = [
        {"name": c.name, "unit": c.unit, "scale": c.scale, "dtype": c.dtype}
        | ({"unit": None, "dtype": "number"} if c is quantity else {})
        for c in table.columns
    ]
    columns.append(
        {"name": name, "unit": unit or None, "scale": scale, "dtype": "currency" if unit else "number"}
    )
    facts = {**table.node.metadata, "rows": rows, "columns": columns, "row_measures": []}
    if table.header_columns > 1:  # several columns that tell of a row put it into no groups
        facts |= {"header_columns": 1, "row_names": []}
    node = replace(table.node, metadata=facts)
    return RowProducts(replace(source, node=node), table, quantity, price, kind, frozenset(unknown))


def _factors(table: TypedTable) -> tuple[Column, Column, str] | None:
    """Return the columns of quantities and of unit prices, and what is counted: goods, stock or time."""
    numeric = [column for column in table.columns if column.dtype in NUMERIC]
    names = {column.index: plain(without_asides(column.name.rsplit(" / ", 1)[-1])) for column in numeric}
    found = []
    for quantities, prices, kind in (
        (_GOODS, _PRICE, "goods"), (_HOURS, _RATE_OF_HOURS, "time"), (_DAYS, _RATE_OF_DAYS, "time"),
    ):  # fmt: skip
        counted = [c for c in numeric if quantities.fullmatch(names[c.index]) and c.dtype != "percent"]
        priced = [c for c in numeric if prices.fullmatch(names[c.index]) and c.dtype != "percent"]
        if not priced and len(counted) == 1:
            bare = [c for c in numeric if _BARE_PRICE.fullmatch(names[c.index]) and c.dtype != "percent"]
            priced = [c for c in bare if _is_of_one(table, counted[0], c)]
        if len(counted) == len(priced) == 1:
            found.append((counted[0], priced[0], kind))
        elif counted and priced:
            return None
    if len(found) != 1:
        return None
    quantity, price, kind = found[0]
    kind = "stock" if _STOCK.search(names[quantity.index]) else kind
    others = [c for c in numeric if c.index not in (quantity.index, price.index)]
    told = any(_AMOUNT.search(_HARMLESS.sub("", names[c.index])) for c in others)
    return None if told or _OF_SEVERAL.search(price.name) else (quantity, price, kind)


def _is_of_one(table: TypedTable, quantity: Column, price: Column) -> bool:
    """True where most prices stand beside different quantities: they do not grow with them."""
    beside: dict[Decimal, set[Decimal]] = {}
    pairs = [
        (table.value(row.index, price.index).value, table.value(row.index, quantity.index).value)
        for row in table.records
    ]
    known = [(cost, number) for cost, number in pairs if cost is not None and number is not None]
    for cost, number in known:
        beside.setdefault(cost, set()).add(number)
    return 2 * sum(len(beside[cost]) > 1 for cost, _ in known) > len(known)


def _money_of(table: TypedTable, price: Column, quantity: Column) -> str | None:
    """Return the one currency of the prices, "" where none is said; None for several, or a price of something else."""
    money, *per = (price.unit or "").split("/")
    counted = None if Measure(quantity.unit).money else quantity.unit
    if len(per) > 1 or (counted not in _PIECES and per and per[0] != counted):
        return None
    cells = (parse_cell(table.text(row.index, price.index)).unit for row in table.records)
    units = {unit.split("/")[0] for unit in cells if unit} | ({money} if money else set())
    for column in table.columns:
        if _CURRENCY.fullmatch(plain(column.name)):
            said = (measure_of(table.text(row.index, column.index)) for row in table.records)
            units |= {measure.unit or "" for measure in said if measure} - {""}
    if len(units) > 1 or not all(Measure(unit).money for unit in units):
        return None
    return units.pop() if units else ""


def _states_scales(*columns: Column) -> bool:
    """True where the headers themselves state their scales; "in thousands" above a table may be of either."""
    stated = (header_measure(column.name) for column in columns)
    return all(
        column.scale == 1 or (measure is not None and measure.scale == column.scale)
        for column, measure in zip(columns, stated, strict=True)
    )


def _written(amount: Decimal, unit: str) -> str:
    """Return an amount as a cell says it, its currency included, so that no name of a row gives it another unit."""
    text = shown(Quantity(amount, unit or None), places=4)
    return text if not unit or parse_cell(text).unit == unit else f"{unit} {written(amount)}"
