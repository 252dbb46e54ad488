from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from engine.ingest import Source
from engine.interfaces.identity import LOCAL_OWNER
from engine.library import Library
from engine.model import Answer, Filters, Message
from pages.widgets import model_form
from pages.widgets.conversation import answer_text
from storage.topics import StoredTopic, TopicLink
from tests.openai_server import OpenAiServer
from tests.pages.page_texts import texts_of
from tests.pages.shelves import new_app, shelved
from tests.web_search_server import WebSearchServer

NOTE = (
    b"# Harvest 2023\n\n## Apples\n\nThe orchard gave nine tons of apples in 2023.\n\n"
    b"## Storage\n\nThe cellar keeps four tons of fruit over the winter.\n"
)


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with shelved(tmp_path_factory.mktemp("chat") / "shelf") as library:
        library.add([Source("harvest.md", NOTE)])
        yield library


@pytest.fixture
def shelf(stocked: Library) -> Library:
    for conversation in stocked.conversations.list(LOCAL_OWNER):
        stocked.conversations.delete(LOCAL_OWNER, conversation.conversation_id)
    return stocked


def messages(shelf: Library) -> list[Message]:
    conversations = shelf.conversations.list(LOCAL_OWNER)
    assert len(conversations) == 1
    return list(shelf.conversations.get(LOCAL_OWNER, conversations[0].conversation_id)[1])


def test_a_question_is_answered_stored_and_named_in_the_address(shelf: Library, open_page):
    app = open_page("chat")
    app.chat_input(key="chat.input").set_value("How many tons of apples did the orchard give?").run()
    question, answer = messages(shelf)
    assert question.text == "How many tons of apples did the orchard give?"
    assert answer.state == "done" and "nine tons" in answer.text
    assert "**nine tons** of apples" in texts_of(app)
    assert app.query_params["conversation"] == question.conversation_id


def test_a_reload_shows_the_same_conversation(shelf: Library, open_page):
    open_page("chat").chat_input(key="chat.input").set_value("How many tons of apples?").run()
    conversation = messages(shelf)[0].conversation_id
    app = open_page("chat", conversation=conversation)
    assert "How many tons of apples?" in texts_of(app).replace("\\", "")
    assert "nine tons" in texts_of(app)


def test_a_citation_mark_links_to_its_place(shelf: Library, open_page):
    app = open_page("chat")
    app.chat_input(key="chat.input").set_value("How many tons of apples did the orchard give?").run()
    source = messages(shelf)[1].answer["sources"][0]
    answer = next(element.value for element in app.markdown if "blue-badge[1]" in element.value)
    assert f"document?doc={source['document_id']}" in answer and source["node_id"] in answer


def test_an_answer_that_is_not_in_the_documents_is_told_calmly(shelf: Library, open_page):
    app = open_page("chat")
    app.chat_input(key="chat.input").set_value("Who won the football world cup in Brazil?").run()
    assert "Not in these documents" in texts_of(app)
    assert "Nothing in the documents comes close." in texts_of(app)
    app.chat_input(key="chat.input").set_value("Who planted the apples of the orchard?").run()
    near = next(element.value for element in app.markdown if "These passages come closest" in element.value)
    assert "blue-badge[1]" in near
    assert not app.error


def test_what_to_do_about_a_refusal_is_said_once(shelf: Library, open_page):
    app = open_page("chat")
    for question in ("Who won the football world cup in Brazil?", "Who painted the Mona Lisa?"):
        app.chat_input(key="chat.input").set_value(question).run()
    assert texts_of(app).count("Not in these documents") == 2
    assert texts_of(app).count("Try other words, or add a document") == 1


def test_a_model_that_runs_on_this_machine_is_offered_and_used(shelf: Library, open_page):
    try:
        running = OpenAiServer(key=None, models=("qwen3:4b",), port=1234)
    except OSError:
        pytest.skip("port 1234 is in use on this machine")
    model_form._running.clear()
    with running:
        app = open_page("chat")
        assert "A language model runs on this machine" in texts_of(app)
        app.button(key="local.use.0").click().run()
    model_form._running.clear()
    assert shelf.settings.llm.model == "qwen3:4b"
    shelf.update_settings({"llm.api_base": "", "llm.model": ""})


def test_suggestions_come_from_the_titles_and_are_answered_with_a_click(shelf: Library, open_page):
    app = open_page("chat")
    app.button(key="suggestion.0").click().run()
    question, answer = messages(shelf)
    assert question.text in ("What does “Apples” say?", "What does “Storage” say?")
    assert answer.answer["answered"] and "tons" in answer.text


def test_a_topic_of_the_question_is_switched_on_and_off(shelf: Library, open_page):
    shelf.topics.refresh()
    topic = shelf.topics.known().browsed[0].topic_id
    open_page("chat").chat_input(key="chat.input").set_value("How many tons of apples?").run()
    answer = messages(shelf)[1]
    app = open_page("chat", conversation=answer.conversation_id)
    chips = f"chips.{answer.message_id}"
    app.get_by_key(chips).set_value([topic]).run()
    assert app.session_state["chat.scope.chosen"].topics == (topic,)
    app.get_by_key(chips).set_value([]).run()
    assert app.session_state["chat.scope.chosen"].topics == ()


def test_a_bad_answer_leads_to_where_the_right_passage_is_found(shelf: Library, open_page):
    open_page("chat").chat_input(key="chat.input").set_value("How many tons of apples?").run()
    answer = messages(shelf)[1]
    shelf.conversations.update(LOCAL_OWNER, answer.message_id, rating=-1)
    links = open_page("chat", conversation=answer.conversation_id).page_link
    assert "q=How+many+tons+of+apples%3F&view=why" in [link.proto.query_string for link in links]


def test_the_passage_that_is_right_is_saved_beside_the_bad_answer_with_what_was_wrong(shelf: Library, open_page):
    open_page("chat").chat_input(key="chat.input").set_value("How many tons of apples?").run()
    question, answer = messages(shelf)
    shelf.conversations.update(LOCAL_OWNER, answer.message_id, rating=-1)
    right = answer.answer["sources"][0]["node_id"]
    app = open_page("chat", conversation=answer.conversation_id, turn=answer.message_id, node=right)
    shelf.conversations.choose(LOCAL_OWNER, answer.conversation_id, **{answer.message_id: "incomplete"})
    app.run().button(key="beside.right").click().run()
    (saved,) = shelf.questions.list(LOCAL_OWNER)
    assert (saved.text, saved.kind, saved.expected[0].node_id) == (question.text, "Incomplete", right)
    assert "beside.right" not in {button.key for button in app.button}
    assert "Compare settings on all saved questions" in {link.label for link in app.page_link}
    shelf.questions.delete(saved.question_id, LOCAL_OWNER)


def what_was_wrong(conversation_id: str) -> None:
    """What stands in the dialog, which AppTest does not open, drawn on a page of its own."""
    from pages.widgets.question_set import ask_what
    from pages.widgets.services import library, owner

    ask_what(library().conversations.get(owner(), conversation_id)[1][1])


def test_what_was_wrong_with_an_answer_is_kept_by_one_press_and_there_at_the_next_visit(shelf: Library, open_page):
    open_page("chat").chat_input(key="chat.input").set_value("How many tons of apples?").run()
    answer = messages(shelf)[1]
    shelf.conversations.update(LOCAL_OWNER, answer.message_id, rating=-1)
    dialog = new_app(what_was_wrong, answer.conversation_id).run()
    dialog.get_by_key(f"wrong_answer.{answer.message_id}").set_value("false_warning").run()
    assert "A warning or mark on it is false" in texts_of(open_page("chat", conversation=answer.conversation_id))


def test_a_follow_up_stays_in_the_conversation(shelf: Library, open_page):
    app = open_page("chat")
    app.chat_input(key="chat.input").set_value("How many tons of apples?").run()
    app.chat_input(key="chat.input").set_value("How much fruit does the cellar keep?").run()
    assert [message.role for message in messages(shelf)] == ["user", "assistant", "user", "assistant"]


def test_the_conversation_of_another_owner_is_not_shown(shelf: Library, open_page):
    other = shelf.conversations.create("someone else", "Secret plans")
    app = open_page("chat", conversation=other.conversation_id)
    assert "Secret plans" not in texts_of(app)
    assert "does not exist" in texts_of(app)


def test_an_answer_that_a_restart_cut_off_can_be_asked_again(shelf: Library, open_page):
    conversation = shelf.conversations.create(LOCAL_OWNER, "Apples")
    shelf.conversations.append(LOCAL_OWNER, conversation.conversation_id, "user", "How many tons of apples?")
    shelf.conversations.append(LOCAL_OWNER, conversation.conversation_id, "assistant", "", state="running")
    app = open_page("chat", conversation=conversation.conversation_id)
    assert "interrupted" in texts_of(app)
    next(button for button in app.button if button.key.startswith("again.")).click().run()
    assert messages(shelf)[-1].state == "done"


@pytest.mark.parametrize("remarks", [["It *may* be about another lease."], ["It may be.", "Or not."]])
def test_a_single_remark_stands_below_an_answer_and_several_are_folded(shelf: Library, open_page, remarks):
    made = Answer("Nine tons.", "direct", "medium", True, [], warnings=remarks)
    conversation = shelf.conversations.create(LOCAL_OWNER, "Apples")
    shelf.conversations.append(LOCAL_OWNER, conversation.conversation_id, "user", "How many tons of apples?")
    shelf.conversations.append(
        LOCAL_OWNER, conversation.conversation_id, "assistant", made.answer, answer=made.to_dict()
    )
    app = open_page("chat", conversation=conversation.conversation_id)
    told = [caption.value for caption in app.caption if "may" in caption.value]
    folded = [one.label for one in app.expander if "remark" in one.label]
    if len(remarks) == 1:
        assert "It \\*may\\* be about another lease" in told[0] and not folded
    else:
        assert not told and folded == ["2 remarks"]


def test_a_question_can_be_limited_to_a_document(shelf: Library, open_page):
    shelf.add(
        [
            Source("harvest.md", NOTE),
            Source("winter.md", b"# Winter\n\nThe cellar keeps four tons of fruit.\n"),
        ]
    )
    winter = shelf.document("winter.md")
    app = open_page("chat", about=winter.document_id)
    app.chat_input(key="chat.input").set_value("How many tons?").run()
    assert {source["document"] for source in messages(shelf)[1].answer["sources"]} <= {"winter.md"}


def test_a_conversation_can_be_renamed_and_deleted(shelf: Library, open_page):
    conversation = shelf.conversations.create(LOCAL_OWNER, "Old name")
    shelf.conversations.rename(LOCAL_OWNER, conversation.conversation_id, "New **name**")
    app = open_page("chat", conversation=conversation.conversation_id)
    assert app.subheader[0].value == "New \\*\\*name\\*\\*"


def test_asking_again_replaces_the_answer_and_keeps_what_it_was_limited_to(shelf: Library, open_page):
    conversation = shelf.conversations.create(LOCAL_OWNER, "Apples")
    limited = Filters(documents=(shelf.document("harvest.md").document_id,))
    talk = conversation.conversation_id
    shelf.conversations.append(LOCAL_OWNER, talk, "user", "How many tons of apples?", filters=limited)
    shelf.conversations.append(LOCAL_OWNER, talk, "assistant", "Half", state="stopped")
    app = open_page("chat", conversation=talk)
    assert "harvest\\.md" in texts_of(app)
    next(button for button in app.button if button.key.startswith("again.")).click().run()
    question, answer = messages(shelf)
    assert question.filters == limited
    assert answer.state == "done" and "nine tons" in answer.text


def test_only_the_last_answer_can_be_asked_again(shelf: Library, open_page):
    conversation = shelf.conversations.create(LOCAL_OWNER, "Apples").conversation_id
    for number in range(2):
        shelf.conversations.append(LOCAL_OWNER, conversation, "user", f"How many tons? {number}")
        shelf.conversations.append(LOCAL_OWNER, conversation, "assistant", "Half", state="stopped")
    app = open_page("chat", conversation=conversation)
    assert len([button for button in app.button if button.key.startswith("again.")]) == 1


def test_the_path_of_a_question_can_be_chosen(shelf: Library, open_page):
    app = open_page("chat")
    app.radio(key="chat.path").set_value("agent").run()
    app.chat_input(key="chat.input").set_value("How many tons of apples?").run()
    assert messages(shelf)[1].answer["mode"] == "agent"


def test_a_conversation_keeps_its_own_model_and_instructions(shelf: Library, open_page):
    with OpenAiServer(models=("small", "large")) as server:
        shelf.update_settings({"llm.api_base": server.base_url, "llm.api_key": server.key, "llm.model": "small"})
        server.default = "It gave nine tons [1]."
        try:
            app = open_page("chat")
            app.selectbox(key="chat.model..model").set_value("large").run()
            app.text_area(key="chat.model..instructions").set_value("Be brief.").run()
            app.chat_input(key="chat.input").set_value("How many tons did the orchard give?").run()
            assert "nine tons" in texts_of(app) and "Answer settings: large" in popovers(app)
            open_page("chat").chat_input(key="chat.input").set_value("How much does the cellar keep?").run()
        finally:
            shelf.update_settings({"llm.api_base": "", "llm.api_key": "", "llm.model": ""})
    assert server.chats[0]["model"] == "large" and server.chats[-1]["model"] == "small"
    assert "Be brief." in server.chats[0]["messages"][0]["content"]


def test_a_conversation_has_a_model_of_another_endpoint_and_its_own_style_language_and_temperature(
    shelf: Library, open_page
):
    with OpenAiServer(models=("small",)) as server, OpenAiServer(key="sk-2", models=("spare-1",)) as spare:
        server.default = spare.default = "It gave nine tons [1]."
        addresses = {"llm.api_base": server.base_url, "llm.api_key": server.key, "llm.model": "small"}
        named = {"endpoints.spare.api_base": spare.base_url, "endpoints.spare.api_key": spare.key}
        shelf.update_settings(addresses | named)
        try:
            app = open_page("chat")
            app.selectbox(key="chat.model..model").set_value("spare-1 · spare").run()
            app.segmented_control(key="chat.model..style").set_value("table").run()
            app.selectbox(key="chat.model..language").set_value("German").run()
            app.slider(key="chat.model..temperature").set_value(0.9).run()
            app.chat_input(key="chat.input").set_value("How many tons did the orchard give?").run()
            assert "nine tons" in texts_of(app) and "Answer settings: spare-1, As a table, Deutsch" in popovers(app)
            again = open_page("chat", conversation=messages(shelf)[0].conversation_id)  # at the next visit
            assert "Answer settings: spare-1, As a table, Deutsch" in popovers(again)
        finally:
            shelf.update_settings(dict.fromkeys([*addresses, *named], ""))
    assert not server.chats
    chat = spare.chats[0]
    told = chat["messages"][0]["content"]
    assert chat["temperature"] == 0.9 and "Markdown table" in told and "Write in German" in told


def test_a_question_may_be_limited_to_a_topic_which_the_conversation_keeps(shelf: Library, open_page):
    shelf.add([Source("quay.md", b"# Quay\n\nThe quay is forty metres long. Ships pay a fee.\n")])
    links = {d.document_id: [TopicLink(d.document_id, "t1", 0.9, 1)] for d in shelf.documents()}
    shelf.storage.topics.save([StoredTopic("t1", "Harbour")], links)
    shelf.topics.rename("t1", "Fruit and fees")
    app = open_page("chat")
    next(one for one in app.multiselect if one.label == "Topics").set_value(["t1"]).run()
    assert "Topic: Fruit and fees" in popovers(app)
    app.chat_input(key="chat.input").set_value("How many tons of apples did the orchard give?").run()
    question, answer = messages(shelf)
    assert question.filters == Filters(topics=("t1",))
    assert "nine tons" in answer.text
    shelf.topics.rename("t1", "Orchard")
    again = open_page("chat", conversation=question.conversation_id)
    assert "Topic: Orchard" in texts_of(again) and "Topic: Orchard" in popovers(again)
    shelf.remove("quay.md")


def popovers(app) -> list[str]:
    """Return what the buttons of the popovers say."""
    return [block.proto.popover.label.replace("\\", "") for block in app.get("popover")]


def test_what_the_web_says_stands_apart_below_what_the_documents_do_not_tell(shelf: Library, open_page):
    moon = {"title": "The *Moon*", "url": "https://moon.example/far", "content": "<b>384,400</b> km [1]"}
    with WebSearchServer() as web:
        web.results = [moon]
        shelf.update_settings({"agent.enable_web_search": True, "web_search.api_base": web.url})
        app = open_page("chat")
        app.chat_input(key="chat.input").set_value("How far away is the moon?").run()
        shelf.update_settings({"agent.enable_web_search": False, "web_search.api_base": ""})
    text = texts_of(app)
    assert "From the web" in text and "not checked" in text
    assert "\\<b\\>384\\,400" in text  # as text, whatever it looks like
    assert _links(app) == [moon["url"]]
    (_, answer) = messages(shelf)
    assert answer.answer and answer.answer["web_sources"][0]["title"] == "The *Moon*"
    assert f"[W1] The *Moon* <{moon['url']}>" in answer_text(answer)


def _links(app: AppTest) -> list[str]:
    found, open_ = [], [app._tree]
    while open_:
        one = open_.pop()
        if (proto := getattr(one, "proto", None)) is not None and type(proto).__name__ == "LinkButton":
            found.append(proto.url)
        open_ += getattr(one, "children", {}).values()
    return found
