import threading
import time

import pytest

from engine.answer.events import Discard, Token
from engine.errors import CancelledError, ProviderUnavailableError
from engine.library import Library
from engine.model import Answer, Filters, Message, TraceStep
from pages.widgets.background import Answering
from tests.waiting import wait_until

ME = "someone"


class Answers:
    """Answers by a script; conversations are the real ones."""

    def __init__(self, library: Library, play) -> None:
        self.conversations = library.conversations
        self.play = play

    def ask(self, question, *, filters, history, on_event, cancelled, path, manner) -> Answer:
        return self.play(on_event, cancelled)


@pytest.fixture
def begin(library: Library):
    """Begin an answer that goes as a function says; return it with a reader of its stored message."""

    def begun(play):
        conversation = library.conversations.create(ME, "A talk")
        message = library.conversations.append(ME, conversation.conversation_id, "assistant", "", state="running")
        answering = Answering(Answers(library, play), ME, message.message_id, "Why?", filters=Filters(), history=())
        answering.start()

        def stored() -> Message:
            return library.conversations.get(ME, conversation.conversation_id)[1][0]

        return answering, stored, conversation.conversation_id

    return begun


def answer(text: str) -> Answer:
    return Answer(text, "direct", "high", True, [])


def test_steps_and_text_can_be_watched_while_they_come_and_the_answer_is_stored(begin):
    go_on = threading.Event()

    def play(on_event, cancelled):
        on_event(TraceStep(1, "action", "Searched."))
        on_event(Token("Because "))
        go_on.wait(60)
        on_event(Token("of rain."))
        return answer("Because of rain.")

    answering, stored, _ = begin(play)
    wait_until(lambda: answering.text)
    assert answering.text == "Because " and [step.content for step in answering.steps] == ["Searched."]
    assert stored().state == "running"
    go_on.set()
    answering.ended(60)
    assert answering.ended() and stored().state == "done"
    assert stored().text == "Because of rain." and stored().answer["answer"] == "Because of rain."


def test_what_was_streamed_before_a_failed_model_is_void(begin):
    def play(on_event, cancelled):
        on_event(Token("Nonsen"))
        on_event(Discard("the model failed"))
        on_event(Token("Sense."))
        return answer("Sense.")

    answering, _, _ = begin(play)
    answering.ended(60)
    assert answering.text == "Sense."


def test_a_stopped_answer_keeps_what_was_written(begin):
    started = threading.Event()

    def play(on_event, cancelled):
        on_event(Token("Half an "))
        started.set()
        while not cancelled():
            time.sleep(0.005)
        raise CancelledError("stopped")

    answering, stored, _ = begin(play)
    assert started.wait(60)
    answering.cancel()
    answering.ended(60)
    assert stored().state == "stopped" and stored().text == "Half an "


def test_an_answer_that_was_cut_short_is_known_as_stopped(begin):
    def play(on_event, cancelled):
        while not cancelled():
            time.sleep(0.005)
        return answer("Because of")

    answering, stored, _ = begin(play)
    answering.cancel()
    answering.ended(60)
    assert stored().state == "stopped" and stored().answer["answer"] == "Because of"


def test_a_failure_is_stored_with_its_reason(begin):
    def play(on_event, cancelled):
        raise ProviderUnavailableError("The key is refused.")

    answering, stored, _ = begin(play)
    answering.ended(60)
    assert stored().state == "failed" and stored().text == "The key is refused."


def test_even_an_unexpected_error_ends_the_message_and_gives_a_reason(begin):
    def play(on_event, cancelled):
        raise RuntimeError("a bug")

    answering, stored, _ = begin(play)
    answering.ended(60)
    assert answering.ended() and stored().state == "failed"
    assert "RuntimeError" in stored().text and "Ask again" in stored().text


def test_a_conversation_deleted_meanwhile_is_no_trouble(begin, library: Library):
    go_on = threading.Event()

    def play(on_event, cancelled):
        go_on.wait(60)
        return answer("Too late.")

    answering, _, conversation_id = begin(play)
    library.conversations.delete(ME, conversation_id)
    go_on.set()
    answering.ended(60)
    assert answering.ended()
