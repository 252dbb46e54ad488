"""How the words of a statement stand in its source: together in one clause, scattered, or nowhere; denied or not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.check.denial import denied
from engine.answer.check.reading import Spoken, read, same
from engine.answer.check.spoken import covered
from engine.structure.sentences import is_cjk, split_sentences

_CLAUSE = re.compile(r"(?<=[;；])\s*|(?<=[,，])\s+(?=(?:but|while|and|whereas)\b)|(?<=[，])(?=[而但])", re.I)
_CLEARLY_THERE = 0.25
_A_VALUE = 0.25
# What an amount is for: 12 euros a year, 每月.
_RATE = re.compile(
    r"\b(?:a|per|each|every)\s(second|minute|hour|day|week|month|quarter|year)\b|[每/](秒|分钟|小时|天|日|周|月|季度?|年)",
    re.I,
)
# "North America" is written out for NA.
_RUN = re.compile(r"[A-Z][\w-]+(?: [A-Z][\w-]+)+")
_SAME_RATE = {"日": "天", "季": "季度"}


@dataclass(frozen=True, slots=True)
class Wording:
    """What of a statement's words (0..1, by worth) stands where.

    ``together`` is the share in the clause that holds most, ``anywhere`` in the whole source; ``names_missing``
    are names that stand nowhere. ``denied`` where one of statement and clause denies what the other does not, or
    they say contrary words. ``place`` is the clause; ``other_rate`` what an amount is for, here and
    there, where these differ.
    """

    together: float
    anywhere: float
    names_missing: tuple[str, ...]
    denied: bool
    place: str
    other_rate: tuple[str, str] | None = None


def wording_of(
    statement: str, words: Sequence[Spoken], text: str, by_line: bool, known: frozenset[str], foreign: bool
) -> Wording:
    """Hold a statement's words against a text; ``known`` are the keys of text and titles together."""
    sentences = [sentence.text for sentence in split_sentences(text, by_line)]
    clauses = [clause for sentence in sentences for clause in _CLAUSE.split(sentence) if clause.strip()]
    shares = [covered(words, read(clause).keys) for clause in clauses]
    stated = read(statement).values
    held = [sum(any(same(v, t) for t in read(clause).values) for v in stated) for clause in clauses]
    best = max(range(len(shares)), key=lambda i: shares[i] + _A_VALUE * held[i], default=-1)
    place = clauses[best] if best >= 0 else ""
    whole = next((sentence for sentence in sentences if place in sentence), place)
    together = shares[best] if best >= 0 else 0.0
    spoken_of = not foreign and best >= 0 and together + _A_VALUE * held[best] >= _CLEARLY_THERE
    return Wording(
        together, covered(words, known), tuple(_missing(statement, words, known, text)),
        spoken_of and denied(statement, place, whole), place,
        None if foreign else _other_rate(statement, whole),
    )  # fmt: skip


def _other_rate(statement: str, place: str) -> tuple[str, str] | None:
    """Return what a statement's amount is for where the place, in the same language, has only another: month, year."""
    mine, theirs = (
        {m[1] or _SAME_RATE.get(m[2], m[2]): m[0] for m in _RATE.finditer(t)} for t in (statement, place)
    )
    if not mine or not theirs or mine.keys() & theirs.keys():
        return None
    return next(iter(mine.values())), next(iter(theirs.values()))


def _missing(statement: str, words: Sequence[Spoken], known: frozenset[str], text: str) -> list[str]:
    """Return the names of a statement that neither stand in the source nor begin as a word of it does."""
    begun = {key[:4] for key in known}
    folded = text.casefold()
    latin = not is_cjk(text)
    runs = [run[0].split() for run in _RUN.finditer(statement)]
    parts = [run[i:j] for run in runs for i in range(len(run)) for j in range(i + 2, len(run) + 1)]
    written_out = {
        w for part in parts if re.search(rf"\b{''.join(w[0] for w in part)}\b", text) for w in part
    }
    return [
        word.text
        for word in words
        if word.name
        and (latin or is_cjk(statement))
        and not word.keys & known
        and word.text.casefold() not in folded
        and word.text not in written_out
        and not (word.text.isupper() and len(word.text) <= 5)
        and not any(key[:4] in begun for key in word.keys)
    ]
