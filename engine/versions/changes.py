"""What a difference consists of; which words differ between two texts, in Chinese and in languages with spaces.

A token is a number (digits with their separators, or Chinese numerals), a word, one Chinese character, a run
of white space or one other character. The longest matching blocks of tokens are the same (Ratcliff & Metzener
1988, as in ``difflib``); short matches between changes are given up, because islands of a comma or a single
character are harder to read than a phrase that was replaced (Fraser, "Diff strategies", 2006: semantic clean-up).
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal

from rapidfuzz.distance import Indel, Postfix, Prefix

from engine.model import Role, Value

KINDS = ("changed", "added", "removed", "moved", "renamed")
PassageKind = Literal["added", "removed", "changed"]
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


@dataclass(frozen=True, slots=True)
class CellChange(Value):
    """A cell of a row that differs; ``address`` is that of the newer version where it has the cell, "" in no sheet."""

    address: str
    row: str
    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Passage(Value):
    """A paragraph, a line of one or of a list, a table row … that differs.

    ``before`` and ``after`` are its texts, "" where a version lacks it; ``spans`` marks the words that differ.
    ``before_node`` and ``after_node`` are the nodes that hold them; a row's is its table, ``cells`` what of it differs.
    """

    kind: PassageKind
    role: Role | Literal["row"]
    before: str
    after: str
    before_node: str | None
    after_node: str | None
    spans: list[Span] = field(default_factory=list)
    cells: list[CellChange] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Change(Value):
    """What happened to one section, or to one passage of text under no heading.

    ``path`` are the section titles that lead to it in the newer version (in the older one where the newer lacks
    it), ``[]`` for text under no heading. ``before`` and ``after`` are what differs, as text: of a changed
    section only its changed passages, of a renamed one its titles, of a moved one the paths, joined by " > ".
    ``before_node`` and ``after_node`` are the nodes of the section in the two versions.
    """

    path: list[str]
    before: str
    after: str
    before_node: str | None
    after_node: str | None
    passages: list[Passage] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Difference(Value):
    """How version ``after`` of a document differs from version ``before``; each list is in reading order.

    ``renumbered`` are sections whose title only got another number.
    """

    document_id: str
    document: str
    before: int
    after: int
    added: list[Change]
    removed: list[Change]
    changed: list[Change]
    moved: list[Change]
    renamed: list[Change]
    renumbered: list[Change]

    @property
    def counts(self) -> dict[str, int]:
        """How many passages and sections were changed, added, removed, moved and renamed; new numbers do not count."""
        found: Counter[str] = Counter(passage.kind for change in self.changed for passage in change.passages)
        for kind in ("added", "removed", "moved", "renamed"):
            found[kind] += sum(len(change.passages) or 1 for change in getattr(self, kind))
        return {kind: found[kind] for kind in KINDS if found[kind]}

    @property
    def count(self) -> int:
        """How many these are in all."""
        return sum(self.counts.values())
