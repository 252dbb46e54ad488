import json
from dataclasses import replace

import pytest

from engine.answer.grounded.conversation import read_message
from engine.answer.grounded.prompt import arranged, messages_for
from engine.config import LlmSettings
from engine.ingest import Source
from engine.library import Library
from engine.model import Manner, Node
from engine.providers.llm import open_llm
from tests.engine.answer.evidence_maker import answer, bridges, evidence, finder
from tests.openai_server import OpenAiServer, Script

QUESTION = "When did the Harbour Bridge open?"
HISTORY = [("user", QUESTION), ("assistant", "It opened in 1932 [1].")]


@pytest.fixture
def llm(server):
    return open_llm(LlmSettings(api_base=server.base_url, api_key=server.key, retries=0, timeout=5))


def answered(read, llm, queries):
    """Answer a message that was read, over the bridges; ``queries`` notes what was searched for."""
    return answer(read, HISTORY, retrieve=finder(bridges(), queries), llm=llm)


def says(server, **reading):
    server.enqueue(json.dumps(reading, ensure_ascii=False))


def test_a_model_makes_a_follow_up_whole(server, llm):
    says(server, aim="documents", question="Who designed the Harbour Bridge?")
    read = read_message("and who drew it up?", HISTORY, llm)
    assert read.standalone == "Who designed the Harbour Bridge?" and read.text == "and who drew it up?"
    assert read.aim == "documents" and read.follow_up
    asked = server.chats[0]["messages"][1]["content"]
    assert f"User: {QUESTION}" in asked and "Last message: and who drew it up?" in asked


@pytest.mark.parametrize("reply", ["no object", '{"aim": "documents", "question": ""}', '{"aim": ["?"]}'])
def test_what_a_model_says_unreadably_is_read_by_rules(server, llm, reply):
    server.enqueue(reply)
    read = read_message("And what did it cost?", HISTORY, llm)
    assert read.standalone == "What did the Harbour Bridge cost?" and read.aim == "documents"


def test_a_model_that_is_down_is_done_without(llm, server):
    server.enqueue(Script(status=500))
    assert read_message("And what did it cost?", HISTORY, llm).standalone == "What did the Harbour Bridge cost?"


def test_the_first_message_and_a_greeting_cost_no_call(server, llm):
    assert read_message(QUESTION, (), llm).aim == "documents"
    assert read_message("Thanks!", HISTORY, llm).aim == "chat" and read_message("你好", (), None).aim == "chat"
    assert not server.chats


def test_a_request_about_the_answer_goes_on_from_what_it_rested_on(server, llm):
    says(server, aim="conversation", question=QUESTION)
    read = read_message("as a table, please", HISTORY, llm)
    server.enqueue("| Bridge | Opened |\n| --- | --- |\n| Harbour Bridge | 1932 [1] |")
    queries = []
    made = answered(read, llm, queries)
    assert queries == [QUESTION] and made.answer.startswith("| Bridge |") and made.state == "answered"
    assert made.sources[0].snippet == "The Harbour Bridge opened in 1932."
    asked = server.chats[1]["messages"][1]["content"]
    assert "Request: as a table, please" in asked and "It opened in 1932 [1]." in asked


def test_small_talk_is_answered_without_a_search(server, llm):
    says(server, aim="chat", question="")
    read = read_message("Nice weather today, is it not?", HISTORY, llm)
    server.enqueue("I look things up in your documents.")
    queries = []
    made = answered(read, llm, queries)
    assert made.answer == "I look things up in your documents." and made.engine == "llm" and not made.warnings
    assert not queries and not made.sources


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("Hello!", "Ask a question about your documents"), ("你好", "请就您的文档提问"), ("谢谢！", "不客气"),
        ("thank you so much", "You are welcome"), ("What can you do?", "I answer questions about the documents"),
        ("你能做什么？", "我根据本库中的文档"),
    ],
)  # fmt: skip
def test_without_a_model_what_is_said_to_the_app_is_answered_by_it(message, says):
    queries = []
    made = answer(message, retrieve=finder(bridges(), queries))
    assert says in made.answer and not queries


POINTS = "- The Harbour Bridge opened in 1932 [1].\n- It took eight years to build [1]."


@pytest.mark.parametrize(
    ("message", "searched", "begins"),
    [
        ("Are you sure?", QUESTION, "Looked up once more"),
        ("你确定吗", QUESTION, "重新查找后"),
        ("Explain the second point.", "It took eight years to build .", "Quoted"),
        ("make it shorter", QUESTION, "Without a language model"),
        ("Please continue", QUESTION, "Quoted"),
    ],
)
def test_without_a_model_requests_about_an_answer_go_on_from_it(message, searched, begins):
    history = [("user", QUESTION), ("assistant", POINTS), ("user", "thanks"), ("assistant", POINTS)]
    queries = []
    read = read_message(message, history, None)
    made = answer(read, history, retrieve=finder(bridges(), queries))
    assert read.aim == "conversation" and queries == [searched] and made.answer.startswith(begins)


def test_what_is_asked_about_an_answer_is_done_by_a_model_that_is_shown_it(server, llm):
    read = read_message("are you sure?", HISTORY, llm)
    server.enqueue("Yes: it opened in 1932 [1].")
    queries = []
    made = answered(read, llm, queries)
    assert made.answer == "Yes: it opened in 1932 [1]." and queries == [QUESTION] and len(server.chats) == 1
    assert "Request: are you sure?" in server.chats[0]["messages"][1]["content"]


@pytest.mark.parametrize("message", ["How does it work?", "他是谁？", "Which pumps are there?", "好的标准是什么？"])
def test_a_question_about_the_documents_is_no_talk(message):
    assert read_message(message, HISTORY, None).aim == "documents"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What did 王伟 sign in May?", "English"), ("合同编号 HT-07 的 total price 是多少？", "Chinese"),
        ("Wie hoch ist der Umsatz im Jahr 2023?", "the question's language"), ("売上高はいくらですか", "Japanese"),
    ],
)  # fmt: skip
def test_the_answer_is_asked_for_in_the_question_s_language(question, language):
    assert f"Answer in {language}," in messages_for(question, bridges())[1]["content"]


def test_the_last_answer_is_given_whole():
    table = "\n".join(f"| row {n} | {n} |" for n in range(100))
    assert table in messages_for("shorter", bridges(), [*HISTORY, ("assistant", table)])[1]["content"]


def test_a_question_may_be_answered_by_another_model_of_the_endpoint_and_as_it_is_told_to(tmp_path):
    flags = {"embedding.enabled": False, "llm.retries": 0, "llm.model": "small"}
    with OpenAiServer(models=("small", "large", "text-embedding-3")) as server:
        flags |= {"llm.api_base": server.base_url, "llm.api_key": server.key}
        server.default = "The pier opened in 1932 [1]."
        with Library.open(tmp_path / "shelf", background=False, flags=flags) as library:
            library.add([Source("pier.txt", b"Pier\n\nThe pier opened in 1932.")])
            assert library._providers.llm.models() == ["small", "large"]
            for path in ("direct", "agent"):
                library.ask(
                    "When did the pier open?",
                    path=path,
                    manner=Manner(model="large", instructions="Be brief."),
                )
            library.ask("When did the pier open?", path="direct")
    assert [chat["model"] for chat in server.chats][-1] == "small"
    asked = [chat for chat in server.chats if chat["model"] == "large"]
    assert len(asked) >= 2 and all("Be brief." in chat["messages"][0]["content"] for chat in asked)
    assert "Be brief." not in server.chats[-1]["messages"][0]["content"]


def test_a_question_that_says_something_else_than_the_message_is_not_taken_for_it(server, llm):
    says(server, aim="documents", question=QUESTION)
    assert read_message("How long is the tunnel?", HISTORY, llm).standalone == "How long is the tunnel?"
    says(server, aim="conversation", question=QUESTION)
    assert read_message("How many lanes has the tunnel?", HISTORY, llm).aim == "documents"


def test_what_stands_together_is_shown_together_in_the_order_of_the_text():
    """The numbers stay those of the evidence; the place is told once."""
    where = {"document": "law.md", "path": ("law", "Fines"), "page": None, "article": "Article 7"}

    def of_law(number, text, position):
        item = evidence(number, text, position=position, **where)
        return replace(item, hit=replace(item.hit, document_id="law"))

    found = [
        of_law(1, "(b) oaks: 20", 3), evidence(2, "The bridge is long."), of_law(3, "Article 7 Fines are", 1),
        of_law(4, "(a) elms: 10", 2),
    ]  # fmt: skip
    assert arranged(found).splitlines() == [
        '<evidence n="3" source="law.md / Fines / Article 7">', "Article 7 Fines are", "</evidence>",
        '<evidence n="4">', "(a) elms: 10", "</evidence>",
        '<evidence n="1">', "(b) oaks: 20", "</evidence>",
        '<evidence n="2" source="bridge.pdf / 1 History, p. 1">', "The bridge is long.", "</evidence>",
    ]  # fmt: skip


def test_a_table_that_is_shown_in_part_says_how_many_of_its_rows_are_shown():
    rows = [["Berth", "Fee"], *([f"Berth {n}", str(n)] for n in range(1, 31))]
    text = "\n".join(" | ".join(row) for row in rows)
    node = Node("n1", None, "table", text=text, metadata={"rows": rows, "header_rows": 1})
    whole = evidence(1, text, role="table", table=node)
    part = evidence(1, "Berth | Fee\nBerth 7 | 7\nBerth 9 | 9", role="table", table=node)
    assert "(2 of 30 rows are shown)" in arranged([part]) and "rows are shown" not in arranged([whole])
