"""Questions that lean on the conversation, made whole: "and in 2023?", "when was it built?", 那上海呢？"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from engine.answer.understand.exact import codes_in, names_in, numbered_in, years_in
from engine.answer.understand.language import language_of
from engine.answer.understand.talk import SMALL_TALK, talk_of
from engine.answer.understand.terms import content_terms, weight
from engine.index.tokenize import tokens
from engine.language import Language, any_of, language_data

_ENDS = " \t?？。.!！,，、"
# A question that means less than this by itself goes on with the one before.
_LITTLE = 0.9
# Of a question with a pronoun, so much may be said besides; a longer one names what it is about.
_SHORT = 6.0
_DETERMINED = re.compile(r"\b(the|a|an|this|my|our)\s+([\w'’-]+(?:\s+[\w'’-]+){0,3})", re.I)
_TOPIC_CHINESE = re.compile(r"^(.{1,12}?)的")


def standalone(question: str, history: Sequence[tuple[str, str]]) -> tuple[str, bool]:
    """Return the question made whole by the earlier (role, text) turns, and whether it leaned on them."""
    before = ""
    for text in [text for role, text in history if role == "user"]:
        if not talk_of(text):
            before = _made_whole(text.strip(), before)[0]
    if before and talk_of(question) not in ("", *SMALL_TALK):
        return before, True
    return _made_whole(question.strip(), before)


def _made_whole(question: str, before: str) -> tuple[str, bool]:
    # "2023?" has no language of its own.
    language = language_data(language_of(question if any(map(str.isalpha, question)) else before))
    if not before or talk_of(question) in SMALL_TALK:
        return question, False
    rest, led = _without_lead(question, language)
    weight = sum(content_terms(rest).values())
    fragment = led and not any_of(language.parts["asks"], language.spaced).search(rest)
    pronoun = _pronoun(rest, language)
    names_itself = bool(names_in(rest) or numbered_in(rest))
    if not (
        fragment
        or weight < _LITTLE
        or _only_exact(rest)
        or (pronoun and not names_itself and weight < _SHORT)
    ):
        return question, False
    if language_of(before) == language.code:
        if (fragment or _only_exact(rest)) and (restated := _replaced(rest, before, language)):
            return restated, True
        if pronoun and (whole := resolved(rest, before, language)) != rest:
            return f"{whole[0].upper()}{whole[1:]}{'?' if language.spaced else '？'}", True
    return f"{before} {question}", True


def resolved(text: str, before: str, language: Language) -> str:
    """Return a text with what the question before it is about in place of its pronoun, where there are both."""
    pronoun = _pronoun(text, language)
    subject = _subject(before, language) if pronoun else ""
    if not subject:
        return text
    possessive = pronoun.lower() in language.conversation["possessives"]
    if not language.spaced:
        return text.replace(pronoun, subject + ("的" if possessive else ""), 1)
    owner = f"{subject}'s" if possessive else subject
    return re.sub(rf"\b{re.escape(pronoun)}\b", lambda _: owner, text, count=1)


def _without_lead(question: str, language: Language) -> tuple[str, bool]:
    """Return a question without the words that tie it to the one before, and whether it had any."""
    text = question.strip(_ENDS)
    led = False
    for lead in sorted(language.conversation["leads"], key=len, reverse=True):
        border = r"\b[\s,]*" if language.spaced else r"[，,\s]*"
        if match := re.match(re.escape(lead) + border, text, re.I):
            text, led = text[match.end() :], True
            break
    for tail in language.conversation["tails"]:
        if text.endswith(tail) and len(text) > len(tail):
            text, led = text[: -len(tail)].strip(_ENDS), True
            break
    return (text, True) if led and text else (question.strip(_ENDS), False)


def _pronoun(text: str, language: Language) -> str:
    found = any_of(language.conversation["pronouns"], language.spaced).search(text)
    return found[0] if found else ""


def _only_exact(text: str) -> bool:
    """True where a question names a year, a code or a numbered thing, and next to nothing besides."""
    exact = [*map(str, years_in(text)), *codes_in(text), *(thing.written for thing in numbered_in(text))]
    rest = text
    for written in exact:
        rest = rest.replace(written, " ")
    return bool(exact) and sum(content_terms(rest).values()) < _LITTLE


def _replaced(rest: str, before: str, language: Language) -> str:
    """Return the question before with what a fragment names in place of its like; "" where nothing there is like it."""
    years, known = years_in(rest), years_in(before)
    if years and known:
        return before.replace(str(known[-1]), str(years[0]))
    things = [thing.written for thing in numbered_in(rest)] or list(names_in(rest))
    others = [thing.written for thing in numbered_in(before)] or list(names_in(before))
    if things and others:
        like = min(others, key=lambda one: Levenshtein.normalized_distance(one, things[0]))
        return before.replace(like, things[0], 1)
    if not language.spaced:
        body = re.sub(r"^(?:在|对|对于|关于)", "", rest)
        if match := _TOPIC_CHINESE.match(before):
            return f"{body}{before[match.end(1) :]}"
        return ""
    if years and not known:
        return f"{before.rstrip(_ENDS)} {rest if re.match('(?:in|for|by) ', rest) else f'in {years[0]}'}?"
    # "and for children?" takes the place of "for adults".
    preposition = re.match(r"(in|for|at|on|by|with|from|to|of)\s+", rest, re.I)
    if preposition and (match := re.search(rf"\b{preposition[1]}\s+[^?]+$", before.rstrip(_ENDS), re.I)):
        return f"{before[: match.start()]}{rest}?"
    return ""


def _subject(before: str, language: Language) -> str:
    """Return what a question is about: the last thing it names, else its words after the verb."""
    names = [*names_in(before), *(thing.written for thing in numbered_in(before))]
    if names and (name := max(names, key=len)).endswith(("'s", "’s")):  # is asked about for what it has
        owned = _determined(before.replace(name, "the", 1))
        return owned.replace("the", name, 1) if owned else name
    if names:
        name = max(names, key=len)
        article = re.search(rf"\bthe\s+{re.escape(name)}", before, re.I)
        return f"the {name}" if article else name
    if not language.spaced:
        match = _TOPIC_CHINESE.match(before)
        return match[1] if match else ""
    return _determined(before)


def _determined(before: str) -> str:
    """Return the last words behind an article, up to the next word that only builds: "the gearbox oil"."""
    found = ""
    for match in _DETERMINED.finditer(before):
        words: list[str] = []
        for word in match[2].split():
            if not any(weight(term) for term in tokens(word)) or (words and word.endswith(("ed", "ing"))):
                break
            words.append(word)
        if words:
            found = f"{match[1]} {' '.join(words)}"
    return found
