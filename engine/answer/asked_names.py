"""The names in a question, and whether the evidence speaks of them.

Told by their looks: words with a capital inside a sentence, Latin words among Chinese, what stands in quotation
or book-title marks. A name of several words is spoken of where these stand together, with little between them:
a passage on a Richard and another on a Llewellyn are no passage on Richard Llewellyn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from engine.answer.agent.names import names_of
from engine.answer.understand.terms import content_terms
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.'’&-]*[A-Za-z0-9]|[A-Za-z]")
# What follows a capital at the beginning of a sentence where it is a name and no command.
_AFTER_NAME = re.compile(r"\s+(?:is|was|were|are|has|had|did)\b")
_JOINS = re.compile(r"\s+(?:and|or|in|at|on|for|to|with|vs\.?)\s+(?:the\s+)?")
_QUOTED = re.compile(r"[“「『《\"]\s*([^“”「」『』《》\"\n]{2,60}?)\s*[”」』》\"]")
# So many words may stand between those of a name; a longer run of capitals is no name but a headline.
_BETWEEN = 2
_LONGEST = 6
# Shorter names are too many that differ in one letter.
_SPELLED, _NEARLY = 7, 0.85


def names_in(question: str) -> list[frozenset[str]]:
    """Return the terms of each word that is a name or belongs to one."""
    return [terms for word in printed_names(question) if (terms := frozenset(content_terms(word)))]


def printed_names(text: str) -> list[str]:
    """Return each word that is a name or belongs to one, as written."""
    chinese = is_cjk(text)
    names = []
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip(" \"'“‘(")
        starts = not before or before[-1] in ".?!"
        if chinese or (match[0][0].isupper() and (not starts or _AFTER_NAME.match(text, match.end()))):
            names.append(match[0])
    return names


def whole_names(question: str) -> list[str]:
    """Return the names of several words, as written; none for a question written like a headline."""
    if _like_a_headline(question):
        return []
    printed = [match[1] for match in _QUOTED.finditer(question)]
    if not is_cjk(question):
        printed += [part for name in names_of(question) for part in _JOINS.split(name.printed)]
    names = list(dict.fromkeys(_without_asking(name) for name in printed))
    wanted = [name for name in names if len(content_terms(name)) > 1 and len(name.split()) <= _LONGEST]
    return [name for name in wanted if not any(name != other and name in other for other in wanted)]


def spoken_of(name: str, texts: Sequence[str]) -> bool:
    """True when the words of a name stand together in one of the texts."""
    wanted = set(content_terms(name))
    width = len(tokens(name)) + _BETWEEN
    for text in texts:
        there = tokens(text)
        if wanted.issubset(there) and any(
            wanted.issubset(there[at : at + width]) for at, term in enumerate(there) if term in wanted
        ):
            return True
    return False


def respelled(question: str, texts: Sequence[str]) -> str:
    """Return a question with the names that stand in none of the texts as one of these spells nearly the same name.

    Nearly the same is a word with the same first letter and a similarity of Ratcliff and Metzener (1988) of at least
    :data:`_NEARLY`.
    """
    names = [match[0] for match in _NAME.finditer(question) if len(match[0]) >= _SPELLED]
    if not names or not any(names_in(question)):
        return question
    held = {
        word.casefold(): word for text in texts for word in _NAME.findall(text) if len(word) >= _SPELLED - 1
    }
    for name in names:
        if name[0].isupper() and name.casefold() not in held:
            alike = [one for one in held if one[0] == name[0].casefold() and held[one][0].isupper()]
            nearest = get_close_matches(name.casefold(), alike, 1, _NEARLY)
            if nearest:
                question = question.replace(name, held[nearest[0]])
    return question


def _without_asking(name: str) -> str:
    """Take the words before a name from it that only ask: "Which Formula One" is Formula One."""
    words = name.split()
    while words and not content_terms(words[0]):
        words = words[1:]
    return " ".join(words)


def _like_a_headline(question: str) -> bool:
    """True where words that build grammar are written with capitals, too, or everything is."""
    inner = _NAME.findall(question)[1:]
    grammar = [word for word in inner if not content_terms(word)]
    capitals = sum(word[0].isupper() for word in grammar)
    return capitals > 1 or (len(inner) > 1 and all(word.isupper() for word in inner))
