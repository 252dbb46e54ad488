"""What a message of a conversation asks for, made whole by a model (conversational query rewriting), else by rules.

Three aims: to be looked up in the documents; to do something with the answer before (shorter, as a table, translated),
for which what that answer rested on is searched again; or small talk, for which nothing is searched.
"""

from engine.answer.agent.protocol import read_arguments
from engine.answer.grounded.prompt import turns_of
from engine.answer.understand import Question, understand
from engine.answer.understand.follow_up import Turns
from engine.answer.understand.question import LONGEST
from engine.answer.understand.terms import content_terms, coverage, terms_with_forms
from engine.errors import CancelledError, DropQAError
from engine.providers.cancelling import Cancelled
from engine.providers.llm import Llm
from engine.providers.prompts import prompt

_TURNS, _TURN_CHARACTERS = 6, 1200
_MAX_TOKENS = 1000
# Of what a message says a question made whole of it says so much.
_KEPT = 0.5


def read_message(message: str, history: Turns, llm: Llm | None, cancelled: Cancelled | None = None) -> Question:
    """Return what a message asks for after the earlier turns.

    A model that fails, or says nothing that can be read, is done without, and so it is where the message is known by
    itself (:mod:`engine.answer.understand.follow_up`). Raises UsageError, CancelledError.
    """
    read = understand(message, history)
    if llm is None or not history or read.talk:
        return read
    aim, whole = _said_of(message, history, llm, cancelled)
    if aim == "chat":
        return understand(message, aim="chat")
    if not whole:
        return read
    if aim == "conversation" and (read.follow_up or read.expects in ("text", "yes_no", "manner")):
        return understand(message, whole=whole, aim="conversation")
    return understand(message, whole=whole) if _is_meant(whole, read, history) else read


def _is_meant(whole: str, read: Question, history: Turns) -> bool:
    """True for a question that still says what its message says: small models repeat an earlier one."""
    if coverage(content_terms(read.text), terms_with_forms(whole)) >= _KEPT:
        return True
    asked_before = {text.strip().casefold() for role, text in history if role == "user"}
    return read.follow_up and whole.casefold() not in asked_before


def _said_of(message: str, history: Turns, llm: Llm, cancelled: Cancelled | None) -> tuple[str, str]:
    """Return the aim of a message and the whole question as a model tells them; both "" where it does not."""
    turns = "\n".join(turns_of(history[-_TURNS:], _TURN_CHARACTERS))
    messages = [
        {"role": "system", "content": prompt("conversation")},
        {"role": "user", "content": f"Conversation:\n{turns}\n\nLast message: {message.strip()}"},
    ]
    try:
        reply = llm.complete(messages, max_tokens=_MAX_TOKENS, json=True, cancelled=cancelled)
    except CancelledError:
        raise
    except DropQAError:  # down, or its budget used up: the answer says so when it needs the model
        return "", ""
    found = read_arguments(reply.text)
    whole = " ".join(str(found.get("question") or "").split())
    return str(found.get("aim") or ""), whole if len(whole) <= LONGEST else ""
