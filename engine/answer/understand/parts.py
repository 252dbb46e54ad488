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
_MARK = re.compile(r"[，,；;？?]\s*(?=\S)")
_OF_YEAR = re.compile(r"(?:'s|’s)?\s*(?:in|of|for)?\s*|的?")
_ENDS = " \t?？。,，;；"
# A part whose words weigh less names nothing.
_LITTLE = 0.9
# A part of fewer words asks nothing by itself; a Chinese one whose words weigh less is about what the first names.
_FEW, _TOPIC = 3, 2.25


def parts_of(question: str) -> tuple[str, ...]:
    """Return the standalone questions that a question holds, in order; the question alone where it is one."""
    language = language_data(language_of(question))
    asked = _asked_at_once(question, language) or _compared(question, language)
    return tuple(asked[:MOST]) or (question,)


def _asked_at_once(question: str, language: Language) -> list[str]:
    """Split behind the mark of a question, "and" or a comma, where each piece asks something; [] where it is one.

    What names nothing itself is asked together with the first.
    """
    words = "|".join(map(re.escape, language.parts["asks"]))
    border, begins = _MARK, re.compile(rf".*(?:{words})", re.S)
    if language.spaced:
        openers = "|".join(word for word in language.parts["asks"] if word.startswith(("wh", "how")))
        border = re.compile(rf"\?\s+(?=\S)|,?\s+and\s+(?=(?:{openers})\b)|,\s+(?=(?:{openers})\b)", re.I)
        begins = re.compile(rf"\W*(?:\w+\s+)?(?:{words})\b", re.I)
    pieces = list(filter(None, (piece.strip(_ENDS) for piece in border.split(question))))
    if len(pieces) < 2 or not all(map(begins.match, pieces)):
        return []
    worth = [sum(content_terms(piece).values()) for piece in pieces]
    if language.spaced and (min(worth) < _LITTLE or min(len(piece.split()) for piece in pieces) < _FEW):
        return []  # "and how many are there" is of what the part before names
    mark = "?" if language.spaced else "？"
    together = [one < _TOPIC and not language.spaced for one in worth]
    asked = [
        f"{pieces[0]}，{piece}"
        if joined and place
        else resolved(piece, pieces[0], language)
        if place
        else piece
        for place, (piece, joined) in enumerate(zip(pieces, together, strict=True))
    ]
    return [f"{one}{mark}" for one in asked]


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
