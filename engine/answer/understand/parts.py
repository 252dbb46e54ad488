"""The questions that one question holds: several asked at once, or one asked of several things to be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.understand.exact import names_in, numbered_in, quoted_in, years_in
from engine.answer.understand.follow_up import resolved
from engine.answer.understand.language import language_of
from engine.answer.understand.terms import content_terms
from engine.language import Language, any_of, language_data

MOST = 4
_MARK, _COMMA = re.compile(r"[；;？?]\s*(?=\S)"), re.compile(r"[，,；;？?]\s*(?=\S)")
_OF_YEAR = re.compile(r"(?:'s|’s)?\s*(?:in|of|for)?\s*|的?")
_ENDS = " \t?？。,，;；"
# A part whose words weigh less names nothing.
_LITTLE = 0.9
# So many characters before the question word of a Chinese question may name what its later parts are about, too.
_NAMES_SOMETHING = 3
# A part whose words before its question word weigh as much is about something of its own.
_TOPIC = 1.5


def parts_of(question: str) -> tuple[str, ...]:
    """Return the standalone questions that a question holds, in order; the question alone where it is one."""
    language = language_data(language_of(question))
    for border in _borders(language):
        asked = _asked_at_once(question, border, language)
        if len(asked) > 1:
            return tuple(asked[:MOST])
    return tuple(_compared(question, language)[:MOST]) or (question,)


def _borders(language: Language) -> list[re.Pattern[str]]:
    """Return where another question may begin: behind the mark of one, and behind "and" or a comma."""
    if not language.spaced:
        return [_MARK, _COMMA]
    verbs = rf"(?:{'|'.join(language.yes_no['begins'])})\s+(?:there|it|he|she|they|we|you|the|any)"
    openers = "|".join(word for word in language.parts["asks"] if word.startswith(("wh", "how")))
    again = rf"[,;]?\s+and\s+(?=(?:{openers}|{verbs})\b)|[,;]\s+(?=(?:how|what|why|when|where)\b)"
    return [re.compile(rf"\?\s+(?=\S)|{again}", re.I)]


def _asked_at_once(question: str, border: re.Pattern[str], language: Language) -> list[str]:
    """Split at a border where each piece asks."""
    words = "|".join(map(re.escape, language.parts["asks"]))
    begins = re.compile(rf".*(?:{words})", re.S)
    if language.spaced:
        begins = re.compile(rf"\W*(?:(?:and|in|on|at|by|for|to|from|of|with|under)\s+)?(?:{words})\b", re.I)
    pieces = list(filter(None, (piece.strip(_ENDS) for piece in border.split(question))))
    whole = len(pieces) > 1 and all(begins.match(piece) for piece in pieces)
    if not whole or (language.spaced and any(len(piece.split()) < 3 for piece in pieces)):
        return []
    # Of 从几点到几点 no part but the first has a topic, and none can be put before it.
    apart = (piece for piece in pieces[1:] if not piece.startswith(language.parts["asks"]))
    if not language.spaced and any(sum(content_terms(piece).values()) < _LITTLE for piece in apart):
        return []
    mark = "?" if language.spaced else "？"
    asked = [_about(piece, pieces[0], language) for piece in pieces]
    if any(sum(content_terms(piece).values()) < _LITTLE for piece in asked):
        return []  # "how many are there" is of what the part before names
    return [f"{piece}{mark}" for piece in asked]


def _about(piece: str, first: str, language: Language) -> str:
    """Return a later part with what the first is about in place of its pronoun, or before its question word."""
    if piece == first or names_in(piece):
        return piece
    if not language.spaced:  # 押金多少，何时退: 押金何时退
        places = [first.find(word) for word in language.parts["asks"] if word in first]
        topic = first[: min(places, default=0)].rpartition("，")[0] or first[: min(places, default=0)]
        topic = _named(topic.rstrip("是为有的"))
        at = min((piece.find(word) for word in language.parts["asks"] if word in piece), default=0)
        own = sum(content_terms(piece[:at]).values())  # 物业费由谁承担 is about the fee
        if at == 0 or (len(topic) >= _NAMES_SOMETHING and topic not in piece and own < _TOPIC):
            return topic + piece
    return resolved(piece, first, language)


def _named(topic: str) -> str:
    """Return a topic without the verbs at its end: 陪产假 of 陪产假能休."""
    while (
        len(topic) > _NAMES_SOMETHING
        and not topic[-1].isascii()
        and sum(content_terms(topic[-2:]).values()) < 1
    ):
        topic = topic[:-1]
    return topic


def _compared(question: str, language: Language) -> list[str]:
    """Ask of each of several like things for itself, where a question puts them beside each other."""
    things = _things(question)
    joined = _joined(question, things, language)
    compares = any_of(language.parts["compares"], language.spaced).search(question) is not None
    if not language.spaced and not joined and compares:
        return _halves(question, language)
    # Nobody's name joins years, codes or things told apart by a number.
    numbered = all(any(map(str.isdigit, thing)) for thing in joined)
    if len(joined) < 2 or not (compares or numbered):
        return []
    start = question.index(joined[0])
    end = question.index(joined[-1], start + len(joined[0])) + len(joined[-1])
    before, behind = _without_lead(question[:start], language), question[end:]
    if before.strip().lower().endswith(language.parts["between"]):
        return []  # a difference is no property of one of them
    return [f"{before}{thing}{behind}".strip() for thing in joined]


def _halves(question: str, language: Language) -> list[str]:
    """Ask of both nouns that a Chinese comparison joins: 甲和乙的工期分别是多少 asks of 甲 and of 乙."""
    joins = "|".join(map(re.escape, language.parts["joins"]))
    ends = "|".join(map(re.escape, ("的", "，", *language.parts["compares"])))
    bare = _without_lead(question, language)
    match = re.match(rf"(?:关于|对于)?([^，,的]{{1,12}}?)(?:{joins})([^，,的]{{1,12}}?)(?={ends})(.+)", bare)
    if match is None or any(word in match[1] + match[2] for word in language.parts["asks"]):
        return []  # 涉及多少个 joins nothing
    rest = re.sub(r"分别|各自|各", "", match[3])
    return [f"{thing}{rest}" for thing in (match[1], match[2])]


def _things(question: str) -> list[str]:
    """Return what a question names exactly, by its place, each with the year behind it ("Amazon in 2019")."""
    years = [str(year) for year in years_in(question)]
    numbered = (thing.written for thing in numbered_in(question))
    found = {*names_in(question), *quoted_in(question), *years, *numbered}
    kept = [one for one in found if one in question and not any(_holds(other, one) for other in found)]
    things: list[str] = []
    for thing in sorted(kept, key=question.index):
        if things and thing in years:
            start = question.index(things[-1])
            between = question[start + len(things[-1]) : question.index(thing)]
            if _OF_YEAR.fullmatch(between):
                things[-1] = question[start : question.index(thing) + len(thing)]
                continue
        things.append(thing)
    return things


def _holds(thing: str, other: str) -> bool:
    """True where a longer thing has the other in it as words of its own."""
    return thing != other and re.search(rf"(?<!\w){re.escape(other)}(?!\w)", thing) is not None


def _joined(question: str, things: Sequence[str], language: Language) -> list[str]:
    """Return the first run of things with nothing but a conjunction between them."""
    words = "|".join(map(re.escape, sorted(language.parts["joins"], key=len, reverse=True)))
    space = r"\s+" if language.spaced else r"\s*"
    comma = rf"\s*,\s*(?:(?:{words}){space})?(?:the\s+)?"
    word = rf"{space}(?:{words}){space}(?:the\s+|in\s+)?"
    gap = re.compile(rf"[’'》”\"]*(?:{comma}|{word})[《“\"]*", re.I)
    run: list[str] = []
    for thing in things:
        if run:
            start = question.index(run[-1]) + len(run[-1])
            if not gap.fullmatch(question[start : question.index(thing)]):
                if len(run) > 1:
                    break
                run = []
        run.append(thing)
    return run if len(run) > 1 else []


def _without_lead(text: str, language: Language) -> str:
    lead = any_of(language.parts["compare_leads"], language.spaced).match(text)
    return text[lead.end() :].lstrip() if lead else text
