"""What a message means within its conversation: follow-ups made whole, and messages that ask nothing of documents.

"and in 2023?", "when was it built?" and 那上海呢？ lean on the question before; thanks, "what can you do?", "are you
sure?" and 解释第二点 are about the app itself or the answer before.
"""

import re
from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import Literal, cast

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from engine.answer.understand.exact import names_in, numbered_in, years_in
from engine.answer.understand.language import language_of, own_language
from engine.answer.understand.terms import content_terms
from engine.language import CODES, Language, any_of, language_data

# Earlier messages as (role, text), the oldest first.
Turns = Sequence[tuple[str, str]]
Talk = Literal["", "greeting", "thanks", "about_app", "sure", "more", "point", "reworded"]
# What is said to the app itself; the others are about the answer before.
SMALL_TALK: frozenset[Talk] = frozenset({"greeting", "thanks", "about_app"})
# So like one of the known messages (0..100) is what asks for the same.
_LIKE = 82
_MARKS = re.compile(r"\[\d+\]")
# A paragraph, an item or a row begins so.
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)、])\s+", re.M)
_ENDS = " \t\n?？。.!！,，、"
# A question that means less than this beside its years and numbered things goes on with the one before.
_LITTLE = 0.9
# Of a question with a pronoun, so much may be said besides; a longer one names what it is about.
_SHORT = 6.0
_TOPIC_CHINESE = re.compile(r"^(.{1,12}?)的")


def talk_of(message: str) -> Talk:
    """Return what a message asks for other than something in the documents; "" where it asks nothing of the kind."""
    found = process.extractOne(_plain(message), _known().keys(), scorer=fuzz.ratio, score_cutoff=_LIKE)
    return _known()[found[0]] if found else ""


def point_of(message: str, answer: str) -> str:
    """Return the point of an answer that a message names by its place: an item, else a paragraph; "" for none."""
    place = _place(_plain(message))
    items = _ITEM.split(answer)[1:] or re.split(r"\n\s*\n", answer.strip())
    if place is None or not -len(items) <= place < len(items):
        return ""
    return " ".join(_MARKS.sub("", items[place].split("\n\n")[0]).split())


def _place(message: str) -> int | None:
    """Return the place counted from 0, -1 for the last; None where none is named."""
    if digit := re.search(r"\b\d\b", message):
        return int(digit[0]) - 1
    for code in CODES:
        *places, last = language_data(code).talk["places"]
        named = [number for number, word in enumerate(places) if word in message]
        if named or last in message:
            return named[0] if named else -1
    return None


def _plain(message: str) -> str:
    return " ".join(re.findall(r"\w+", message.casefold()))


@lru_cache(maxsize=1)
def _known() -> dict[str, Talk]:
    return {
        _plain(said): cast(Talk, talk)
        for code in CODES
        for talk, messages in language_data(code).talk.items()
        for said in messages
        if talk != "places"
    }


def standalone(question: str, history: Turns) -> tuple[str, bool]:
    """Return the question made whole by the earlier turns, and whether it leaned on them."""
    before = ""
    for role, text in history:
        if role == "user" and not talk_of(text):
            before = _made_whole(text.strip(), before)[0]
    if before and (talk := talk_of(question)):
        return (question.strip(), False) if talk in SMALL_TALK else (before, True)
    return _made_whole(question.strip(), before)


def _made_whole(question: str, before: str) -> tuple[str, bool]:
    if not before:
        return question, False
    language = language_data(own_language(question, before))
    rest, led = _without_lead(question, language)
    bare = reduce(lambda text, written: text.replace(written, " "), [*_written(rest), *map(str, years_in(rest))], rest)
    worth = sum(content_terms(bare).values())
    asks = any_of(language.parts["asks"], language.spaced).search(rest)
    fragment = (led and not asks) or (worth < _LITTLE and bare != rest)
    if not fragment and worth >= _LITTLE and (worth >= _SHORT or not _stands_for_all(rest, language)):
        return question, False
    return _restated(rest, before, fragment, language) or f"{before} {question}", True


def _stands_for_all(rest: str, language: Language) -> bool:
    """True where a question names what it is about by a pronoun alone."""
    return bool(_pronoun(rest, language)) and not (names_in(rest) or numbered_in(rest))


def _restated(rest: str, before: str, fragment: bool, language: Language) -> str:
    """Return the question before with what a fragment names, else a question with what its pronoun means; or ""."""
    if language_of(before) != language.code:
        return ""
    if fragment and (restated := _replaced(rest, before, language)):
        return restated
    whole = resolved(rest, before, language) if _pronoun(rest, language) else ""
    return f"{whole[0].upper()}{whole[1:]}{'?' if language.spaced else '？'}" if whole else ""


def resolved(text: str, before: str, language: Language) -> str:
    """Return a text with what the question before it names in place of its pronoun, else behind that question."""
    if not (pronoun := _pronoun(text, language)):
        return text
    if not (subject := _subject(before, language)):
        return f"{before.rstrip(_ENDS)}{'?' if language.spaced else '？'} {text}"
    possessive = pronoun.lower() in language.conversation["possessives"]
    if not language.spaced:
        return text.replace(pronoun, subject + ("的" if possessive else ""), 1)
    owner = f"{subject}'s" if possessive else subject
    return re.sub(rf"\b{re.escape(pronoun)}\b", lambda _: owner, text, count=1)


def _without_lead(question: str, language: Language) -> tuple[str, bool]:
    """Return a question without the words that tie it to the one before, and whether it had any."""
    text = rest = question.strip(_ENDS)
    if lead := any_of(language.conversation["leads"], language.spaced).match(text):
        rest = text[lead.end() :].lstrip(_ENDS)
    tail = next((tail for tail in language.conversation["tails"] if rest.endswith(tail)), "")
    if rest != tail:
        rest = rest.removesuffix(tail).strip(_ENDS)
    return (rest, rest != text) if rest else (text, False)


def _pronoun(text: str, language: Language) -> str:
    found = any_of(language.conversation["pronouns"], language.spaced).search(text)
    return found[0] if found else ""


def _replaced(rest: str, before: str, language: Language) -> str:
    """Return the question before with what a fragment names in place of its like; "" where nothing there is like it."""
    years, known = years_in(rest), years_in(before)
    if years and known:
        return before.replace(str(known[-1]), str(years[0]))
    things, others = (_written(one) or names_in(one) for one in (rest, before))
    if things and others:
        like = min(others, key=lambda one: Levenshtein.normalized_distance(one, things[0]))
        return before.replace(like, things[0], 1)
    topic = None if language.spaced else _TOPIC_CHINESE.match(before)
    return f"{rest}{before[topic.end(1) :]}" if topic else ""


def _written(text: str) -> list[str]:
    return [thing.written for thing in numbered_in(text)]


def _subject(before: str, language: Language) -> str:
    """Return what a question is about: the longest thing it names; of a Chinese one the owner of what is asked for."""
    name = max([*names_in(before), *_written(before)], key=len, default="")
    if name and not name.endswith(("'s", "’s")):  # that is asked about for what it has
        return f"the {name}" if re.search(rf"\bthe\s+{re.escape(name)}", before, re.I) else name
    topic = None if language.spaced else _TOPIC_CHINESE.match(before)
    return topic[1] if topic else ""
