"""The table operators as tools of the agent: every argument that a schema declares is taken, and cells are cited."""

import io
import itertools

import openpyxl
import pytest
from agent_library import desk_of

from engine.answer.agent.table_tools import table_tools
from engine.answer.agent.tools import Toolbox
from engine.answer.phrases import CHINESE, ENGLISH
from engine.config import Settings
from engine.errors import NotFoundError, UsageError
from engine.ingest import Source
from engine.library import Library
from engine.model import Node

SALES = [
    ["Region", "Manager", "Sales (EUR)", "Share (%)", "Opened"],
    ["North", "Ana Costa", 120, 60, "2015-03-01"],
    ["South", "Bo Lind", 50, 25, "2019-05-10"],
    ["West", "Cy Marsh", 30, 15, "2021-06-30"],
    ["Total", None, 200, 100, None],
]


def workbook(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("tools") / "shelf"
    long = [["Asset", "Site", "Cost"], *([f"A-{n}", ["Porto", "Lyon"][n % 2], n] for n in range(1, 451))]
    with Library.open(folder, settings=settings, background=False) as opened:
        opened.add([Source("sales.xlsx", workbook(SALES)), Source("assets.xlsx", workbook(long))])
        opened.add([Source("list.csv", b"Name\nAna\nBo\n")])
        opened.add([Source("note.txt", b"Fog\n\nThe coast has fog in spring.")])
        yield opened


def table_nodes(lib, name):
    return [node for node in lib.storage.tree(lib.document(name).document_id).nodes if node.role == "table"]


@pytest.fixture
def toolbox(lib):
    return box(lib)


def box(lib, name="sales.xlsx", phrases=ENGLISH.tools):
    nodes = table_nodes(lib, name) if name else []
    return Toolbox(table_tools(desk_of(lib), lambda: nodes, phrases), phrases)


def call(toolbox, name, **params):
    tool, checked = toolbox.prepare(name, params)
    return tool.run(**checked)


def test_the_schema_of_a_table_can_be_read(toolbox):
    result = call(toolbox, "OPEN_TABLE_SCHEMA")
    assert result.summary == "Table 1: sales.xlsx / Sheet (4 rows)"
    assert "- Sales (currency, EUR)" in result.text and "North | Ana Costa | 120 | 60 | 2015-03-01" in result.text


@pytest.mark.parametrize(
    ("name", "params", "text", "value", "cells"),
    [
        ("LOOKUP", {"rows": "South", "columns": "Sales"}, "Sales for South is €50.", "50", ["C3"]),
        ("SUM", {"columns": ["Sales"]}, "The total of Sales over 3 rows is €200. (120 + 50 + 30)", "200",
         ["C2", "C3", "C4"]),
        ("AVERAGE", {"columns": "Share (%)"}, "The average of Share over 3 rows is 33.33%. ((60 + 25 + 15) / 3)",
         "33.33333333333333333333333333333333333333", ["D2", "D3", "D4"]),
        ("MAX", {"columns": "Sales", "told": "Manager"}, "Ana Costa: Sales €120.", "120", ["C2", "B2"]),
        ("MIN", {"columns": "Opened"}, "North: Opened 2015-03-01.", "2015-03-01", ["E2"]),
        ("COUNT", {"where": [{"column": "Opened", "is": ">", "value": 2016}]}, "2 found: Opened > 2016.", "2",
         ["E3", "E4"]),
        ("DIFF", {"rows": ["North", "South"], "columns": "Sales"},
         "The difference in Sales for North – South is €70. (120 − 50)", "70", ["C2", "C3"]),
        ("SHARE", {"columns": "Sales", "rows": "South"}, "The share of total Sales for South is 25%. (50 / 200)",
         "25.00", ["C3", "C5"]),
    ],
)  # fmt: skip
def test_an_operator_computes_says_what_it_saw_and_cites_its_cells(toolbox, name, params, text, value, cells):
    result = call(toolbox, name, **params)
    assert (result.text, result.quality) == (text, "good")
    assert result.observed[0].value == value and result.observed[0].method == name
    [computed] = result.computed
    assert [one.cell.rpartition("!")[2] for one in computed.citations] == cells
    assert all(one.document == "sales.xlsx" for one in computed.citations)


def test_what_is_observed_has_its_unit_its_row_and_its_column(toolbox):
    [seen] = call(toolbox, "LOOKUP", rows="South", columns="Sales").observed
    assert (seen.value, seen.unit, seen.source.cell) == ("50", "EUR", {"row": "South", "col": "Sales"})


def test_any_part_of_a_long_sheet_stands_for_the_whole(lib):
    toolbox, parts = box(lib, "assets.xlsx"), table_nodes(lib, "assets.xlsx")
    assert len(parts) == 3
    results = [call(toolbox, "MAX", table=part.node_id, columns="Cost") for part in parts]
    assert [[one.cell for one in result.computed[0].citations] for result in results] == [["Sheet!C451"]] * 3
    assert results[0].computed[0].citations[0].node_id == parts[2].node_id


def test_what_a_table_does_not_have_is_a_gap(toolbox):
    missing = call(toolbox, "LOOKUP", columns="Profit")
    assert missing.quality == "empty" and "It has: “Region”, “Manager”, “Sales”" in missing.text
    assert [(gap.need, gap.arg) for gap in missing.gaps] == [("has_col", "Profit")]
    assert [gap.need for gap in call(toolbox, "LOOKUP", rows="Atlantis").gaps] == ["has_row"]


def test_what_cannot_be_computed_is_told_in_the_language_of_the_question(lib):
    with pytest.raises(UsageError, match="Name the two cells"):
        call(box(lib), "DIFF", columns="Sales")
    with pytest.raises(UsageError, match="请指明两个单元格"):
        call(box(lib, phrases=CHINESE.tools), "DIFF", columns="Sales")


def test_an_operator_needs_a_table(lib, toolbox):
    with pytest.raises(UsageError):
        call(box(lib, name=""), "COUNT")
    with pytest.raises(NotFoundError):
        call(toolbox, "COUNT", table="nowhere")
    paragraph = next(n for n in lib.storage.tree(lib.document("note.txt").document_id).nodes if n.role == "paragraph")
    with pytest.raises(UsageError):
        call(toolbox, "COUNT", table=paragraph.node_id)


# For each kind of argument, what may be written: right, wrong, empty.
_NAMES = ["Sales", "South", 0, 3, ["Region", "Sales"], "Profit", "", []]
_WHERES = [
    [], [{"value": "North"}], [{"column": "Sales", "is": "between", "value": [0, 100]}],
    [{"column": "Region", "is": "!=", "value": "North"}], [{"column": 0, "is": "contains", "value": "th"}],
    [{"column": "Opened", "is": "<", "value": "2020"}], [{"column": "Sales", "is": ">", "value": "many"}],
    [{"column": "Sales", "is": "between", "value": []}], [{"column": "Opened", "is": "=", "value": []}],
    [{"column": "Sales", "is": ">", "other": "Share"}],
]  # fmt: skip
_CELLS = [
    {"column": "Sales", "row": "North"}, {"column": "Sales"}, {"column": "Manager", "row": "North"},
    {"column": 2, "where": [{"column": "Region", "value": "South"}]}, {"column": "Profit"},
]  # fmt: skip
_WRITTEN = {
    "columns": _NAMES, "rows": _NAMES, "told": _NAMES, "by": ["Region", 0, "Opened", "Profit"], "where": _WHERES,
    "a": _CELLS, "b": _CELLS, "order": ["ascending", "descending"], "per": ["month", "year"],
    "limit": [0, 1, 99], "table": [""],
}  # fmt: skip


def _calls(properties):
    """Yield every argument alone, every pair of arguments, and all at once."""
    for one, other in itertools.combinations_with_replacement(properties, 2):
        for first, second in itertools.product(_WRITTEN[one], _WRITTEN[other]):
            yield {one: first, other: second}
    yield {name: _WRITTEN[name][0] for name in properties}
    yield {}


def test_every_tool_takes_every_argument_that_its_schema_declares(lib):
    english, chinese = box(lib, phrases=ENGLISH.tools), box(lib, phrases=CHINESE.tools)
    toolboxes, done = (
        itertools.cycle([english, chinese, chinese]),
        0,
    )  # both languages tell all kinds of results
    for name, tool in english.tools.items():
        assert tool.parameters["properties"].keys() <= _WRITTEN.keys()
        for params, toolbox in zip(_calls(tool.parameters["properties"]), toolboxes, strict=False):
            try:
                result = call(toolbox, name, **params)
            except UsageError as refused:
                assert str(refused)
                continue
            assert result.text and result.summary
            done += result.quality == "good"
    assert done > 500


def test_only_operators_that_a_table_of_the_evidence_affords_are_offered(lib):
    sales = table_nodes(lib, "sales.xlsx")
    names = Node(
        "t",
        None,
        "table",
        metadata={"rows": [["Name"], ["Ana"]], "header_rows": 1, "columns": [{"name": "Name"}]},
    )
    whole = box(lib)
    assert {"LOOKUP", "SUM", "MAX", "OPEN_TABLE_SCHEMA"} <= whole.offered(sales).tools.keys()
    assert whole.offered([names]).tools.keys() == {"COUNT", "DISTINCT", "OPEN_TABLE_SCHEMA"}
    assert not whole.offered([]).tools


def test_without_a_name_an_operator_takes_the_best_table_that_affords_it(lib):
    nodes = [*table_nodes(lib, "list.csv"), *table_nodes(lib, "sales.xlsx")]
    tools = Toolbox(table_tools(desk_of(lib), lambda: nodes, ENGLISH.tools), ENGLISH.tools)
    assert call(tools, "SUM", columns="Sales").computed[0].values == ["200"]


@pytest.mark.parametrize(("phrases", "told"), [(ENGLISH.tools, "the cell is there"), (CHINESE.tools, "有此单元格")])
def test_an_empty_cell_is_told_as_one_and_cited(lib, phrases, told):
    stock = b"Ward,Year,Beds\nMaple,2020,31\nMaple,2021,\nLinden,2021,12\n"
    lib.add([Source("wards.csv", stock)])
    toolbox = box(lib, "wards.csv", phrases)
    where = [{"column": "Ward", "value": "Maple"}, {"column": "Year", "value": "2021"}]
    result = call(toolbox, "LOOKUP", columns="Beds", where=where)
    assert told in result.text and result.quality == "good"
    [computed] = result.computed
    assert computed.citations[0].snippet.startswith("Maple | 2021") and not computed.stated_in("Maple: 2021")
    with pytest.raises(UsageError, match=r"nothing stands in them|其中没有内容"):
        call(toolbox, "SUM", columns="Beds", where=where)
