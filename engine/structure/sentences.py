"""Sentences of Chinese and English text, as exact stretches of it.

A sentence ends at 。！？!? (with closing quotes and brackets), at a full stop that is none of an
abbreviation, an initial, a decimal or a numbering, at an empty line, and before a line that starts a
list item. A ； ends one only at the end of its line, where Chinese lists and statutes put it. In tables,
lists and code every line is a sentence of its own (``by_line``).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine.language import patterns
from engine.structure.sequences import runs

_WORDS = {name: frozenset(words.split()) for name, words in patterns("document_parts")["sentences"].items()}
_NUMBERED = re.compile(r"[(\[]?\s?(?:[A-Z]{1,2}[.\-]?)?\d")
_CLOSERS = "”’\"'」』）)》】］〕]〉"
_CJK_ENDS = "。！？｡"
# Marks of references right behind the end belong to the sentence: "of geese.[5][a] All".
_MARKS = r"(?:\[(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|[a-z]|note \d{1,3}|citation needed)\])*"
_CANDIDATE = re.compile(rf"[{_CJK_ENDS}!?.]+[{re.escape(_CLOSERS)}]*{_MARKS}|；[ \t]*(?=\n|$)|\n[ \t]*\n\s*|\n")
_ITEM = re.compile(
    r"[ \t]*(?:[-*•▪●○·‣–—]\s|\d{1,3}[.)、．]\s?\D"
    r"|[(（][\da-zA-Z一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)"
)
_CLAUSE = re.compile(rf"(?:；+|;+(?=\s|$))[{re.escape(_CLOSERS)}]*|\n+")
_AROUND = 60
HARD_LIMIT = 2000
_LAST_WORD = re.compile(r"(?:[A-Za-z]\.)*[A-Za-z]+$")
# The letter of "Form 10-K." is no initial.
_OF_A_NUMBER = re.compile(r"\d[-\u2010-\u2013]?\Z")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Sentence(NamedTuple):
    """A stretch of a text: ``text == source[start:end]``, without spaces around it."""

    start: int
    end: int
    text: str


def is_cjk(text: str) -> bool:
    """True when the text holds a Chinese, Japanese or Korean character."""
    return bool(_CJK.search(text))


def is_item(text: str) -> bool:
    """True for a text that starts as an item of a list does: with a bullet or a number of its own."""
    return bool(_ITEM.match(text))


def is_fragment(text: str) -> bool:
    """True for a line without an end: of a form or a slide, no sentence."""
    sentences = split_sentences(text)
    return len(sentences) == 1 and sentences[0].text[-1] not in f".!?;；{_CJK_ENDS}"


def split_sentences(text: str, by_line: bool = False) -> list[Sentence]:
    """Return the sentences of a text in order; nothing but white space lies between them."""
    candidates = (re.compile(r"\n+") if by_line else _CANDIDATE).finditer(text)
    ends = [match.end() for match in candidates if by_line or _is_end(text, match)]
    sentences = []
    for start, end in pairwise([0, *ends, len(text)]):
        piece = text[start:end]
        if stripped := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            sentences.append(Sentence(first, first + len(stripped), stripped))
    return sentences


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text with the space after each; joined they give the text again."""
    return [text[start:end] for start, end in _covering(text, {s.start for s in split_sentences(text)})]


@lru_cache(maxsize=1 << 10)  # questions find the same texts again
def clause_spans(text: str) -> Sequence[tuple[int, int]]:
    """Return (start, end) of the lines, sentences and clauses (up to a semicolon) of a text, without gaps."""
    starts = {sentence.start for sentence in split_sentences(text)}
    for match in _CLAUSE.finditer(text):
        end = match.end()
        starts.add(end + len(text[end : end + _AROUND]) - len(text[end : end + _AROUND].lstrip()))
    return _covering(text, starts)


def split_long(text: str, limit: int = HARD_LIMIT, *, keep_space: bool = False) -> list[str]:
    """Cut text over ``limit`` characters into even parts at sentence ends; ``keep_space``: joined they are it again."""
    if len(text) <= limit:
        return [text]
    target = len(text) / -(-len(text) // limit)
    pieces = (piece for sentence in sentences_of(text) for piece in _cut(sentence, limit))

    def fits(run: Sequence[str], piece: str) -> bool:
        length = sum(map(len, run))
        return length < target and length + len(piece) <= limit

    parts = ["".join(run) for run in runs(pieces, fits)]
    return parts if keep_space else [part.strip() for part in parts if part.strip()]


def _covering(text: str, starts: set[int]) -> list[tuple[int, int]]:
    """Return the stretches that begin at 0 and at the starts within the text; one, empty, for no text."""
    stops = [0, *sorted(start for start in starts if 0 < start < len(text)), len(text)]
    if text and not text[: stops[1]].strip() and len(stops) > 2:
        del stops[1]  # white space in front goes with the first sentence
    return list(pairwise(stops))


def _cut(sentence: str, limit: int) -> list[str]:
    pieces, start = [], 0
    while len(sentence) - start > limit:
        at = sentence.rfind(" ", start + limit // 2, start + limit) + 1 or start + limit
        pieces.append(sentence[start:at])
        start = at
    return [*pieces, sentence[start:]]


def _is_end(text: str, match: re.Match[str]) -> bool:
    mark, after = match[0], text[match.end() : match.end() + _AROUND]
    if "\n" in mark:
        return mark.count("\n") > 1 or bool(_ITEM.match(after))
    if mark.startswith("；"):
        return True
    following = after.lstrip()
    if any(end in mark for end in _CJK_ENDS):
        return not following.startswith(("，", "、", "；", "：", "的", ",")) or not following
    if not following:
        return True
    spaced = after[0].isspace()
    if "!" in mark or "?" in mark:
        return (spaced or is_cjk(after[0])) and not following[0].islower()
    return _is_full_stop(text, match, spaced, following)


def _is_full_stop(text: str, match: re.Match[str], spaced: bool, following: str) -> bool:
    """Decide about "." (or "..."), where ``following`` is the rest without leading spaces."""
    if not spaced:
        return is_cjk(following[0]) and is_cjk(text[max(0, match.start() - 1)])
    if following[0].islower():
        return False
    before = text[max(0, match.start() - _AROUND) : match.start()]
    if match[0].startswith(".."):
        return True
    word = _LAST_WORD.search(before)
    if word is None:
        line = before[before.rfind("\n") + 1 :].strip()
        return not re.fullmatch(r"[(（]?\d{1,3}(?:\.\d{1,3})*", line)  # "3. Methods", "2.1. Data"
    name = word[0].lower()
    if name in _WORDS["abbreviations"]:
        if name in _WORDS["before_numbers"]:
            return _NUMBERED.match(following) is None
        first = re.match(r"[A-Z][A-Za-z]*", following)
        anew = first is not None and first[0] in _WORDS["starters"]
        return anew and name in _WORDS["may_end"] and match[0] == "."
    initial = len(word[0]) == 1 and word[0].isupper() and not _OF_A_NUMBER.search(before, 0, word.start())
    return not (initial and following[0].isupper())  # "J. Smith"
