"""Names that tables, forms and mails make known, and what they say of them, each with its place."""

from dataclasses import replace

import pytest

from engine.answer.agent.library_tools import library_tools
from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.topics.entities import SEVERAL, SHORT_FORM, is_name, statements_in
from engine.topics.library_graph import LibraryGraph
from engine.visited_library import within

PROJECTS = """Project,Head,Budget,Begins
Harbour crane,Edda Varga,120000,2024-03-01
Tide gauge,Ruben Aske,45000,2024-05-12
Ice road,Edda Varga,98000,2024-06-30
Total,,263000,
"""
STAFF = """# Staff

| Name | Department | Telephone |
|---|---|---|
| Edda Varga | Works | 4711 |
| Ruben Aske | Survey | 4712 |
| Li Na | Works | 4713 |
"""
MAIL = b"""From: Edda Varga <edda@example.org>
To: "Aske, Ruben" <ruben@example.org>, Li Na <na@example.org>
Date: Mon, 04 Mar 2024 09:00:00 +0000
Subject: The crane

The crane is late. Ask the Port Safety Board (PSB) for a week.
"""
CONTRACT = "# 采购合同\n\n甲方：东海港务有限公司\n\n乙方：北山机械厂\n\n北山机械厂（以下简称“北机”）负责安装。"
ROWS = "# 供应商\n\n| 名称 | 城市 | 注册资本 |\n|---|---|---|\n" + "".join(
    f"| {name} | {city} | {money}万元 |\n"
    for name, city, money in [("北山机械厂", "青岛", 300), ("南河电气", "宁波", 500), ("西岭钢铁", "包头", 800)]
)
REPORT = """# Sales

| In millions | 2022 | 2023 |
|---|---|---|
| Revenue | 12 | 14 |
| Costs | 9 | 10 |
| Profit | 3 | 4 |

The sales were good. Note: prices rose. Everything went well for Edda Varga, said Ruben.
"""
FORM = """# Form

| Field | Filled in |
|---|---|
| Family name | |
| Telephone | 12 |
| Reasons | We would like to apply for a place in the harbour, since the old one is far too small for us. |
"""


MATCHES = ["Final round", "Long drive", "Short game", "Putting duel", "Spring cup", "Night match", "Harbour cup"]
SCORES = "# League\n\n| Match | Points | Winner |\n|---|---|---|\n" + "".join(
    f"| {match} | {points} | {winner} |\n"
    for match, points, winner in [
        *((one, n, "Li Na") for n, one in enumerate(MATCHES)),
        ("Match", "Points", "Winner"),
        ("Player A vs Player A", 2, "Edda Varga"),
    ]
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings(embedding={"enabled": False})
    files = {
        "projects.csv": PROJECTS, "staff.md": STAFF, "合同.md": CONTRACT, "供应商.md": ROWS, "report.md": REPORT,
        "form.md": FORM,
    }  # fmt: skip
    with Library.open(tmp_path_factory.mktemp("names"), settings=settings, background=False) as library:
        library.add([Source(name, text.encode()) for name, text in files.items()])
        library.add([Source("crane.eml", MAIL)])
        library.collections.create("People")
        library.collections.move(["staff.md"], "People")
        library.topics.refresh()
        yield library


def said(library, name, **filters):
    """What is said of a name, as (document, subject, label, value)."""
    return {
        (one.document, one.subject, one.label, one.value) for one in library.topics.said_of(name, Filters(**filters))
    }


def test_a_row_says_of_its_name_what_its_cells_say(shelf):
    assert said(shelf, "Harbour crane") == {
        ("projects.csv", "Harbour crane", "Head", "Edda Varga"),
        ("projects.csv", "Harbour crane", "Budget", "120000"),
        ("projects.csv", "Harbour crane", "Begins", "2024-03-01"),
    }


def test_one_name_is_the_same_in_all_documents(shelf):
    assert said(shelf, "edda VARGA") == {
        ("projects.csv", "Harbour crane", "Head", "Edda Varga"),
        ("projects.csv", "Ice road", "Head", "Edda Varga"),
        ("staff.md", "Edda Varga", "Department", "Works"),
        ("staff.md", "Edda Varga", "Telephone", "4711"),
        ("crane.eml", "", "From", "Edda Varga"),
    }
    first = shelf.topics.names()[0]
    assert (first.name, first.documents) == ("Edda Varga", 2)


def test_a_statement_leads_to_its_cell(shelf):
    one = next(one for one in shelf.topics.said_of("Tide gauge") if one.label == "Budget")
    stored = shelf.node(one.node_id)
    assert (stored.document, one.cell) == ("projects.csv", "C3")


def test_lines_with_a_label_and_short_forms_are_said_of_a_name(shelf):
    assert said(shelf, "北山机械厂") == {
        ("供应商.md", "北山机械厂", "城市", "青岛"),
        ("供应商.md", "北山机械厂", "注册资本", "300万元"),
        ("合同.md", "", "乙方", "北山机械厂"),
        ("合同.md", "北山机械厂", SHORT_FORM, "北机"),
    }
    assert said(shelf, "Port Safety Board") == {("crane.eml", "Port Safety Board", SHORT_FORM, "PSB")}


def test_what_rows_measure_and_forms_ask_for_are_no_names(shelf):
    names = {one.name for one in shelf.topics.names()}
    assert names >= {"Harbour crane", "Li Na", "南河电气", "Port Safety Board"}
    assert not names & {"Total", "Revenue", "Costs", "Profit", "Family name", "Telephone", "Reasons", "prices rose"}


def test_what_pairs_the_same_words_and_a_header_that_comes_again_are_no_names(tmp_path):
    with Library.open(tmp_path, settings=Settings(embedding={"enabled": False}), background=False) as library:
        library.add([Source("league.md", SCORES.encode())])
        library.topics.refresh()
        names = {one.name for one in library.topics.names()}
    assert names == set(MATCHES)


def test_what_text_recognition_is_in_doubt_about_makes_no_name_known(shelf):
    [table] = [node for node in shelf.tree("staff.md").nodes if node.role == "table"]
    assert list(statements_in(replace(table, metadata=table.metadata | {"ocr_confidence": 0.9})))
    assert not list(statements_in(replace(table, metadata=table.metadata | {"ocr_confidence": 0.7})))


@pytest.mark.parametrize("text", ["2024-03-01", "12 kg", "A7", "Was it good? No", "见附件。", "ruben@example.org", ""])
def test_dates_figures_addresses_and_sentences_are_no_names(text):
    assert not is_name(text)


def test_filters_and_rights_leave_out_what_other_documents_say(shelf):
    assert {one[0] for one in said(shelf, "Edda Varga", documents=("staff.md",))} == {"staff.md"}
    people = within(shelf, ["People"])
    assert {one.name for one in people.topics.names()} == {"Edda Varga", "Ruben Aske", "Li Na"}
    assert {one.document for one in people.topics.said_of("Edda Varga")} == {"staff.md"}
    assert people.topics.said_of("Harbour crane") == []


def test_the_agent_asks_for_a_name_and_gets_the_places(shelf):
    tool = next(one for one in library_tools(shelf.desk()) if one.name == "get_relations")
    found = tool.run(entity="Harbour crane")
    node = shelf.topics.said_of("Harbour crane")[0].node_id
    assert f"[{node}] Harbour crane: Head: Edda Varga" in found.text.splitlines()
    assert [hit.node_id for hit, _ in found.hits] == [node]
    assert tool.run(entity="Nobody Known").quality == "empty"
    limited = next(one for one in library_tools(shelf.desk(Filters(documents=("staff.md",)))) if one.name == tool.name)
    assert limited.run(entity="Harbour crane").quality == "empty"


def test_names_are_found_by_a_part_and_kept_in_the_graph(shelf):
    assert {one.name for one in shelf.topics.names("varg")} == {"Edda Varga"}
    kept = LibraryGraph(shelf.folder, shelf.storage, lambda: None).kept()
    told = dict(kept.nodes(data="said"))
    assert told[shelf.document("staff.md").document_id] == {"Edda Varga": [2, 1], "Ruben Aske": [2, 1], "Li Na": [2, 1]}


def test_what_stands_in_several_places_comes_before_the_lines_of_a_list(tmp_path):
    """A head of several projects, who writes a mail, a short form; not each project of the list."""
    with Library.open(tmp_path, settings=Settings(embedding={"enabled": False}), background=False) as library:
        book = f"{STAFF}\n# Projects\n\n| Project | Head | Budget |\n|---|---|---|\n"
        book += "".join(f"| {name} | Li Na | {n}00 |\n" for n, name in enumerate(("Crane", "Gauge", "Ice road"), 1))
        library.add([Source("book.md", book.encode()), Source("crane.eml", MAIL.replace(b"Li Na", b"Mo Tai"))])
        library.topics.refresh()
        several = [one.name for one in library.topics.names() if max(one.documents, one.places) >= SEVERAL]
        rest = {one.name for one in library.topics.names()} - set(several)
    assert several[0] == "Edda Varga", "those of two documents come first"
    assert set(several) >= {"Edda Varga", "Li Na", "Mo Tai", "Port Safety Board"}
    assert rest == {"Crane", "Gauge", "Ice road", "Ruben Aske"}


def test_names_go_with_their_document(tmp_path):
    with Library.open(tmp_path, settings=Settings(embedding={"enabled": False}), background=False) as library:
        library.add([Source("staff.md", STAFF.encode())])
        library.topics.refresh()
        library.add([Source("staff.md", STAFF.replace("Li Na", "Mo Tai").encode())])
        library.topics.refresh()
        assert {one.name for one in library.topics.names()} == {"Edda Varga", "Ruben Aske", "Mo Tai"}
        library.remove("staff.md")
        assert library.topics.names() == []


def test_a_term_that_stands_everywhere_is_found_where_it_is_defined(tmp_path):
    with Library.open(tmp_path, settings=Settings(embedding={"enabled": False}), background=False) as library:
        text = "# Flow\n\nThe Baseflow Index (BFI) of long rivers rises.\n\n"
        text += "\n\n".join(f"The baseflow index {n} fell." for n in range(150))
        library.add([Source("flow.md", text.encode())])
        library.topics.refresh()
        assert [(one.label, one.value) for one in library.topics.said_of("Baseflow Index")] == [(SHORT_FORM, "BFI")]


PROSE = """# 海港工程

## 团队

岑远舟自2021年起主持防波堤项目，他此前在南岸设计院任总工程师。

## 天气

这个月下了很多雨，大家都在屋里等着，没有别的事情可做。
"""
READ = (
    "岑远舟 | 主持 | 防波堤项目; 岑远舟 | 任职于 | 南岸设计院; 岑远舟 | 出生于 | 北京; 王海 | 主持 | 防波堤项目;"
    " 防波堤项目 | 属于 | 海港工程; 他 | 是"
)


def test_a_model_reads_in_texts_what_they_say_of_names_and_what_no_text_says_is_left_out(tmp_path, server):
    server.default = lambda body: READ if "岑远舟" in str(body["messages"][-1]["content"]) else "-"
    settings = Settings.model_validate(
        {
            "embedding": {"enabled": False}, "indexing": {"relations": True},
            "llm": {"api_base": server.base_url, "api_key": server.key, "model": "scripted-1", "retries": 0},
        }
    )  # fmt: skip
    with Library.open(tmp_path, settings=settings, background=False) as library:
        library.add([Source("工程.md", PROSE.encode())])
        assert [one.status for one in library.enrich_pending()] == ["updated"]
        library.topics.refresh()
        asked = [chat for chat in server.chats if "what one passage of a document says of names" in str(chat)]
        assert len(asked) == 2, "each text once, no heading"
        assert said(library, "岑远舟") == {
            ("工程.md", "岑远舟", "主持", "防波堤项目"), ("工程.md", "岑远舟", "任职于", "南岸设计院"),
        }  # fmt: skip
        assert ("工程.md", "岑远舟", "主持", "防波堤项目") in said(library, "防波堤项目"), "found by its value, too"
        [one] = {one.node_id for one in library.topics.said_of("岑远舟")}
        assert "岑远舟" in library.node(one).node.text
        assert {one.by for one in library.topics.said_of("岑远舟")} == {"model:scripted-1"}
        assert "岑远舟" in {one.name for one in library.topics.names()} and not library.topics.said_of("王海")


def test_without_being_asked_for_no_text_is_sent_for_what_it_says_of_names(tmp_path, server):
    llm = {"api_base": server.base_url, "api_key": server.key, "model": "scripted-1", "retries": 0}
    settings = Settings.model_validate({"embedding": {"enabled": False}, "llm": llm})
    with Library.open(tmp_path, settings=settings, background=False) as library:
        library.add([Source("工程.md", PROSE.encode())])
        assert library.enrich_pending() == [] and not server.chats
        library.topics.refresh()
        assert "岑远舟" not in {one.name for one in library.topics.names()}
