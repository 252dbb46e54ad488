"""A shared conversation, or one answer of it, as a stranger sees it."""

from engine.ingest import Source
from engine.interfaces import identity
from engine.interfaces.shared_links import SharedLinks
from engine.library import Library
from pages.widgets import services
from tests.pages.page_texts import texts_of
from tests.pages.shelves import new_app

NOTE = b"# Harvest\n\nThe orchard gave nine tons of apples in 2023.\n"
QUESTION = "How many tons of apples did the orchard give?"


def shared(shelf: Library, open_page) -> tuple[str, str]:
    shelf.add([Source("harvest.md", NOTE)])
    app = open_page("chat")
    app.chat_input(key="chat.input").set_value(QUESTION).run()
    conversation = app.query_params["conversation"]
    conversation = conversation if isinstance(conversation, str) else conversation[0]
    return conversation, SharedLinks(shelf.folder).begin(identity.LOCAL_OWNER, conversation)


def test_a_stranger_reads_a_shared_conversation_and_can_do_no_more(shelf: Library, open_page, monkeypatch):
    conversation, secret = shared(shelf, open_page)
    assert "This conversation is not shared" in texts_of(open_page("chat", shared=secret))
    shelf.update_settings({"access": {"shared_links": True}})
    monkeypatch.setattr(services, "owner", lambda: "a stranger")
    app = open_page("chat", shared=secret)
    assert "nine tons" in texts_of(app) and "of apples did the orchard give" in texts_of(app)
    assert not app.chat_input and not app.button and not app.exception
    shelf.conversations.delete(identity.LOCAL_OWNER, conversation)
    assert "This conversation is not shared" in texts_of(open_page("chat", shared=secret))


def test_a_link_that_was_taken_back_or_never_was_opens_nothing(shelf: Library, open_page):
    conversation, secret = shared(shelf, open_page)
    shelf.update_settings({"access": {"shared_links": True}})
    SharedLinks(shelf.folder).end(identity.LOCAL_OWNER, conversation)
    for given in (secret, "x", conversation):
        app = open_page("chat", shared=given)
        assert "This conversation is not shared" in texts_of(app) and "nine tons" not in texts_of(app)


def test_a_link_to_an_answer_shows_its_question_and_nothing_else_of_the_conversation(
    shelf: Library, open_page, monkeypatch
):
    conversation, _ = shared(shelf, open_page)
    shelf.update_settings({"access": {"shared_links": True}})
    app = open_page("chat", conversation=conversation)
    app.chat_input(key="chat.input").set_value("And what else is told of 2023?").run()
    first, second = [one for one in shelf.conversations.get(identity.LOCAL_OWNER, conversation)[1] if one.answer]
    links = SharedLinks(shelf.folder)
    first_secret, second_secret = (
        links.begin(identity.LOCAL_OWNER, conversation, one.message_id) for one in (first, second)
    )
    monkeypatch.setattr(services, "owner", lambda: "a stranger")
    app = open_page("chat", shared=first_secret)
    assert "nine tons" in texts_of(app) and "of apples did the orchard give" in texts_of(app)
    assert "what else" not in texts_of(app) and not app.chat_input and not app.button and not app.exception
    told = texts_of(open_page("chat", shared=second_secret))
    assert "what else is told of 2023" in told and "How many tons" not in told  # nor as the title
    shelf.conversations.cut(identity.LOCAL_OWNER, second.message_id)
    assert "This conversation is not shared" in texts_of(open_page("chat", shared=second_secret))
    assert "nine tons" in texts_of(open_page("chat", shared=first_secret))
    links.end(identity.LOCAL_OWNER, conversation, first.message_id)
    assert "This conversation is not shared" in texts_of(open_page("chat", shared=first_secret))


def share_dialog(conversation_id: str) -> None:
    from pages.widgets.conversation import share
    from pages.widgets.services import library, owner

    share(library().conversations.get(owner(), conversation_id)[0])


def test_where_sharing_is_off_share_says_so_and_who_may_turns_it_on_without_a_restart(shelf: Library):
    conversation = shelf.conversations.create(identity.LOCAL_OWNER, "Apples").conversation_id
    shelf.update_settings({"access.read_only": True})
    app = new_app(share_dialog, conversation).run()
    assert "Sharing by link is off" in texts_of(app) and "`shared_links = true`" in texts_of(app)
    assert "Settings, under Library" in texts_of(app) and not app.toggle and not app.button
    shelf.update_settings({"access.read_only": False})
    app = new_app(share_dialog, conversation).run()
    assert "Sharing by link is off" in texts_of(app) and not app.button
    app.toggle[0].set_value(True).run()
    assert shelf.settings.access.shared_links and app.button(key="share.begin") and not app.exception
    app.button(key="share.begin").click().run()
    assert SharedLinks(shelf.folder).of(identity.LOCAL_OWNER, conversation) in app.code[0].value


def test_a_variable_that_switches_sharing_off_is_told_with_the_switch(shelf: Library, monkeypatch):
    conversation = shelf.conversations.create(identity.LOCAL_OWNER, "Apples").conversation_id
    monkeypatch.setenv("DROPQA_ACCESS__SHARED_LINKS", "false")
    app = new_app(share_dialog, conversation).run()
    assert app.toggle[0].disabled and "DROPQA" in texts_of(app)
