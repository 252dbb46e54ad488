"""Questions of several hops, answered without a model: each description is looked up and named, then asked on."""

import pytest
from agent_library import Steps, desk_of, library

from engine.answer.agent.resolving import found_for, named, speaking_of
from engine.answer.answerer import answer
from engine.answer.phrases import phrases_for
from engine.answer.similarity import SentenceSimilarity
from engine.errors import CancelledError, ProviderError
from engine.ingest import Source
from engine.library import Library
from engine.providers.reading import open_reader
from engine.retrieve.pack import Retrieved
from engine.settings_sources import load_settings
from tests.openai_server import evidence_in

TEXTS = {
    "Orwell Motors": "Orwell Motors was a maker of sports cars, founded in 1922 by Lionel Ashgrove in Tolbridge.",
    "Falcon Motors": "Falcon Motors was a maker of trucks, founded in 1919 by Otis Greeley in Toledo.",
    "Lionel Ashgrove": "Lionel Ashgrove was a racing driver. He married the aviator Beatrix Moll in 1929.",
    "Otis Greeley": "Otis Greeley was an industrialist. He married the singer Maude Lacey in 1903.",
    "Beatrix Moll": "Beatrix Moll was an aviator who flew alone to Cape Town. She was born in Sankt Radegund.",
    "Maude Lacey": "Maude Lacey was a singer. She was born in Duluth, the daughter of a grocer.",
    "Tolbridge": "Tolbridge is a market town. Its mayor since 2016 has been Daphne Orrell.",
    "Nimbus 4": "Nimbus 4 is a weather satellite. Its principal instrument was built by Halvard Optics.",
    "山谷来信": "《山谷来信》是作家祁漱石1987年出版的长篇小说，获得第三届松涛文学奖。",
    "祁漱石": "祁漱石，1949年生于镇岩县，毕业于临澜大学中文系，后任教于该校。",
    "临澜大学": "临澜大学位于东苇市，1926年由实业家倪仲谋创办，首任校长为物理学家韦鹤年。",
    "Bread": "Rye bread bakes for an hour and keeps for a week.",
    "Weather": "The weather of the coast is mild, with fog in spring.",
}


BRANCHES = """# Branches

| Branch | Manager | Opened |
| --- | --- | --- |
| Lisbon | Ana Prado | 2011 |
| Porto | Rui Teles | 2014 |
"""
STAFF = """# Staff

| Name | Phone | Born in |
| --- | --- | --- |
| Ana Prado | 555-0101 | Braga |
| Rui Teles | 555-0102 | Evora |
"""
SHOPS = """# 分店

| 分店 | 店长 | 开业 |
| --- | --- | --- |
| 青湖店 | 陆小舟 | 2011 |
| 东桥店 | 方敬 | 2014 |
"""
PEOPLE = """# 通讯录

| 姓名 | 电话 | 籍贯 |
| --- | --- | --- |
| 陆小舟 | 5550101 | 绍兴 |
| 方敬 | 5550102 | 扬州 |
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    texts = {"branches.md": BRANCHES, "staff.md": STAFF, "shops.md": SHOPS, "people.md": PEOPLE}
    with Library.open(tmp_path_factory.mktemp("tables") / "shelf", background=False) as opened:
        opened.add([Source(name, text.encode()) for name, text in texts.items()])
        opened.embed_pending()
        yield opened


@pytest.mark.parametrize(
    ("question", "rows", "value"),
    [
        (
            "What is the phone number of the manager of the Lisbon branch?",
            ["Lisbon", "Ana Prado"],
            "555-0101",
        ),
        ("Where was the manager of the Porto branch born?", ["Porto", "Rui Teles"], "Evora"),
        ("东桥店店长的籍贯是哪里？", ["东桥店", "方敬"], "扬州"),
    ],
)
def test_one_table_names_what_another_is_asked_about(tables, question, rows, value):
    made = tables.ask(question)
    assert value in made.answer and made.confidence == "medium"
    assert [source.snippet.split(" | ")[0] for source in made.sources] == rows
    assert [source.n for source in made.sources] == [1, 2] and "[1]" in made.answer and "[2]" in made.answer


def test_who_is_in_no_table_is_not_made_up(tables):
    assert not tables.ask("What is the phone number of the cleaner of the Lisbon branch?").answered


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    folder = tmp_path_factory.mktemp("resolving")
    with library(folder, TEXTS, load_settings(folder, environ={})) as opened:
        opened.embed_pending()
        yield opened


def resolved(lib, question, steps=None, reader=None):
    similarity = SentenceSimilarity(lib.embedder)
    return named(question, desk_of(lib), reader or open_reader(), similarity, phrases_for(question), steps)


@pytest.mark.parametrize(
    ("question", "asked", "names"),
    [
        (
            "Where was the wife of the founder of Orwell Motors born?",
            "Where was Beatrix Moll born?",
            ["Lionel Ashgrove", "Beatrix Moll"],
        ),
        (
            "Who is the mayor of the town where Orwell Motors was founded?",
            "Who is the mayor of Tolbridge?",
            ["Tolbridge"],
        ),
        ("《山谷来信》的作者毕业的大学的首任校长是谁？", "临澜大学的首任校长是谁？", ["祁漱石", "临澜大学"]),
    ],
)
def test_descriptions_are_named_from_the_innermost_outwards(lib, question, asked, names):
    found = resolved(lib, question)
    assert [hop.name for hop in found.hops] == names and found.asked == asked
    for hop in found.hops:
        assert hop.name in hop.passage.text[hop.start : hop.end]


def test_what_no_passage_tells_stays_as_it_is(lib):
    found = resolved(lib, "Where was the drummer of the founder of Orwell Motors born?")
    assert found.asked == "Where was the drummer of Lionel Ashgrove born?"
    assert resolved(lib, "Where was the founder of Kestrel Motors born?") is None
    assert resolved(lib, "When does the bread bake?") is None


def test_a_passage_on_another_thing_of_the_kind_names_nothing(lib):
    found = found_for("the founder of Kestrel Motors", desk_of(lib))
    assert found and not speaking_of("the founder of Kestrel Motors", found)
    assert not speaking_of("the Orwell Motors of 1931", found)


def test_the_trace_tells_each_description_and_what_it_is(lib):
    steps = Steps()
    resolved(lib, "Where was the wife of the founder of Orwell Motors born?", steps)
    summaries = [summary for kind, *_, summary in steps.seen if kind == "action"]
    assert summaries == [
        "the founder of Orwell Motors: Lionel Ashgrove",
        "the wife of Lionel Ashgrove: Beatrix Moll",
    ]


@pytest.mark.parametrize(
    ("question", "answered", "documents"),
    [
        (
            "Where was the wife of the founder of Orwell Motors born?",
            "Sankt Radegund",
            ["Orwell Motors", "Lionel Ashgrove", "Beatrix Moll"],
        ),
        ("《山谷来信》的作者毕业的大学的首任校长是谁？", "韦鹤年", ["山谷来信", "祁漱石", "临澜大学"]),
    ],
)
def test_every_hop_is_quoted_in_its_order(lib, question, answered, documents):
    made = lib.ask(question)
    assert made.answered and answered in made.answer and made.confidence == "medium"
    cited = [one.document.removesuffix(".txt") for one in made.sources]
    assert list(dict.fromkeys(cited)) == documents
    assert [made.answer.index(f"[{n}]") for n in range(1, len(cited) + 1)] == sorted(
        made.answer.index(f"[{n}]") for n in range(1, len(cited) + 1)
    )


def test_a_last_hop_that_nobody_tells_is_refused(lib):
    made = lib.ask("How many medals did the wife of the founder of Orwell Motors win?")
    assert not made.answered


def test_the_search_in_rounds_keeps_the_passages_of_all_hops(lib):
    hits = lib.gather("Where was the wife of the founder of Orwell Motors born?", top_k=4).hits
    kept = {hit.document.removesuffix(".txt") for hit in hits}
    assert kept >= {"Orwell Motors", "Lionel Ashgrove", "Beatrix Moll"}


class NoReader:
    """A reader whose weights are gone."""

    name = "none"

    def read(self, question, passages):
        raise ProviderError("The reader's weights are missing.")


def test_without_the_reader_nothing_is_named_and_the_answer_still_comes(lib):
    question = "Where was the wife of the founder of Orwell Motors born?"
    assert resolved(lib, question, reader=NoReader()) is None
    result = lib.search(question)
    made = answer(
        question, retrieve=lambda query: Retrieved(result, []), llm=None, embedder=None, settings=lib.settings,
        desk=desk_of(lib), reader=NoReader(),
    )  # fmt: skip
    assert made.answer


def test_a_model_is_given_the_passages_of_all_hops(server, tmp_path):
    flags = {"llm.api_base": server.base_url, "llm.api_key": server.key}
    few = {title: TEXTS[title] for title in list(TEXTS)[:8]}
    noise = {f"Note {n}": f"Orwell Motors sold {n} cars in spring." for n in range(30)}
    with library(tmp_path, few | noise, load_settings(tmp_path, environ={}, flags=flags)) as opened:
        opened.embed_pending()
        server.default = "She was born in Sankt Radegund [1]."
        made = opened.ask("Where was the wife of the founder of Orwell Motors born?")
    given = " ".join(text for chat in server.chats for text in evidence_in(chat))
    assert all(text in given for text in ("by Lionel Ashgrove", "married the aviator", "in Sankt Radegund"))
    assert made.answered


def test_no_more_is_named_than_there_are_rounds(lib):
    question = "Where was the wife of the founder of Orwell Motors born?"
    found = named(question, desk_of(lib), open_reader(), None, phrases_for(question), rounds=1)
    assert [hop.name for hop in found.hops] == ["Lionel Ashgrove"]


def test_a_cancelled_question_looks_nothing_up_any_more(lib):
    looked_up = []

    def seen(kind, content, tool=None, params=None, summary=None):
        looked_up.append(tool)

    question = "Where was the wife of the founder of Orwell Motors born?"
    with pytest.raises(CancelledError):
        named(
            question, desk_of(lib), open_reader(), None, phrases_for(question), seen, lambda: bool(looked_up)
        )
    assert looked_up == [None, "hybrid_search"]
    made = lib.ask(question, cancelled=lambda: True)
    assert not made.answered


def test_reading_can_be_switched_off(lib):
    agent = lib.settings.agent
    off = agent.model_copy(
        update={"quality_check": agent.quality_check.model_copy(update={"use_reader": False})}
    )
    hits = lib.gather(
        "Where was Beatrix Moll born?", settings=lib.settings.model_copy(update={"agent": off})
    ).hits
    assert hits[0].document == "Beatrix Moll.txt"
