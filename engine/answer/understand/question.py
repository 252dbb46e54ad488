"""A question as it is read: once, by its own words and libraries, in a few milliseconds."""

import unicodedata
from dataclasses import dataclass
from typing import Literal

from engine.answer.understand.exact import Numbered, names_in, numbered_in, numbers_in, years_in
from engine.answer.understand.follow_up import SMALL_TALK, Talk, Turns, point_of, standalone, talk_of
from engine.answer.understand.kinds import Expects, expects
from engine.answer.understand.language import own_language
from engine.answer.understand.parts import parts_of
from engine.errors import UsageError

LONGEST = 4000
# To look something up, to do something with the answer before, or small talk.
Aim = Literal["documents", "conversation", "chat"]


@dataclass(frozen=True, slots=True)
class Question:
    """What a question says by itself.

    ``text`` is as asked, ``standalone`` made whole by the conversation, ``language`` its ISO 639-1 code. ``parts`` are
    the questions to answer each for itself, ``(standalone,)`` where it is one. ``names``, ``numbers`` (as plain
    digits), ``years`` and ``numbered`` ("Room 7", "E-1037", 第七条) are its exact things, ``expects`` is the kind of
    thing asked for. ``aim`` is what is to be done: for "conversation" ``standalone`` is the earlier
    question, and ``talk`` tells what a message asks for that asks nothing of the documents.
    """

    text: str
    standalone: str
    language: str
    parts: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    years: tuple[int, ...]
    expects: Expects
    follow_up: bool
    numbered: tuple[Numbered, ...] = ()
    aim: Aim = "documents"
    talk: Talk = ""


def understand(question: str, history: Turns = (), *, whole: str = "", aim: Aim = "documents") -> Question:
    """Read a question after earlier turns; ``whole`` is it made whole, where that and its ``aim`` are known already.

    Raises UsageError for a question that is empty, has no word in it, or is endless.
    """
    text = _checked(question)
    talk = "" if whole and aim == "documents" else talk_of(text)
    if talk in SMALL_TALK:
        aim = "chat"
    elif (point := _point_meant(text, talk, history)) is not None:
        whole, aim = point or whole, "conversation"
    whole, follows = (whole, whole != text) if whole else standalone(text, history)
    return Question(
        text, whole, own_language(text, whole), parts_of(whole), names_in(whole), tuple(sorted(numbers_in(whole))),
        years_in(whole), expects(whole), follows, numbered_in(whole), aim, talk,
    )  # fmt: skip


def _point_meant(text: str, talk: Talk, history: Turns) -> str | None:
    """Return the point of the last answer that a message is about, "" for all of it; None where it is about none."""
    answers = [said for role, said in history if role != "user"]
    if not (talk and answers):
        return None
    return point_of(text, answers[-1]) if talk == "point" else ""


def _checked(question: str) -> str:
    text = question.strip()
    if not any(unicodedata.category(character)[0] in "LN" for character in text):
        raise UsageError("The question has no words. Write what you want to know. 问题中没有文字，请用文字提问。")
    if len(text) > LONGEST:
        raise UsageError(
            f"The question is longer than {LONGEST} characters. Shorten it. 问题超过 {LONGEST} 个字符，请缩短。"
        )
    return text
