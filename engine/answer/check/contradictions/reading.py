"""A sentence as a row of words and slots: what statements are compared by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from engine.answer.check.amounts import NUMBER, Amount, amount_of
from engine.answer.check.contradictions.negation import NEGATIONS, in_one_word
from engine.answer.check.contradictions.scope_words import (
    PERIOD_AFTER,
    PERIOD_BEFORE,
    PLAIN_GROUPS,
    SCOPE,
    names_an_event,
    scope_of,
)
from engine.answer.check.dates import DATE, When, date_of
from engine.answer.understand.terms import weight
from engine.index.tokenize import tokens

Kind = Literal["word", "character", "number", "date", "scope", "mark"]
_SCAN = re.compile(
    rf"(?P<date>{DATE})|(?P<number>{NUMBER})|(?P<scope>{SCOPE})"
    r"|(?P<word>(?:[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|(?<=[A-Za-z])\d)+(?:['’·.-][A-Za-z]+)*)"
    r"|(?P<character>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|(?P<mark>[^\s\w])",
    re.I,
)
# The number after such a word names a thing, it counts nothing.
_LABEL_BEFORE = re.compile(
    r"(?:\b(?:tables?|figures?|figs?\.?|articles?|sections?|chapters?|pages?|pp?\.|versions?|steps?|notes?|items?"
    r"|appendix|annex|part|volume|no\.?|nos\.?|eqs?\.?|equations?|exhibits?|level|class|grade|phase|question|example"
    r"|room|chapter|line|route|highway|rule|regulation|§+)|第|表|图|圖|附录|附件|公式|步骤|版本|[A-Z][A-Za-z]*-?)\s?[(（]?$"
)
_LABEL_AFTER = re.compile(r"\s?(?:条|條|章|节|節|款|项|項|页|頁|号|號|版|卷|级|編|编)")
_MOST_CHARACTERS = 600
OPENING_TOKENS = 12
_COUNTED = frozenset({"piece", "people", "company", "times", "share", "household", "vehicle"})


@dataclass(frozen=True, slots=True)
class Token:
    """One word, character or slot. Tokens of one ``key`` stand at the same place of two statements.

    ``period`` says what an amount holds for, ``event`` that something happened at a date, ``label`` that a
    number names a thing ("Table 3"), ``first`` that it opens the sentence.
    """

    kind: Kind
    text: str
    key: str
    worth: float = 0.0
    amount: Amount | None = None
    when: When | None = None
    scope: str = ""
    period: bool = False
    event: bool = False
    label: bool = False
    first: bool = False

    @property
    def slot(self) -> bool:
        """True for what carries a value of its own."""
        return self.kind in ("number", "date", "scope")


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence that was read.

    ``worth`` is what its words weigh; ``measured`` tells of an amount in it, ``counted`` of any number.
    """

    tokens: tuple[Token, ...]
    worth: float
    measured: bool
    counted: bool


@lru_cache(maxsize=1024)
def read(sentence: str) -> Read:
    """Read the first characters of a sentence."""
    text = _plain(sentence)[:_MOST_CHARACTERS]
    found: list[Token] = []
    at = 0
    while match := _SCAN.search(text, at):
        token, at = _token(match)
        if token is not None:
            first = not any(t.kind != "mark" for t in found)
            found.append(replace(token, first=first) if first else token)
    measured = any(_measures(t.amount) for t in found if t.amount is not None and not t.label)
    opening = _opening(found)
    found = [_with_role(token, measured or i < opening) for i, token in enumerate(found)]
    counted = any(t.amount is not None and not t.label for t in found)
    return Read(tuple(found), sum(token.worth for token in found), measured, counted)


def _token(match: re.Match[str]) -> tuple[Token | None, int]:
    text, start, end = match.string, match.start(), match.end()
    if match["date"] and (when := date_of(match)):
        return _date_token(match, when), end
    if match["date"] or match["number"]:
        return _number_at(text, start)
    if match["scope"] and (known := scope_of(match)):
        group, value = known
        return Token("scope", match[0], f"@{group}", 0.0, scope=value, period=group in PLAIN_GROUPS), end
    if match["word"]:
        stems = tokens(match[0])
        key = " ".join(stems) or match[0].lower()
        worth = sum(weight(stem) for stem in stems) if stems else 0.0
        return Token("word", match[0], key, min(worth, 1.5)), end
    if match["character"]:
        return Token("character", match[0], match[0], 0.5 * min(1.0, weight(match[0]) / 0.6)), end
    return Token("mark", match[0], match[0]), end


def _number_at(text: str, start: int) -> tuple[Token | None, int]:
    match = _NUMBER.match(text, start)
    if match is None:
        return None, start + 1
    found = amount_of(match)
    if found is None:
        return None, match.end()
    amount, end = found
    label = bool(_LABEL_BEFORE.search(text[max(0, start - 14) : start]) and not amount.measured) or bool(
        amount.unit is None and _LABEL_AFTER.match(text, match.end())
    )
    return Token("number", text[start:end].strip(" .,"), "@number", amount=amount, label=label), end


_NUMBER = re.compile(NUMBER, re.I)


def _date_token(match: re.Match[str], when: When) -> Token:
    before, after = match.string[max(0, match.start() - 40) : match.start()], match.string[match.end() :][:20]
    event = names_an_event(before, after)
    period = bool(match["fiscal"] or PERIOD_BEFORE.search(before) or PERIOD_AFTER.match(after)) and not event
    return Token("date", match[0], "@date", when=when, period=period, event=event)


def _measures(amount: Amount) -> bool:
    """True for what is measured rather than counted on one's fingers: 5%, 3 km, 480 people; not "one man"."""
    small = abs(amount.value) < 10 and amount.scale == 1 and amount.unit in _COUNTED
    return (amount.measured and not small) or abs(amount.value) >= 100


def _opening(tokens: Sequence[Token]) -> int:
    """Return how many tokens the phrase has that the sentence opens with, up to its comma or colon."""
    comma = next((i for i, t in enumerate(tokens[:OPENING_TOKENS]) if t.text in ",:，："), 0)
    scoped = any(t.kind == "scope" for t in tokens[:comma])
    return comma if scoped else 0


def _with_role(token: Token, measured: bool) -> Token:
    """A year beside an amount, or a month that opens its sentence, is what the amount holds for.

    Not so where something happened then.
    """
    if token.period or not measured:
        return token
    when = token.when
    vague = when is not None and not token.event and (when.year_only or (token.first and not when.exact))
    return replace(token, period=True) if vague or token.kind == "scope" else token


def negates(tokens_of: tuple[Token, ...]) -> bool:
    """True when a stretch holds a negation and little else."""
    if not tokens_of:
        return False
    characters = "".join(t.text for t in tokens_of if t.kind == "character")
    words = [t.text.lower() for t in tokens_of if t.kind == "word"]
    if characters:
        return characters in NEGATIONS
    return any(word in NEGATIONS or word.endswith(("n't", "n’t")) for word in words) and len(words) <= 3


def _plain(sentence: str) -> str:
    text = unicodedata.normalize("NFKC", sentence)
    return in_one_word(" ".join(re.sub(r"[*_#`|]+", " ", text).split()))
