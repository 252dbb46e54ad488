"""Which words differ between two texts, in Chinese and in languages with spaces.

A token is a number (digits with their separators, or Chinese numerals), a word, one Chinese character, a run
of white space or one other character. The longest matching blocks of tokens are the same (Ratcliff & Metzener
1988, as in ``difflib``); short matches between changes are given up, because islands of a comma or a single
character are harder to read than a phrase that was replaced (Fraser, "Diff strategies", 2006: semantic clean-up).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from rapidfuzz.distance import Indel, Postfix, Prefix

from engine.model import Value

SpanKind = Literal["same", "removed", "added"]
# Tokens of one text times tokens of the other; beyond that the stretch between the common ends is replaced whole.
_LARGEST = 4_000_000
_TOKEN = re.compile(
    r"\d+(?:[.,:/]\d+)*%?|[零〇一二三四五六七八九十百千万亿两]+|[㐀-䶿一-鿿豈-﫿぀-ヿ]|[^\W\d_㐀-䶿一-鿿豈-﫿぀-ヿ]+|\s+|.",
    re.DOTALL,
)
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Span(Value):
    """A stretch of text: in both texts, only in the one before ("removed"), or only in the one after ("added")."""

    kind: SpanKind
    text: str


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text; joined they are the text."""
    return _TOKEN.findall(text)


def changed_words(before: str, after: str) -> list[Span]:
    """Return the two texts as one run of spans: the same and removed ones are ``before``, word for word.

    The same and added ones are ``after``.
    """
    old, new = tokens_of(before), tokens_of(after)
    head = Prefix.similarity(old, new)
    tail = Postfix.similarity(old[head:], new[head:])
    spans = [("same", old[:head], new[:head])]
    spans += _between(old[head : len(old) - tail], new[head : len(new) - tail])
    spans.append(("same", old[len(old) - tail :], new[len(new) - tail :]))
    return list(_spans(spans))


def likeness(before: str, after: str) -> float:
    """Return how much of two texts is the same, 0 to 1, by their words in order."""
    return Indel.normalized_similarity(_words(before), _words(after))


def _words(text: str) -> list[str]:
    return [token for token in tokens_of(text.casefold()) if _WORD.match(token)]


_Piece = tuple[str, list[str], list[str]]


def _between(old: list[str], new: list[str]) -> list[_Piece]:
    if not old or not new or len(old) * len(new) > _LARGEST:
        return [("changed", old, new)]
    pieces: list[_Piece] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        pieces.append(("same" if tag == "equal" else "changed", old[i1:i2], new[j1:j2]))
    return _readable(pieces)


def _readable(pieces: list[_Piece]) -> list[_Piece]:
    """Join changes that only a space, a mark or a letter or two keep apart."""
    joined: list[_Piece] = []
    for place, (kind, old, new) in enumerate(pieces):
        words = "".join(old)
        if kind == "same" and 0 < place < len(pieces) - 1 and "\n" not in words and len(_WORD.findall(words)) <= 1:
            kind = "changed"
        if joined and joined[-1][0] == kind:
            _, before, after = joined[-1]
            joined[-1] = (kind, before + old, after + new)
        else:
            joined.append((kind, old, new))
    return joined


def _spans(pieces: list[_Piece]) -> Iterator[Span]:
    for kind, old, new in pieces:
        told: list[tuple[SpanKind, list[str]]] = [("removed", old), ("added", new)]
        if kind == "same":
            told = [("same", old)]
        yield from (Span(one, "".join(tokens)) for one, tokens in told if tokens)
