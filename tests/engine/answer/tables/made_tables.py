"""Table nodes made from rows, as the product's own enrichment makes them, and workbooks to read."""

import io

import openpyxl

from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import TypedTable
from engine.enrich.tables import enrich_table
from engine.model import Node

INCOME = [
    ["", "2023", "2022", "2021"],
    ["Product sales", "$ 1,500", "$ 1,200", "$ 1,000"],
    ["Service sales", "700", "—", "500"],
    ["Other income (expense), net (1)", "(40)", "15", "(10)"],
    ["Gross margin", "41.5%", "40.0%", "38.5%"],
    ["Total sales", "$ 2,200", "$ 1,200", "$ 1,500"],
]
RIDERS = [
    ["No", "Rider", "Country", "Team", "Points", "Joined"],
    ["1", "Ana Costa", "Portugal", "Blue Wheels", "31", "2015"],
    ["2", "Bo Lind", "Sweden", "Fast Feet", "18", "2019"],
    ["3", "Carla Rossi", "Italy", "Blue Wheels", "25", "2017"],
    ["4", "Dov Katz", "Israel", "Night Owls", "9", "2020"],
    ["5", "Elsa Berg", "Sweden", "Night Owls", "12", "2012"],
]
SALES = [
    ["Region", "2022", "2023"],
    ["North", 1200, 1500],
    ["South", 900, 800],
    ["Total", 2100, 2300],
]
STATEMENT_ZH = [
    ["项目", "2023年", "2022年"],
    ["营业收入", "12,500", "10,000"],
    ["营业成本", "7,300", "6,100"],
    ["研发费用", "1,250", "900"],
    ["净利润", "2,180", "1,960"],
]


def workbook(**sheets):
    """Return the bytes of an Excel workbook with the rows of each sheet by its title; an empty row stays empty."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def table_node(rows, caption="", node_id="n1", before=(), **more):
    """Return an enriched table node whose text is its rows as lines."""
    text = "\n".join(" | ".join(cell for cell in row).strip(" |") for row in rows)
    metadata = {"rows": rows, "caption": caption, **more.pop("metadata", {})}
    return enrich_table(Node(node_id, None, "table", text=text, metadata=metadata, **more), before)


def typed(rows, **more):
    """Return the typed table of these rows."""
    return TypedTable(table_node(rows, **more))


def source(rows, title="", path=(), **more):
    """Return these rows as a table that may answer."""
    return TableSource(table_node(rows, **more), title, path)
