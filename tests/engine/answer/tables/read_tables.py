"""Tables read from real workbooks, the way the product reads them, for tests of the table room."""

import hashlib
from pathlib import Path

import openpyxl

from engine.answer.tables.answering import TableHit
from engine.answer.tables.found_tables import RelationCache, grouped
from engine.config import ParsingSettings
from engine.enrich.enrich import enrich
from engine.model import Hit, section_path
from engine.parse.dispatch import parse_file
from engine.structure.tree import build_tree

ORDERS = [
    ["Order", "Customer", "Region", "Status", "Amount (EUR)", "Ordered"],
    ["A-001", "Alder Ltd", "North", "open", "1,234.50", "2023-03-01"],
    ["A-002", "Birch AG", "South", "cancelled", "(60)", "2023-05-10"],
    ["A-003", "Cedar Inc", "North", "shipped", 300, "2024-01-15"],
    ["A-004", "Dogwood BV", "West", "open", 75.5, "2024-06-30"],
    ["A-005", "Elm SA", "South", "shipped", None, "2022-12-31"],
    ["Total", None, None, None, 1550, None],
]
INCOME = [
    ["Income (in EUR million)", "2023", "2022"],
    ["Revenue", "12,500", "10,000"],
    ["Cost of sales", "(7,300)", "(6,100)"],
    ["Research and development", "1,250", "900"],
    ["Gross margin", "41.6%", "39.0%"],
    ["Total income", "2,180", "1,960"],
]
STAFF = [
    ["Employee", "Name", "Department", "City", "Salary", "Joined", "Left"],
    ["0012", "Ana Costa", "Sales", "Porto", 41, "2015-03-01", "2020-06-30"],
    ["0007", "Bo Lind", "Sales", "Malmö", 39, "2019-05-10", None],
    ["0120", "Ana Costa", "Research", "Lisbon", 52, "2017-01-15", "2021-02-28"],
    ["0345", "Dov Katz", "Research", "Haifa", 48, "2020-06-30", None],
]
SHIPS = [
    ["Ship", "Built", "Scrapped", "Length (m)"],
    ["Aurora", 1931, 1968, 120],
    ["Boreas", 1944, 1969, 98],
    ["Ceres", 1931, 1970, 134],
    ["Delos", 1968, 1990, 88],
]
STATEMENT_ZH = [
    ["项目", "2023年", "2022年"],
    ["营业收入", "1.2亿", "1.0亿"],
    ["营业成本", "7,300万", "6,100万"],
    ["净利润", "2,180万", "1,960万"],
    ["毛利率", "41.5%", "40.0%"],
]
STAFF_ZH = [
    ["员工编号", "姓名", "部门", "月薪（元）", "入职日期"],
    ["001", "王伟", "销售部", "12,000", "2019-03-01"],
    ["002", "李娜", "研发部", "18,500", "2020-07-15"],
    ["003", "张强", "销售部", "9,800", "2021-01-10"],
    ["004", "王伟", "财务部", "11,000", "2018-11-20"],
    ["合计", None, None, "51,300", None],
]
# Two header rows: years over what is counted in them.
SALES = [
    ["Region", "2022", None, "2023", None],
    [None, "Sales", "Units", "Sales", "Units"],
    ["North", 100, 5, 130, 7],
    ["South", 80, 4, 90, 6],
    ["East", 60, 2, 70, 3],
]
SALES_MERGED = ("B1:C1", "D1:E1", "A1:A2")

NAMED = {
    "orders": ORDERS,
    "income": INCOME,
    "staff": STAFF,
    "ships": SHIPS,
    "zh": STATEMENT_ZH,
    "人员": STAFF_ZH,
}


def write_workbook(path, rows, merged=(), sheet="Sheet"):
    """Write an Excel workbook of one sheet; ``merged`` are ranges of cells that are one."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = sheet
    for row in rows:
        page.append(row)
    for place in merged:
        page.merge_cells(place)
    book.save(path)
    return path


def tables_in(path):
    """Return the tables of a file, parsed, structured and enriched by the product."""
    path, settings = Path(path), ParsingSettings()
    parsed = parse_file(path, path.name, settings)
    sha = hashlib.sha256(path.read_bytes()).hexdigest()
    tree, _ = enrich(build_tree(parsed, document_id="d1", name=path.name, sha256=sha, version=1, settings=settings))
    cache, found = RelationCache(), []
    by_id = {node.node_id: node for node in tree.nodes}
    for nodes in grouped(tree.nodes):
        place = section_path(nodes[0].node_id, by_id)
        hit = Hit(nodes[0].node_id, "d1", path.name, 1, "table", 1.0, 1, None, None, place, "")
        found.append(TableHit(cache.open("d1", 1, nodes, (path.name, *place)), hit))
    return found


def table_of(folder, rows, merged=(), name="book.xlsx"):
    """Return the one table of a workbook with these rows."""
    [table] = tables_in(write_workbook(Path(folder) / name, rows, merged))
    return table


def relation_of(folder, rows, merged=()):
    """Return the relation of a workbook with these rows."""
    return table_of(folder, rows, merged).linked.relation


def cells_of(relation, result):
    """Return the addresses of the cells that a result rests on."""
    return [relation.ref(*cell).address.rpartition("!")[2] for cell in result.cells]
