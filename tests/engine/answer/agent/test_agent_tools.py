from dataclasses import replace

import pytest
from agent_library import desk_of, library

from engine.answer.agent.library_tools import library_tools
from engine.answer.agent.loop import AgentLoop
from engine.answer.agent.protocol import FINAL
from engine.errors import NotFoundError, UsageError
from engine.model import Filters
from engine.settings_sources import load_settings

LITTLE_ROOM = {"agent.tools.max_context_tokens": 1600, "embedding.enabled": False}
TABLE = "Region,Sales\nNorth,120\nSouth,80\n"


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    with library(tmp_path_factory.mktemp("tools")) as opened:
        from engine.ingest import Source

        opened.add([Source("sales.csv", TABLE.encode())])
        yield opened


@pytest.fixture
def toolbox(lib):
    loop = AgentLoop("sales", lib.search("sales region").hits, desk_of(lib))
    return loop._toolbox


def run(toolbox, name, **params):
    tool, checked = toolbox.prepare(name, params)
    return tool.run(**checked)


def documents(result):
    return {hit.document.removesuffix(".txt") for hit, _ in result.hits}


def test_every_tool_of_the_design_is_there(toolbox):
    assert {
        "keyword_search", "fulltext_search", "semantic_search", "get_node_content", "get_section_children",
        "get_document_structure", "get_related_documents", "get_relations", "verify_consistency",
        "summarize_findings", FINAL, "LOOKUP", "SUM", "TREND", "PERCENT_CHANGE",
    } <= set(toolbox.tools)  # fmt: skip
    assert "search_web" not in toolbox.tools


def test_keywords_find_what_is_titled_by_them_and_what_holds_them(toolbox):
    assert documents(run(toolbox, "keyword_search", keywords=["Edda Varga"])) == {
        "Edda Varga",
        "Marrow Lighthouse",
    }
    assert documents(run(toolbox, "keyword_search", keywords=["4,2\\d\\d"], mode="regex")) == {"Tolvik"}
    missing = run(toolbox, "keyword_search", keywords=["Atlantis"])
    assert missing.quality == "empty" and "Atlantis" in missing.text


def test_a_bad_pattern_is_told(toolbox):
    with pytest.raises(UsageError, match="not a regular expression"):
        run(toolbox, "keyword_search", keywords=["("], mode="regex")


def test_a_document_can_be_walked_through(toolbox, lib):
    structure = run(toolbox, "get_document_structure", document_id="Tolvik.txt")
    section = structure.text.split("[")[1].split("]")[0]
    children = run(toolbox, "get_section_children", node_id=section)
    leaf = children.hits[0][0].node_id
    content = run(toolbox, "get_node_content", node_id=leaf)
    assert "Ruben Aske" in content.opened[0].text
    above = [line.strip() for line in content.text.splitlines()]
    assert above[-1] in structure.text and " — " in above[-1], "with what the section is about"
    assert run(toolbox, "get_document_structure", document_id=leaf).text == structure.text
    assert run(toolbox, "get_document_structure", document_id="Tolvik").text == structure.text


def test_relatives_are_told_with_what_joins_them(tmp_path):
    texts = {
        "Bilge pump rules": "Pumps are tested once a year.",
        "Log": "By the Bilge pump rules both ran an hour.",
    }
    with library(tmp_path, texts) as opened:
        told = library_tools(opened.desk())[-1].run(document_id="Log.txt")
    assert "names Bilge pump rules" in told.text and "Bilge pump rules.txt" in told.summary


def test_an_operator_computes_and_cites_its_cells(toolbox):
    result = run(toolbox, "SUM", columns=["Sales"])
    assert result.observed[0].value == "200" and result.observed[0].method == "SUM"
    assert {one.source.cell["row"] for one in result.observed} == {"North", "South"}


def test_findings_are_summed_up_word_for_word(toolbox):
    assert "120" in run(toolbox, "summarize_findings", focus="sales of the North").text


def test_a_wrong_tool_is_told_with_the_names_of_those_that_there_are(toolbox):
    with pytest.raises(UsageError, match="The tools are: keyword_search, fulltext_search"):
        toolbox.prepare("full_text_search", {})


def test_every_tool_takes_every_argument_that_its_schema_declares(toolbox, lib):
    node = lib.search("mayor Ruben Aske").hits[0].node_id
    written = {
        "string": ["Tolvik", node, "", 7], "integer": [1, "3", 99], "boolean": [True, "false"],
        "array": [["Tolvik", node], "Ruben Aske", []],
    }  # fmt: skip
    answered = 0
    for name, tool in toolbox.tools.items():
        if tool.category == "table":
            continue
        properties = tool.parameters["properties"]
        least = {one: written[properties[one]["type"]][0] for one in tool.parameters["required"]}
        for argument, wanted in properties.items():
            for value in [*wanted.get("enum", ()), *written[wanted["type"]], None]:
                try:
                    result = run(toolbox, name, **{**least, argument: value})
                except (UsageError, NotFoundError) as refused:
                    assert str(refused)
                    continue
                answered += result.quality in ("good", "consistent")
    assert answered > 30


def test_nodes_outside_the_filters_cannot_be_read(lib):
    node = lib.search("mayor Ruben Aske").hits[0].node_id
    with pytest.raises(NotFoundError, match="outside"):
        desk_of(lib, Filters(documents=("Museum.txt",))).node(node)


def test_what_the_tools_say_is_in_the_language_of_the_question(lib):
    loop = AgentLoop("南方的销售额是多少？", lib.search("sales").hits, desk_of(lib))
    toolbox = loop._toolbox
    with pytest.raises(UsageError, match="没有名为“keyword_serch”的工具。可用的工具：keyword_search"):
        toolbox.prepare("keyword_serch", {})
    with pytest.raises(UsageError, match="缺少参数“query”（文本）"):
        toolbox.prepare("fulltext_search", {})
    with pytest.raises(UsageError, match="应为以下之一：descending, ascending"):
        toolbox.prepare("RANK", {"order": "odd"})
    assert run(toolbox, "keyword_search", keywords=["Atlantis"]).text.endswith("未找到：Atlantis。")
    assert run(toolbox, "verify_consistency").summary.startswith("比较了")
    tool, params = toolbox.prepare("get_node_content", {"node_id": "nowhere"})
    assert loop._run(tool, params).text == "所检索的文档中没有 nowhere。"


@pytest.mark.parametrize(
    ("question", "told"), [("sales", "has no column “Crowns”"), ("各地区的销售额", "表格中没有列“Crowns”")]
)
def test_what_an_operator_cannot_do_is_told_in_the_language_of_the_question(lib, question, told):
    loop = AgentLoop(question, lib.search("sales region").hits, desk_of(lib))
    lacking = run(loop._toolbox, "LOOKUP", columns=["Crowns"])
    assert lacking.quality == "empty" and told in lacking.text and "Crowns" in lacking.text


ARTICLES = "一二三四五六七八九十"


def charter():
    """A long charter whose articles are headings: eighty of them, what is asked at its end."""
    chapters = []
    for chapter in range(8):
        articles = [
            f"### 第{chapter * 10 + n}条 事项{ARTICLES[n]}\n\n本条规定第{n}项事务，由理事会会同监事会办理。"
            for n in range(10)
        ]  # fmt: skip
        chapters.append(f"## 第{ARTICLES[chapter]}章\n\n" + "\n\n".join(articles))
    last = "## 第九章 终止\n\n### 第二十二条 终止后的财产处理\n\n剩余财产移交校社联。"
    return "\n\n".join(["# 章程", *chapters, last])


@pytest.fixture(scope="module")
def charters(tmp_path_factory):
    rules = "# 采购办法\n\n第二十二条 采购人一般不得要求投标人提供样品，\n\n第二十二条 仅凭书面方式不能准确描述的除外。"
    with library(tmp_path_factory.mktemp("charters"), {"办法": rules}) as opened:
        from engine.ingest import Source

        opened.add([Source("章程.md", charter().encode())])
        loop = AgentLoop("剩下的财产归谁？", opened.search("财产").hits, desk_of(opened))
        yield loop


def shown(loop, name, **params):
    """What a model is shown of a result: its text and the texts packed with it."""
    tool, checked = loop._toolbox.prepare(name, params)
    result = tool.run(**checked)
    return result.text + "\n".join(item.text for item in loop._to_show(result, checked))


def test_a_keyword_that_a_heading_says_finds_what_stands_under_it(charters):
    for given in ({"keywords": ["第二十二条"]}, {"keywords": ["剩余财产", "第二十二条", "清算"]}):
        assert "剩余财产移交校社联" in shown(charters, "keyword_search", **given)
    assert "剩余财产移交校社联" in shown(charters, "keyword_search", keywords=["第二.*财产处理"], mode="regex")


def test_a_section_comes_with_the_texts_under_its_headings(charters):
    structure = shown(charters, "get_document_structure", document_id="章程.md")
    chapter = next(line for line in structure.splitlines() if "第九章" in line).split("[")[1].split("]")[0]
    told = shown(charters, "get_section_children", node_id=chapter)
    assert "第二十二条 终止后的财产处理" in told and "剩余财产移交校社联" in told


def test_a_long_documents_structure_is_told_to_its_end(charters):
    lines = shown(charters, "get_document_structure", document_id="章程.md").splitlines()
    assert "第二十二条 终止后的财产处理" in lines[-1] and len(lines) > 80


def test_of_a_structure_without_room_the_upper_headings_are_told(charters):
    small = replace(charters.desk, settings=load_settings(environ={}, flags=LITTLE_ROOM))
    told = next(one for one in library_tools(small) if one.name == "get_document_structure").run("章程.md").text
    assert "第九章 终止" in told and "第一章" in told and "第1条" not in told and "81 more sections" in told


def test_of_a_long_section_as_many_texts_are_told_as_there_is_room_for(charters):
    small = replace(charters.desk, settings=load_settings(environ={}, flags=LITTLE_ROOM))
    tools = {one.name: one for one in library_tools(small)}
    top = tools["get_document_structure"].run("章程.md").text.split("[")[1].split("]")[0]
    result = tools["get_section_children"].run(top)
    assert 0 < len(result.opened) < 40 and f"{81 - len(result.opened)} more" in result.text
