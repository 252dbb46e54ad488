"""Questions about versions: recognised, answered with citations into the versions that were asked of."""

from __future__ import annotations

import pytest
from sample_texts import REGULATIONS, REPORT

from engine.ingest import Source
from engine.library import Library
from engine.model import Document, Filters
from engine.settings_sources import load_settings
from engine.versions.asking import read
from tests.openai_server import Script

NEWER = REPORT.replace("412 million", "455 million")
NEWEST = NEWER.replace("Two foundries", "Three foundries")


def document(name, version=3):
    return Document(f"d-{name}", name, "text/markdown", version, version, "", 1, None, 9, 0.0, 0.0)


def understood(question, *names, filters=Filters(), version=3):
    documents = [document(name, version) for name in names or ("report.md",)]
    found = read(question, filters, documents, lambda _: [*range(1, version + 1)])
    return found and (found.kind, found.before, found.after)


@pytest.mark.parametrize(
    ("question", "meaning"),
    [
        ("第2版里年假有多少天？", ("as_of", 2, 0)),
        ("按照版本2，迟到怎么处理？", ("as_of", 2, 0)),
        ("In version 2, how large was the revenue?", ("as_of", 2, 0)),
        ("What was the revenue as of v2?", ("as_of", 2, 0)),
        ("What did the previous version say about risks?", ("as_of", 2, 0)),
        ("What was the revenue in the first version?", ("as_of", 1, 0)),
        ("第2版和第3版有什么变化？", ("changes", 2, 3)),
        ("what changed between 2 and 3?", ("changes", 2, 3)),
        ("What changed between version 1 and version 3?", ("changes", 1, 3)),
        ("How do versions 3 and 1 differ?", ("changes", 1, 3)),
        ("第3版改了什么？", ("changes", 2, 3)),
        ("最新版有什么变化？", ("changes", 2, 3)),
        ("What has changed since version 1?", ("changes", 1, 3)),
        ("自第1版以来有哪些修改？", ("changes", 1, 3)),
        ("What was the revenue in versions 1 and 3?", ("changes", 1, 3)),
        ("第1版和第3版的收入各是多少？", ("changes", 1, 3)),
        ("What changed in report.md?", ("changes", 2, 3)),
        ("report 有哪些修改？", ("changes", 2, 3)),
        ("What changed about the revenue in report.md?", ("changes", 2, 3)),
        ("What changed?", None),
        ("What is the revenue?", None),
        ("What is the revenue in the latest version?", None),
        ("Which port does HTTP version 2 use?", None),
        ("Is version 2.1 of the protocol supported?", None),
        ("How much lies between 2 and 3 metres?", None),
    ],
)
def test_what_is_asked_about_versions(question, meaning):
    assert understood(question) == meaning


def test_a_version_that_does_not_exist_is_said_so():
    assert understood("第9版里有什么？") == ("unknown", 0, 0)


def test_without_several_versions_nothing_is_about_versions():
    assert understood("In version 1, how large was the revenue?", version=1) is None


def test_of_several_documents_the_named_or_filtered_one_is_meant():
    names = ("report.md", "handbook.md")
    assert understood("What changed between version 1 and 2?", *names) == ("which", 0, 0)
    assert understood("What changed in the handbook between version 1 and 2?", *names) == ("changes", 1, 2)
    chosen = Filters(documents=("report.md",))
    assert understood("What changed between version 1 and 2?", *names, filters=chosen) == ("changes", 1, 2)
    for question in ("这个文档改了什么？", "What changed in this document?", "这份文件有哪些变化"):
        assert understood(question, *names, filters=chosen) == ("changes", 2, 3)
        assert understood(question, *names) is None
        assert understood(question, *names, filters=Filters(documents=("Report",))) == ("changes", 2, 3)
    assert understood("手册这个文档改了什么？", "手册.md", "report.md") == ("changes", 2, 3)
    assert understood("这个文档里工资改了什么？", *names, filters=chosen) == ("changes", 2, 3)


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("How much may a room cost as of version 1 of the travel-policy.md?", "How much may a room cost?"),
        ("In version 1, what is the travel policy's limit for rooms?", "what is limit for rooms?"),
        ("What changed in the travel policy between version 1 and 2?", ""),
        ("What is new in version 2 of travel-policy?", ""),
        ("Which sections were added to the travel policy in version 2?", ""),
    ],
)
def test_the_name_of_the_document_and_the_asking_are_no_part_of_what_is_asked(question, rest):
    policy = document("travel-policy.md")
    asked = read(question, Filters(), [policy], lambda _: [1, 2, 3])
    assert asked is not None and asked.question == rest


def test_a_short_name_is_not_found_within_a_word():
    brief = document("it.md")
    asked = read("Did the committee change between the two versions?", Filters(), [brief], lambda _: [1, 2])
    assert asked is not None and (asked.named, asked.question) == (False, "committee")


def test_a_chinese_name_with_its_preposition_is_no_part_of_what_is_asked():
    rules = document("差旅管理办法.md")
    asked = read("杭州的补贴在《差旅管理办法》第1版和第2版里分别是多少？", Filters(), [rules], lambda _: [1, 2])
    assert asked is not None and (asked.kind, asked.before, asked.after) == ("changes", 1, 2)
    assert "杭州" in asked.question and "办法" not in asked.question


def test_a_changed_row_is_found_by_what_its_column_is_called(library):
    table = "| City | Daily allowance |\n| --- | --- |\n| Oslo | 71 |\n| Lyon | 55 |"
    text = f"# Rates\n\n{table}\n\nPaid monthly by transfer.\n"
    for version in (text, text.replace("71", "78").replace("monthly", "weekly")):
        library.add([Source("rates.md", version.encode())])
    answer = library.ask("Has the daily allowance for Oslo changed since version 1?")
    assert "78" in answer.answer and "weekly" not in answer.answer
    assert [source.version for source in answer.sources] == [1, 2]


@pytest.fixture
def three_versions(library):
    for text in (REPORT, NEWER, NEWEST):
        library.add([Source("report.md", text.encode())])
    library.add([Source("手册.md", REGULATIONS.encode())])
    return library


def grounded(library, made):
    return all(
        source.snippet in (node.text or node.title)
        for source in made.sources
        if (node := library.node(source.node_id, source.version).node)
    )


def test_what_changed_is_told_with_citations_into_both_versions(three_versions):
    made = three_versions.ask("第1版和第2版有什么变化？")
    assert {(source.version, "412" in source.snippet) for source in made.sources} == {(1, True), (2, False)}
    assert "455" in made.answer
    assert "foundries" not in made.answer
    assert grounded(three_versions, made)


def test_only_what_was_asked_about_is_told(three_versions):
    made = three_versions.ask("What changed about the foundries between version 1 and version 3?")
    assert "Three foundries" in made.answer
    assert "455" not in made.answer
    same = three_versions.ask("What changed about the weather between version 1 and version 3?")
    assert "no change mentions" in same.answer


def test_a_question_as_of_an_old_version_is_answered_from_it_alone(three_versions):
    made = three_versions.ask("As of version 1, what did revenue rise to in 2023?")
    assert "412" in made.answer
    assert {source.version for source in made.sources} == {1}
    assert all(source.version == 3 for source in three_versions.ask("What did revenue rise to in 2023?").sources)


def test_a_question_about_both_versions_is_answered_from_each(three_versions):
    made = three_versions.ask("What did revenue rise to in 2023 in versions 1 and 2?")
    assert "412" in made.answer
    assert "455" in made.answer
    assert {source.version for source in made.sources} == {1, 2}


@pytest.fixture
def reworked(library):
    fees, crane, berths, winter, sauna = (
        f"## {title}\n\n{text}\n\n"
        for title, text in (
            ("Fees", "A berth costs 40 euro a day for all boats."),
            ("Crane", "The crane lifts six tons."),
            ("Berths", "There are 12 berths with water and light."),
            ("Winter", "The quay is closed in winter."),
            ("Sauna", "The sauna is open daily."),
        )
    )
    old = f"# Tariff\n\n{fees}{winter}{crane}{berths}"
    new = f"# Tariff\n\n{berths}{fees.replace('40', '55')}{crane}{sauna}"
    for text in (old, new):
        library.add([Source("tariff.md", text.encode())])
    return library


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which sections were added between version 1 and 2?", "**Tariff > Sauna**, new"),
        ("第1版和第2版之间删除了哪些内容？", "**Tariff > Winter**，已删除"),
        ("What moved between version 1 and 2?", "**Tariff > Berths**, moved"),
    ],
)
def test_a_change_is_told_with_what_happened_to_its_section(reworked, question, told):
    made = reworked.ask(question)
    assert told in made.answer
    assert "55 euro" in made.answer


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("Did the berth change between the two versions?", ["40 euro", "55 euro"], "Sauna"),
        ("What is new about berths?", ["40 euro", "55 euro"], "Sauna"),
        ("How much did a berth cost before the tariff was updated?", ["40 euro", "55 euro"], "Sauna"),
        ("What no longer exists in the new edition of the tariff?", ["Winter", "no longer there"], "six tons"),
        ("泊位费以前是多少？", ["40 欧元", "55 欧元"], "桑拿"),
        ("起重机的规定改过吗？", ["没有变化", "起重机可吊六吨"], "桑拿"),
        ("新版收费办法删掉了什么？", ["冬季停用"], "起重机可吊六吨"),
    ],
)
def test_however_it_is_put_what_changed_about_its_subject_is_told(reworked, question, told, untold):
    old = (
        "# 收费办法\n\n## 泊位\n\n泊位费每天 40 欧元。\n\n## 冬季\n\n码头冬季停用。\n\n## 起重机\n\n起重机可吊六吨。\n"
    )
    new = old.replace("40", "55").replace("## 冬季\n\n码头冬季停用。\n\n", "") + "\n## 桑拿\n\n桑拿每天开放。\n"
    for text in (old, new):
        reworked.add([Source("收费办法.md", text.encode())])
    made = reworked.ask(question)
    assert all(one in made.answer for one in told), made.answer
    assert untold not in made.answer


def test_what_did_not_change_is_told_with_both_versions(reworked):
    made = reworked.ask("Is the crane still the same as in the old edition?")
    assert "nothing changed about" in made.answer
    assert [(source.version, source.snippet) for source in made.sources] == [
        (1, "The crane lifts six tons."), (2, "The crane lifts six tons."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "How do the fees for berths and the crane differ?",
        "What does a berth cost?",
        "How did the fees change from 2022 to 2023?",
        "How often is the quay closed?",
    ],
)
def test_what_asks_of_the_subject_itself_is_no_question_about_versions(reworked, question):
    assert not any(step.tool == "compare_versions" for step in reworked.ask(question).reasoning_trace)


def test_a_model_is_shown_what_changed_with_its_versions(tmp_path, server):
    server.default = "The fee rose from 40 [1] to 55 euro [2]."
    flags = {"llm.api_base": server.base_url, "llm.api_key": server.key}
    with Library.open(tmp_path, settings=load_settings(tmp_path, environ={}, flags=flags), background=False) as library:
        for price in (40, 55):
            text = f"# Tariff\n\n## Fees\n\nA berth costs {price} euro a day.\n\n## Crane\n\nIt lifts {price} tons.\n"
            library.add([Source("tariff.md", text.encode())])
        made = library.ask("What is new about the berth in the tariff?")
    prompt = server.chats[-1]["messages"][-1]["content"]
    assert "Version 1" in prompt and "costs 40 euro" in prompt and "Version 2" in prompt and "costs 55 euro" in prompt
    assert "lifts 40 tons" in prompt and "lifts 55 tons" in prompt, "what else changed may bear on the question"
    assert (made.answer, made.engine, made.warnings) == (server.default, "llm", [])
    assert [source.version for source in made.sources] == [1, 2]


def test_a_model_is_shown_all_passages_of_a_section_that_is_new(tmp_path, server):
    server.default = "A limit was added [1]."
    flags = {"llm.api_base": server.base_url, "llm.api_key": server.key}
    limits = "\n\n## Limits\n\nThe input takes up to 10 dBm in bands that are filtered.\n\nMore than -5 dBm ruins it.\n"
    with Library.open(tmp_path, settings=load_settings(tmp_path, environ={}, flags=flags), background=False) as library:
        for more in ("", limits):
            library.add([Source("radio.md", f"# Radio\n\n## Range\n\nIt hears 1 MHz to 6 GHz.{more}".encode())])
        library.ask("What changed in the radio?")
    prompt = server.chats[-1]["messages"][-1]["content"]
    assert "up to 10 dBm" in prompt and "More than -5 dBm" in prompt


def test_what_changed_is_told_where_the_model_fails(tmp_path, server):
    server.default = Script(status=500)
    flags = {"llm.api_base": server.base_url, "llm.api_key": server.key, "llm.retries": 0}
    with Library.open(tmp_path, settings=load_settings(tmp_path, environ={}, flags=flags), background=False) as library:
        for price in (40, 55):
            library.add([Source("tariff.md", f"# Tariff\n\n## Fees\n\nA berth costs {price} euro a day.\n".encode())])
        made = library.ask("What changed in the tariff?")
    assert "40 euro" in made.answer and "55 euro" in made.answer and made.engine == "extractive"
