from collections.abc import Iterator

import pytest

from engine.ingest import Source
from engine.library import Library
from pages.widgets import lab, trial
from tests.pages.page_texts import texts_of
from tests.pages.shelves import shelved

ORCHARD = """# Orchard report

## Apples

The orchard gave nine tons of apples. Table 1 shows the harvest.

Table 1: Harvest by year

| Year | Tons |
| --- | --- |
| 2024 | 8 |
| 2025 | 9 |

## Pears

The pear trees gave two tons in October.
"""
QUESTION = "How many tons of apples does Table 1 show?"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with shelved(tmp_path_factory.mktemp("lab") / "shelf") as library:
        library.add([Source("orchard.md", ORCHARD.encode()), Source("员工.md", "# 手册\n\n年假十五天。".encode())])
        yield library


@pytest.fixture
def reset(shelf: Library) -> Iterator[Library]:
    yield shelf
    shelf.update_settings({"retrieval.fusion.bm25f": 0.35})
    for one in shelf.questions.list("local"):
        shelf.questions.delete(one.question_id, "local")


def node_of(shelf: Library, words: str, document: str = "orchard.md") -> str:
    return next(node.node_id for node in shelf.tree(document).nodes if words in node.text)


def test_without_a_question_the_lab_offers_some(shelf: Library, open_page):
    app = open_page("retrieval_lab")
    assert not [one for one in app.radio if one.key == "lab.view"]
    app.button(key="lab.example.0").click().run()
    assert app.query_params["q"]
    assert app.radio(key="lab.view").value == "scores"


def test_a_question_is_typed_and_stands_in_the_address(shelf: Library, open_page):
    app = open_page("retrieval_lab")
    app.text_input[0].set_value("  apples   and pears ")
    app.selectbox[0].set_value("fulltext")
    next(one for one in app.button if one.label == "Search").click().run()
    assert (app.query_params["q"], app.query_params["mode"]) == ("apples and pears", "fulltext")
    assert not app.exception


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_every_view_opens_by_its_address(shelf: Library, open_page, locale):
    app = open_page("retrieval_lab", locale, q="apples")
    for view in lab.VIEWS:
        app.radio(key="lab.view").set_value(view).run()
        assert not app.exception and not app.error
        assert app.query_params.get("view", "scores") == view


def test_an_exact_search_has_its_views_too(shelf: Library, open_page):
    app = open_page("retrieval_lab", q="nine tons", mode="keyword")
    for view in lab.VIEWS:
        app.radio(key="lab.view").set_value(view).run()
        assert not app.exception and not app.error


@pytest.mark.parametrize(
    "odd",
    [
        {"view": "nonsense"},
        {"mode": "magic"},
        {"doc": "none"},
        {"node": "n0"},
        {"q": "x" * 9000},
        {"q": "???"},
    ],
)
def test_an_address_that_makes_no_sense_breaks_nothing(shelf: Library, open_page, odd):
    assert not open_page("retrieval_lab", **({"q": "apples"} | odd)).exception


def test_what_was_understood_is_told(shelf: Library, open_page):
    told = texts_of(open_page("retrieval_lab", q=QUESTION, view="understood"))
    assert "Table 1" in told and "look up a value" in told


def test_a_missing_passage_is_explained_stage_by_stage(shelf: Library, open_page):
    app = open_page("retrieval_lab", q="apples", node=node_of(shelf, "pear trees"))
    assert app.radio(key="lab.view").value == "why"
    told = texts_of(app)
    assert "It is not among the results." in told or "It is result number" in told
    assert "shares no word with the question" in told


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("How many tons of pears did the trees give?", "orchard.md"),
        ("年假有几天？", "员工.md"),
        ("员工手册以外，orchard 里的苹果有多少吨？", "orchard.md"),
    ],
)
def test_why_not_here_opens_on_the_document_that_the_question_is_about(shelf: Library, open_page, question, document):
    app = open_page("retrieval_lab", q=question, view="why")
    chosen = next(one for one in app.selectbox if "why.document" in one.key)
    assert chosen.value == shelf.document(document).document_id


def test_a_passage_is_chosen_by_its_document_and_words(shelf: Library, open_page):
    app = open_page("retrieval_lab", "zh-CN", q="apples", view="why")
    app.selectbox(key=next(one.key for one in app.selectbox if "why.document" in one.key)).set_value(
        shelf.document("员工.md").document_id
    ).run()
    app.text_input(key="why.words").set_value("年假 十五").run()
    chooser = next(one for one in app.selectbox if "why.node" in one.key)
    assert len(chooser.options) == 1
    chooser.set_value(node_of(shelf, "年假", "员工.md")).run()
    assert "它与问题没有共同的词" in texts_of(app)
    assert app.query_params["node"]


def test_settings_are_tried_and_used_only_when_asked(reset: Library, open_page):
    app = open_page("retrieval_lab", q="apples")
    app.toggle(key="lab.settings").set_value(True).run()
    next(one for one in app.number_input if one.label == "Weight of words").set_value(0.9)
    next(one for one in app.button if one.label == "Try").click().run()
    assert not app.exception
    assert app.session_state[trial._CHANGES] == {"retrieval.fusion.bm25f": 0.9}
    assert reset.settings.retrieval.fusion.bm25f == 0.35
    app.button(key="trial.use").click().run()
    assert reset.settings.retrieval.fusion.bm25f == 0.9
    assert "trial.use" not in {button.key for button in app.button}


def test_tried_settings_are_dropped(reset: Library, open_page):
    app = open_page("retrieval_lab", q="apples")
    app.toggle(key="lab.settings").set_value(True).run()
    next(one for one in app.number_input if one.label == "Weight of meaning").set_value(0.2)
    next(one for one in app.button if one.label == "Try").click().run()
    assert app.session_state[trial._CHANGES] == {"retrieval.fusion.dense": 0.2}
    app.button(key="trial.reset").click().run()
    assert trial._CHANGES not in app.session_state
    assert reset.settings.retrieval.fusion.dense == 0.45


def test_a_number_out_of_its_bounds_is_not_tried(reset: Library, open_page):
    app = open_page("retrieval_lab", q="apples")
    app.toggle(key="lab.settings").set_value(True).run()
    next(one for one in app.number_input if one.label == "Weight of words").set_value(1.5)
    next(one for one in app.button if one.label == "Try").click().run()
    assert not app.session_state[trial._CHANGES]


def test_the_window_around_a_passage_is_tried_like_any_other_number(reset: Library, open_page):
    app = open_page("retrieval_lab", q=QUESTION)
    app.toggle(key="lab.settings").set_value(True).run()
    next(one for one in app.number_input if one.label == "Neighbouring passages that may be added").set_value(0)
    next(one for one in app.button if one.label == "Try").click().run()
    assert app.session_state[trial._CHANGES] == {"retrieval.window": 0}


def test_a_passage_is_saved_for_evaluation_from_its_journey(reset: Library, open_page):
    node = node_of(reset, "nine tons")
    app = open_page("retrieval_lab", q=QUESTION, node=node)
    app.button(key="why.save").click().run()
    (saved,) = reset.questions.list("local")
    assert (saved.text, [one.node_id for one in saved.expected]) == (QUESTION, [node])


def test_an_answer_leads_to_the_lab_and_is_saved_with_its_sources(reset: Library, open_page):
    question = "How many tons of apples did the orchard give?"
    answer = reset.ask(question)
    talk = reset.conversations.create("local", "apples").conversation_id
    reset.conversations.append("local", talk, "user", question)
    given = reset.conversations.append("local", talk, "assistant", answer.answer, answer=answer.to_dict())
    app = open_page("chat", conversation=talk)
    links = {link.label: link.proto.query_string for link in app.page_link}
    assert links["Open in the lab"].startswith("q=How")
    app.button(key=f"save.{given.message_id}").click().run()
    (saved,) = reset.questions.list("local")
    assert saved.text == question
    assert [one.node_id for one in saved.expected] == list(dict.fromkeys(one.node_id for one in answer.sources))
