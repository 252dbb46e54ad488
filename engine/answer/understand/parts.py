"""The questions that one question holds: several asked at once, or one asked of several things to be compared."""

import re

from engine.answer.understand.exact import dates_in, names_in, numbered_in, years_in
from engine.answer.understand.follow_up import resolved
from engine.answer.understand.language import language_of
from engine.answer.understand.terms import content_terms
from engine.language import Language, any_of, language_data

MOST = 4
_MARK = re.compile(r"[，,；;？?]\s*(?=\S)")
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
    pieces = _asking(question, language)
    if len(pieces) < 2:
        return []
    first, *others = pieces
    mark, least = ("?", 0.0) if language.spaced else ("？", _TOPIC)  # of less than that the first is the topic, too
    asked = (resolved(one, first, language) if _worth(one) >= least else f"{first}，{one}" for one in others)
    return [f"{one}{mark}" for one in (first, *asked)]


def _asking(question: str, language: Language) -> list[str]:
    """Return the pieces of a question; none where one does not ask something by itself."""
    words = "|".join(map(re.escape, language.parts["asks"]))
    border, begins, few, little = _MARK, re.compile(rf".*(?:{words})", re.S), 0, 0.0
    if language.spaced:
        few, little = _FEW, _LITTLE
        openers = "|".join(filter(re.compile("wh|how").match, language.parts["asks"]))
        border = re.compile(rf"\?\s+(?=\S)|,?\s+and\s+(?=(?:{openers})\b)|,\s+(?=(?:{openers})\b)", re.I)
        begins = re.compile(rf"\W*(?:\w+\s+)?(?:{words})\b", re.I)
    pieces = list[str]()
    for piece in filter(None, (piece.strip(_ENDS) for piece in border.split(question))):
        if pieces and len(piece.split()) < few:  # "Who sent it, when, and what does it offer?"
            pieces[-1] += f", {piece}"
        else:
            pieces.append(piece)
    # "and how many are there" is of what the part before names
    if len(pieces[0].split()) < few or min(map(_worth, pieces)) < little or not all(map(begins.match, pieces)):
        return []
    return pieces


def _worth(text: str) -> float:
    return sum(content_terms(text).values())


def _compared(question: str, language: Language) -> list[str]:
    """Ask of each of several like things for itself, where a question puts them beside each other."""
    things, start, end = _joined(question, language)
    compares = any_of(language.parts["compares"], language.spaced).search(question) is not None
    if not language.spaced and not things and compares:
        return _halves(question, language)
    # Nobody's name joins years, codes or things told apart by a number.
    numbered = all(any(map(str.isdigit, thing)) for thing in things)
    if not things or not (compares or numbered):
        return []
    before, behind = _without_lead(question[:start], language), question[end:]
    if before.strip().lower().endswith(language.parts["between"]):
        return []  # a difference is no property of one of them
    return [f"{before}{thing}{behind}".strip() for thing in things]


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


def _joined(question: str, language: Language) -> tuple[list[str], int, int]:
    """Return the first exact things with nothing but a conjunction between them, and where they begin and end.

    Each with the year behind it: "Amazon in 2019".
    """
    dates = dates_in(question)
    years = [str(year) for year in years_in(question) if not any(str(year) in date for date in dates)]
    named = {*names_in(question), *dates, *years, *(thing.written for thing in numbered_in(question))}
    words, things, behind = (
        "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
        for found in (language.parts["joins"], named, years)
    )
    space, edge = (r"\s+", r"\b") if language.spaced else (r"\s*", "")
    thing = rf"{edge}(?:{things})(?:(?:(?:'s|’s)?\s*(?:in|of|for)?\s*|的)(?:{behind or '(?!)'}))?{edge}"
    joins = rf"\s*,\s*(?:(?:{words}){space})?(?:the\s+)?|{space}(?:{words}){space}(?:the\s+|in\s+)?"
    run = re.search(rf"{thing}(?:[’'》”\"]*(?:{joins})[《“\"]*{thing})+", question) if named else None
    return (re.findall(thing, run[0]), run.start(), run.end()) if run else ([], 0, 0)


def _without_lead(text: str, language: Language) -> str:
    lead = any_of(language.parts["compare_leads"], language.spaced).match(text)
    return text[lead.end() :].lstrip() if lead else text
