"""The kind of thing a question asks for, by its question words, and whether a text holds something of it."""

import re
from functools import lru_cache
from typing import Literal, cast

from engine.answer.understand.exact import numbers_in
from engine.answer.understand.language import language_of
from engine.language import Language, any_of, language_data

Expects = Literal[
    "number", "date", "duration", "person", "place", "organisation", "list", "reason", "manner", "yes_no",
    "definition", "text",
]  # fmt: skip
# What only a text with a figure, a numeral or the name of a day or month can answer outright.
MEASURED = frozenset({"number", "date", "duration"})
# So many words may stand between "what" and the noun that says what is asked for.
_BETWEEN = r"(?:\s+[\w'’-]+){0,2}?"


def expects(question: str) -> Expects:
    """Return the kind of thing that a question asks for; "text" where its words do not tell."""
    language = language_data(language_of(question))
    return _spaced(question.lower(), language) if language.spaced else _unspaced(question, language)


def holds_kind(kind: Expects, text: str, question: str) -> bool:
    """True where a text holds something of a measured kind that the question does not; of other kinds always."""
    if kind not in MEASURED or numbers_in(text) - numbers_in(question):
        return True
    language = language_data(language_of(text))
    values = language.numbers + (language.dates if kind == "date" else ())
    words = any_of(values, language.spaced)
    return any(match[0].lower() not in question.lower() for match in words.finditer(text))


def _spaced(question: str, language: Language) -> Expects:
    searched = ((pattern.search(question), kind) for pattern, kind in _patterns(language.code))
    found = [(match.start(), -len(match[0]), kind) for match, kind in searched if match]
    bare = question.lstrip(" \"'“‘([")
    if any_of(language.yes_no["begins"], language.spaced).match(bare):
        return "yes_no"
    return cast(Expects, min(found, default=(0, 0, "text"))[2])


@lru_cache(maxsize=4)
def _patterns(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    language = language_data(code)
    built = [
        (re.compile(rf"\b{re.escape(phrase)}\b"), kind) for kind, phrases in language.asks.items() for phrase in phrases
    ]
    for kind, nouns in language.nouns.items():
        named = "|".join(map(re.escape, nouns))
        linked = r"(?:\s+(?:is|are|was|were|'s))?(?:\s+the)?"
        built.append((re.compile(rf"\b(?:what|which)(?:'s)?{linked}{_BETWEEN}\s+(?:{named})\b"), kind))
    return tuple(built)


def _unspaced(question: str, language: Language) -> Expects:
    text = question.rstrip("?？。！! ")
    if any(word in text for word in language.yes_no["holds"]):
        return "yes_no"
    asked = ((phrase, kind) for kind, phrases in language.asks.items() for phrase in phrases if phrase in text)
    kind = max(((len(phrase), text.rfind(phrase), kind) for phrase, kind in asked), default=(0, 0, "text"))[2]
    return cast(Expects, kind if kind != "text" else _of_noun(text, language))


def _of_noun(text: str, language: Language) -> str:
    """Return the kind that the noun beside a question word says: "…的价格是什么", "…什么职位"."""
    bare = re.sub(r"(?:是|为|為)?(?:什么|什麼|哪个|哪個)?$", "", text) or text
    known = ((noun, kind) for kind, nouns in language.nouns.items() for noun in nouns)
    asked = (kind for noun, kind in known if bare.endswith(noun) or f"什么{noun}" in text or f"哪个{noun}" in text)
    return next(asked, "text")
