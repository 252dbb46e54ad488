"""The names in a passage: what it speaks of that may have a passage of its own.

Told by their looks alone: runs of capitalised words, what stands in quotation marks or book-title marks, and
in Chinese the runs between function characters. Most of them lead nowhere; a name counts only when a title
agrees with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.answer.understand.terms import content_terms
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk, split_sentences

# Short words inside names ("Bay of Pigs"); those that also join two names are tried both ways.
_INSIDE = "of|the|de|la|le|les|du|des|del|da|di|van|von|der|den|and|in|for|on|at|to|&"
_JOINS = re.compile(r"\s+(?:and|in|at|on|of|for|to|&)\s+")
_QUOTED = re.compile(r"[\"“「『《]([^\"“”「」『』《》\n]{2,80})[\"”」』》]")
# A full stop belongs to a name only after an initial or a short form of address.
_WORD = r"(?:(?:[A-Z]\.)+|(?:St|Dr|Mr|Mrs|Ms|Jr|Sr|Mt|Ft|No|Vol)\.|[A-Z][\w'’\-]*(?:\.\w+)*)"
# No name goes on in another line: there another cell or item begins.
_GAP = r"[^\S\n]+"
_CAPITALS = re.compile(
    rf"(?:{_WORD}|\d{{2,4}}(?=[^\S\n][A-Z]))(?:{_GAP}(?:(?:{_INSIDE}){_GAP}){{0,2}}(?:{_WORD}|\d+))*"
)
_FUNCTION = (
    "的了是在与及或等为對对于由以并其这這那我你您他她它们們个個也都就不很有上下中来來去着過过把被让讓给給从從向到说說道又还還"
    "而但却則则所之乎者呢吗吧啊么什怎和将將会會能可应如若因此每各某本要没無无些只再才已曾更太非常"
)
_HAN_RUN = re.compile(rf"(?:(?![{_FUNCTION}])[\u3400-\u9fff·]){{2,12}}")
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]\s*$")
_MOST = 40


@dataclass(frozen=True, slots=True)
class Name:
    """A name as printed, its terms, and where it first stands in the text."""

    printed: str
    terms: frozenset[str]
    position: int


def names_of(text: str) -> list[Name]:
    """Return the distinct names of a text in order of appearance, those in quotation marks first."""
    found: dict[str, int] = {}
    for match in _QUOTED.finditer(text):
        _note(match[1], match.start(), found)
    for match in _CAPITALS.finditer(text):
        _note(match[0], match.start(), found)
        parts = _JOINS.split(match[0])
        for part in parts if len(parts) > 1 else ():
            _note(part, match.start(), found)
    if is_cjk(text):
        for match in _HAN_RUN.finditer(text):
            _note(match[0], match.start(), found)
    return [name for printed, at in list(found.items())[:_MOST] if (name := _name(printed, at)).terms]


def without_brackets(title: str) -> str:
    """Return a title without what follows in brackets: "Mercury (planet)" is called Mercury in texts."""
    return _BRACKETS.sub("", title)


@lru_cache(maxsize=4096)
def title_terms(title: str) -> frozenset[str]:
    """Return the terms of a title as names are compared with it."""
    return frozenset(tokens(without_brackets(title)))


def titles_of(document: str, path: Sequence[str], title: str) -> tuple[frozenset[str], ...]:
    """Return the terms of each title that a passage goes by: of its document, its outer and inner section, its own."""
    printed = [document.rsplit(".", 1)[0], *path[:1], *path[-1:], title]
    return tuple(dict.fromkeys(terms for one in printed if one and (terms := title_terms(one))))


def agreement(name: frozenset[str], title: frozenset[str]) -> float:
    """Return how well a name and a title agree, 0..1 (Jaccard, 1901)."""
    return len(name & title) / len(name | title) if name and title else 0.0


def _note(printed: str, position: int, found: dict[str, int]) -> None:
    printed = printed.strip(" .,'’·")
    printed = re.sub(r"['’]s$", "", printed)
    if (len(printed) > 2 or is_cjk(printed)) and not printed.isdigit():
        found.setdefault(printed, position)


def _name(printed: str, position: int) -> Name:
    return Name(printed, title_terms(printed), position)


def entities_of(text: str) -> list[Name]:
    """Return the distinct names of a text that are worth a query, the next hop of a chain, in order of appearance.

    Left out is a word that has its capital from the beginning of a sentence, and the heads of a table.
    """
    is_table = " | " in text
    header = text.find("\n") if is_table else -1
    starts = set() if is_table else {one.start for one in split_sentences(text)}
    found: dict[str, Name] = {}
    for name in names_of(text):
        printed = _without_grammar(name.printed)
        opens = name.position in starts and printed == name.printed and " " not in printed
        if name.position > header and printed and (is_cjk(printed) or not opens):
            found.setdefault(printed, _name(printed, name.position))
    return [name for name in found.values() if name.terms]


def _without_grammar(printed: str) -> str:
    """Take from the beginning of a name what only builds grammar: "The Tenant" is Tenant."""
    words = printed.split()
    while words and not is_cjk(words[0]) and not content_terms(words[0]) and not words[0][0].isdigit():
        words = words[1:]
    return " ".join(words)
