from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.colors import black
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from engine.config import ParsingSettings
from engine.model import Block
from engine.parse.pdf import parse_pdf

GRID = ("GRID", (0, 0), (-1, -1), 0.6, black)
TEXT = ParagraphStyle("text")


def tables_of(path: Path, rows: list[list[Any]], *style: tuple[Any, ...], width: float = 80) -> list[Block]:
    table = Table(rows, colWidths=[width] * len(rows[0]), style=list(style) or [GRID])
    SimpleDocTemplate(str(path)).build(
        [Paragraph("Above the table.", TEXT), table, Paragraph("Below it.", TEXT)]
    )
    return [block for block in parse_pdf(path, ParsingSettings()).blocks if block.kind == "table"]


def test_merged_cells_of_a_ruled_table_are_known_with_their_spans(tmp_path):
    rows = [
        ["Region", "Sales", "", "Staff"],
        ["", "2023", "2024", ""],
        ["North", "10", "12", "3"],
        ["South", "20", "25", "4"],
    ]
    spans = [("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1)), ("SPAN", (3, 0), (3, 1))]
    [table] = tables_of(tmp_path / "a.pdf", rows, GRID, *spans)
    assert table.metadata["rows"][:2] == [
        ["Region", "Sales", "Sales", "Staff"],
        ["Region", "2023", "2024", "Staff"],
    ]
    merged = {(m["row"], m["column"]): (m["row_span"], m["column_span"]) for m in table.metadata["merged"]}
    assert merged == {(0, 0): (2, 1), (0, 1): (1, 2), (0, 3): (2, 1)}
    assert table.text.splitlines()[0] == "Region | Sales | Staff"


def test_every_cell_of_a_ruled_table_has_its_box(tmp_path):
    [table] = tables_of(tmp_path / "a.pdf", [["Name", "Figure"], ["alpha", "1"], ["beta", "2"]])
    edges = table.metadata["edges"]
    assert [right - left for left, right in zip(edges["x"], edges["x"][1:], strict=False)] == pytest.approx(
        [80, 80]
    )
    assert len(edges["y"]) == 4
    assert table.bbox == pytest.approx(
        (edges["x"][0], edges["y"][0], edges["x"][-1], edges["y"][-1]), abs=0.1
    )


def test_wrapped_cells_stay_one_row_each(tmp_path):
    long = "a text that is too long for its narrow cell"
    rows = [["Left", "Right"], [Paragraph(long, TEXT), Paragraph(long.title(), TEXT)], ["x", "y"]]
    [table] = tables_of(tmp_path / "a.pdf", rows)
    assert table.metadata["rows"] == [["Left", "Right"], [long, long.title()], ["x", "y"]]


def test_rows_of_figures_in_one_ruled_row_are_rows_and_the_name_beside_them_spans_them(tmp_path):
    rows = [
        ["Group", "Route", "Seats"],
        ["Asia", "Seoul\nTaipei\nOsaka", "120\n80\n95"],
        ["Total", "", "295"],
    ]
    [table] = tables_of(tmp_path / "a.pdf", rows)
    assert table.metadata["rows"] == [
        ["Group", "Route", "Seats"],
        ["Asia", "Seoul", "120"],
        ["Asia", "Taipei", "80"],
        ["Asia", "Osaka", "95"],
        ["Total", "", "295"],
    ]
    assert table.metadata["merged"] == [{"row": 1, "column": 0, "row_span": 3, "column_span": 1}]


def test_a_table_without_outer_rules_is_whole(tmp_path):
    rows = [["Duck", ""], ["Domain", "Eukaryota"], ["Class", "Aves"], ["Order", "Anseriformes"]]
    style = [
        ("INNERGRID", (0, 0), (-1, -1), 0.6, black),
        ("LINEABOVE", (0, 0), (-1, 0), 0.6, black),
        ("LINEBELOW", (0, -1), (-1, -1), 0.6, black),
        ("SPAN", (0, 0), (1, 0)),
    ]
    [table] = tables_of(tmp_path / "a.pdf", rows, *style)
    assert table.metadata["rows"] == [["Duck", "Duck"], *rows[1:]]


def test_a_head_over_several_columns_without_rules_spans_them(tmp_path):
    rows = [
        ["", "Year ended December", ""],
        ["", "2023", "2024"],
        ["Sales", "100", "120"],
        ["Costs", "80", "90"],
    ]
    style = [("SPAN", (1, 0), (2, 0)), ("ALIGN", (1, 0), (-1, -1), "CENTER")]
    [table] = tables_of(tmp_path / "a.pdf", rows, *style)
    assert table.metadata["merged"] == [{"row": 0, "column": 1, "row_span": 1, "column_span": 2}]
    assert table.metadata["rows"][1:] == rows[1:]
