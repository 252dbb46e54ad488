"""Find the stretch of a node's text that stands behind a claim.

Tried in this order: the claim word for word but for white space, width, case and kinds of quotes and dashes; a
quotation inside the claim; the sentence (or two neighbours) of the node that shares most of the claim's terms. Whatever
is found is returned as offsets, so that a snippet is always an exact stretch of the node.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Literal

from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.structure.sentences import Sentence, split_sentences
from engine.structure.terms import find_folded

Kind = Literal["exact", "quote", "sentence"]
# A claim shares at least this share of its terms with the sentence that is to support it.
ENOUGH_SHARED = 0.3
# Two sentences say so much more than one of them.
_A_PAIR = 0.15
_LONG = 400
# The cells of a row in a table's text; so many rows stand behind one claim at most.
BORDER, _MOST_ROWS = " | ", 3
_EDGES = " \t\n*_#>`\"'“”‘’「」『』()（）.,;:!?。，；：！？、-•"
QUOTATION = re.compile(r"“([^”\n]{4,})”|「([^」\n]{2,})」|『([^』\n]{2,})』|(?<!\w)\"([^\"\n]{4,})\"(?!\w)")
# What has a statement on each line.
LINE_ROLES = ("table", "list", "code", "image")


@dataclass(frozen=True, slots=True)
class Located:
    """Where a claim stands: ``source[start:end]``; ``score`` is the share of its terms found there."""

    start: int
    end: int
    kind: Kind
    score: float


@lru_cache(maxsize=512)
def sentences_of(text: str, role: str) -> tuple[Sentence, ...]:
    """Return the sentences of a node's text; rows and items for tables, lists and code."""
    return tuple(split_sentences(text, by_line=role in LINE_ROLES))


def locate(claim: str, text: str, role: str = "paragraph") -> Located | None:
    """Return the stretch of ``text`` that supports ``claim``, or None when they share too little."""
    bare = claim.strip(_EDGES)
    if not bare or not text:
        return None
    if place := find_folded(bare, text):
        return Located(*place, "exact", 1.0)
    for quote in quotations(claim):
        if place := find_folded(quote, text):
            return Located(*around(place, text, role), "quote", 1.0)
    rows = rows_for(bare, text) if role == "table" else []
    return rows[0] if rows else _best_sentence(bare, text, role)


def rows_for(claim: str, text: str, heads: Collection[str] = (), within: str = "") -> list[Located]:
    """Return the rows of a table's text that a claim is about, the surest first; none where it shares nothing with one.

    The first holds most of its figures, then of its words, is called by its label, holds most of the statement
    ``within`` which it stands; further ones state figures that are left and are named, too. ``heads`` are the lines
    that name columns: these are no rows.
    """
    wanted, above = content_terms(claim), frozenset(tokens("\n".join(heads)))
    left = figures = {term for term in wanted if any(map(str.isdigit, term))} - above
    rows = [one for one in sentences_of(text, "table") if BORDER in one.text and one.text not in heads]
    terms = [frozenset(tokens(row.text)) for row in rows]
    labels = (re.escape(row.text.split(BORDER)[0]) for row in rows)
    named = [len(label) if re.search(rf"(?<!\w){label}(?!\w)", claim, re.I) else 0 for label in labels]
    whole = [coverage(content_terms(within), one) for one in terms]
    shares = list(zip((coverage(wanted, one) for one in terms), named, whole, strict=True))
    chosen: list[Located] = []
    while rows and len(chosen) < _MOST_ROWS:
        best = max(range(len(rows)), key=lambda i: (len(left & terms[i]), shares[i]))
        more = left & terms[best] and wanted.keys() & terms[best] - figures - above
        if not (more if chosen else any(shares[best][:2])):
            break
        chosen.append(Located(rows[best].start, rows[best].end, "sentence", shares[best][0]))
        left = left - terms[best]
    return chosen


def items_for(claim: str, text: str) -> list[Located]:
    """Return the lines of a list that a claim states, neighbours as one; none where that is a single line."""
    wanted, lines = content_terms(claim).keys(), sentences_of(text, "list")
    stated = [n for n, line in enumerate(lines) if coverage(content_terms(line.text), wanted) >= ENOUGH_SHARED]
    runs = [[at for _, at in run] for _, run in groupby(enumerate(stated), lambda one: one[1] - one[0])]
    found = [Located(lines[run[0]].start, lines[run[-1]].end, "sentence", 1.0) for run in runs[:_MOST_ROWS]]
    return found if len(stated) > 1 and len(lines) > 2 else []


def shares_held(claim: str, sentences: Sequence[Sentence]) -> list[float]:
    """Return which share (0..1) of a claim's terms each sentence holds."""
    wanted = content_terms(claim)
    return [coverage(wanted, frozenset(tokens(sentence.text))) for sentence in sentences]


def _best_sentence(claim: str, text: str, role: str) -> Located | None:
    """Return the sentence, or pair of neighbours that shares clearly more terms with the claim, if enough."""
    wanted, sentences = content_terms(claim), sentences_of(text, role)
    found = [frozenset(tokens(sentence.text)) for sentence in sentences]
    stretches = [(coverage(wanted, terms), i, i) for i, terms in enumerate(found)]
    if role not in LINE_ROLES:
        pairs = enumerate(pairwise(found))
        stretches += [(coverage(wanted, a | b) - _A_PAIR, i, i + 1) for i, (a, b) in pairs]
    score, first, last = max(stretches, key=lambda one: one[0], default=(0.0, 0, 0))
    score += _A_PAIR if last > first else 0.0
    if score < ENOUGH_SHARED:
        return None
    start, end = sentences[first].start, sentences[last].end
    return Located(*narrow(start, end, text, wanted), "sentence", score)


def narrow(start: int, end: int, text: str, wanted: dict[str, float]) -> tuple[int, int]:
    """Return the part of a very long stretch that holds most of the wanted terms, cut at clauses."""
    if end - start <= _LONG:
        return start, end
    cuts = [start, *(start + m.end() for m in re.finditer(r"[,;:，；：、\n|]\s*", text[start:end])), end]
    windows = []
    for i, left in enumerate(cuts[:-1]):
        right = max((cut for cut in cuts[i + 1 :] if cut - left <= _LONG), default=min(end, left + _LONG))
        windows.append((left, right))
    left, right = max(windows, key=lambda one: coverage(wanted, set(tokens(text[slice(*one)]))))
    stretch = text[left:right]
    return left + len(stretch) - len(stretch.lstrip()), left + len(stretch.rstrip())


def quotations(text: str) -> list[str]:
    """Return what stands between quotation marks, without the marks and closing punctuation."""
    quoted = ("".join(filter(None, match.groups())) for match in QUOTATION.finditer(text))
    return [bare for one in quoted if (bare := one.strip(_EDGES))]


def around(place: tuple[int, int], text: str, role: str) -> tuple[int, int]:
    """Return the sentences that a stretch lies in."""
    sentences = sentences_of(text, role)
    held = touching(sentences, *place)
    return (sentences[held[0]].start, sentences[held[-1]].end) if held else place


def touching(sentences: Sequence[Sentence], start: int, end: int) -> list[int]:
    """Return the numbers of the sentences that a stretch of their text lies in."""
    return [number for number, one in enumerate(sentences) if one.start < end and one.end > start]
