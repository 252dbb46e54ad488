"""What a question asks of the document that it names: "monthly cost of Quillon Yard" asks its lease for the cost.

The name tells which document is meant, not what is asked of it. It stands in the title, over all passages alike, and
few of them say it again: held against the whole question the one that tells the rent looks as far from it as any
other, and any other nearer than it is.

A name is a word of a document's title or of its file's name that is written with a capital in the question and never
without one in what was found, with the words of the title that follow it ("the Wexcombe library"), or, in Chinese, what
one of the two begins with (青棠小学 of 青棠小学关于研学的通知).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from engine.answer.understand.terms import pieces_of
from engine.model import Evidence

# So much must be left of a question: two words, or four characters of Chinese.
_LEFT = 2.0
# Fewer passages are no document to look in, and one that names itself in more than so many of them is its subject.
_PASSAGES, _SAID_IN = 2, 0.5
_SHORTEST = 2
_WORD = re.compile(r"[A-Za-z][\w.&-]*\w|[A-Z]")
# What makes a longer name of one: "Super Bowl XLIX" is not asked of a document on Super Bowl 50.
_EDITION = re.compile(r"\s+([IVXLC]+|\d{1,3})\b")
_SEPARATED = re.compile(r"[-_]+")
_SMALL = re.compile(r"(?<![A-Za-z])[a-z][\w.&-]*\w")
_HAN = re.compile(r"[\u3400-\u9fff]{2,}")
_BEFORE = r"(?:\b(?:at|of|in|for|from|on|by|with|to|under)\s+)?(?:\bthe\s+)?"


@dataclass(frozen=True, slots=True)
class OfNamed:
    """``rest`` is what is asked of the ``documents`` (ids), ``names`` are theirs as the question has them."""

    rest: str
    names: tuple[str, ...]
    documents: frozenset[str]


def of_named(question: str, evidence: Sequence[Evidence]) -> OfNamed | None:
    """Return what a question asks of the documents that it names.

    None where it names none, or several of which none has all the names; where it asks for nothing else; and where the
    passages say the name themselves.
    """
    text = unicodedata.normalize("NFKC", question)
    small = {word for item in evidence for word in _SMALL.findall(item.text)}
    names_of = {item.hit.document_id: frozenset(_names(text, item, small)) for item in evidence}
    names = frozenset().union(*names_of.values())
    documents = frozenset(key for key, own in names_of.items() if own == names)
    texts = [item.text for item in evidence if item.hit.document_id in documents]
    saying = sum(any(name in text for name in names) for text in texts)
    if not names or len(texts) < _PASSAGES or saying > _SAID_IN * len(texts):
        return None
    rest = " ".join(_without(text, names).split())
    if sum(piece.weight for piece in pieces_of(rest)) < _LEFT:
        return None
    return OfNamed(rest, tuple(sorted(names, key=text.index)), documents)


def _names(question: str, item: Evidence, small: set[str]) -> Iterator[str]:
    """Yield the names of an item's document that stand in a question."""
    called = [unicodedata.normalize("NFKC", one) for one in (_stem(item), item.subject.partition("\n")[0])]
    parts = [part for one in called for part in (one, _SEPARATED.sub(" ", one))]
    words = {word.casefold() for part in parts for word in _WORD.findall(part)}
    editions = {number.casefold() for part in parts for number in re.findall(r"\w+", part)}
    name: list[str] = []
    for match in _WORD.finditer(question):
        plain = match[0].casefold()
        proper = not match[0][0].islower() and plain not in small
        if plain not in words or not (proper or name):
            yield from name
            name = []
            continue
        edition = _EDITION.match(question, match.end())
        name = [] if edition and edition[1].casefold() not in editions else [*name, match[0]]
    yield from name
    for part in (part for one in called for part in _HAN.findall(one)):
        lengths = (n for n in range(len(part), _SHORTEST - 1, -1) if part[:n] in question)
        if length := next(lengths, 0):
            yield part[:length]


def _stem(item: Evidence) -> str:
    return PurePath(item.hit.document).stem


def _without(text: str, names: Collection[str]) -> str:
    """Return a text without names, and without the words that join them to the rest."""
    for name in sorted(names, key=len, reverse=True):
        latin = name.isascii()
        before, edge, after = (_BEFORE, r"\b", r"(?:['’]s\b)?") if latin else ("", "", "的?")
        text = re.sub(f"{before}{edge}{re.escape(name)}{edge}{after}", " ", text)
    return text
