"""What the words of a question or a claim are worth when text is held against text.

Terms are those of :func:`engine.index.tokenize.tokens` (stems, numbers, character bigrams). Function
words and the words that only make a question weigh nothing or little; numbers weigh most. Frequencies
of the library are not used, so that a library of three documents behaves like one of three thousand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

_ENGLISH = """
a an the this that these those there here it its he she they we you i me him her them us his hers their our
your my mine who whom whose which what when where why how is are was were be been being am do does did done
doing has have had having can could will would shall should may might must not no nor and or but if then
than so as at by for from in into of off on onto out over to under up with without within about above after
again against all also any because before below between both during each few further just more most much
get gets got often
many near only other others own same some such through too until upon very via while s t d ll m re ve
name names named called call many much kind type sort tell give say says said describe explain list
please show find main following according document documents file files text mention mentioned
mean meant meaning define definition
"""
# Chinese characters that mostly build grammar or the question itself.
_GRAMMAR = set(
    "的了是在和与及或也都就而但被把对于从到为以之其这那哪什么怎样谁几多少吗呢吧啊么个些有没不很会能可要将已还又再该此各每"
    "请问你我他她它们些者所则且并若如何因由着过给让向往這個們為於還該與從對會嗎過著讓幾誰麼樣來時"
)
_ASKING = """
什么 怎么 怎样 如何 为何 为什 哪些 哪个 哪里 哪儿 哪一 哪年 哪位 多少 多大 多久 多长 多高 几个
几年 是否 是谁 谁是 是什 么是 是哪 是多 少个 少年 少人 有多 有哪 有几 在哪 叫什 么时 时候
何时 么名 么样 请问 介绍 告诉 请介 名字 意思 么意 含义 定义
什麼 怎麼 為何 為什 哪裡 甚麼 幾個 是誰 麼時 時候 麼意 含義 定義
"""
_QUESTION = frozenset(_ASKING.split())
FUNCTION_WORDS = frozenset(term for word in _ENGLISH.split() for term in tokens(word))
_NUMBER = re.compile(r"\d")
# "How old" asks for an age; that the answer is old nobody says.
HOW = re.compile(
    r"\b(how)\s+(?:old|long|far|tall|high|large|big|deep|fast|wide|heavy|soon|early|late|frequently)\b", re.I
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_RUN = re.compile(r"[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+")


@lru_cache(maxsize=1 << 15)
def weight(term: str) -> float:
    """Return what a term is worth: 0 for function words, 1 for a content word, more for numbers."""
    if term in FUNCTION_WORDS or term in _QUESTION:
        return 0.0
    if _NUMBER.search(term):
        return 1.5
    if "\u3400" <= term[0] <= "\u9fff":
        grammar = sum(character in _GRAMMAR for character in term)
        return (1.0, 0.35, 0.0)[min(grammar, 2)] if len(term) > 1 else (0.6, 0.0)[min(grammar, 1)]
    return 1.0 if len(term) > 1 else 0.3


def content_terms(text: str) -> dict[str, float]:
    """Return the terms of a text that carry meaning, with their weights, in order of appearance."""
    plain = HOW.sub(r"\1", text)
    return {term: value for term in tokens(plain) if (value := weight(term)) > 0}


def coverage(wanted: dict[str, float], present: Iterable[str]) -> float:
    """Return which share (0..1) of the wanted terms' weight is present; 0 when nothing is wanted."""
    total = sum(wanted.values())
    if not total:
        return 0.0
    have = present if isinstance(present, set | frozenset | dict) else set(present)
    return sum(value for term, value in wanted.items() if term in have) / total


class Piece(NamedTuple):
    """A piece of a question: any of its terms covers it. ``text`` is as written."""

    text: str
    weight: float
    terms: frozenset[str]


def pieces_of(question: str) -> list[Piece]:
    """Return the pieces of a question that carry meaning, in order.

    A word is a piece. Of a Chinese run every character is one, covered by either bigram it belongs to:
    where words are put in another order, the bigrams across their borders are never found, but the
    characters are. So coverage means the same in Chinese and in English.
    """
    pieces: list[Piece] = []
    normal = HOW.sub(r"\1", unicodedata.normalize("NFKC", question))
    for match in _RUN.finditer(normal):
        run = match[0]
        if _HAN.match(run):
            pieces.extend(_characters(run))
        else:
            pieces.extend(Piece(run, value, frozenset([term])) for term, value in content_terms(run).items())
    return pieces


def pieces_covered(pieces: Sequence[Piece], present: frozenset[str] | set[str]) -> float:
    """Return which share (0..1) of the pieces' weight is covered by the terms present."""
    total = sum(piece.weight for piece in pieces)
    return sum(piece.weight for piece in pieces if piece.terms & present) / total if total else 0.0


def words_missing(question: str, present: frozenset[str] | set[str]) -> list[str]:
    """Return the words (or runs of Chinese characters) of a question of which no term is present, as written."""
    missing: list[str] = []
    run = ""
    for piece in [*pieces_of(question), Piece("", 0.0, frozenset())]:
        absent = bool(piece.terms) and not piece.terms & present
        here = absent and is_cjk(piece.text)
        if here and run + piece.text in question:
            run += piece.text
            continue
        if len(run) > 1:
            missing.append(run)
        run = piece.text if here else ""
        if absent and not here:
            missing.append(piece.text.strip("?,.;:!？，。；：！\"'()"))
    return list(dict.fromkeys(missing))


def _characters(run: str) -> list[Piece]:
    lowered = run.lower()
    if len(lowered) == 1:
        return [Piece(run, 0.6, frozenset(run))] if run not in _GRAMMAR else []
    found = []
    for i, character in enumerate(lowered):
        around = [lowered[k : k + 2] for k in (i - 1, i) if k >= 0 and k + 2 <= len(lowered)]
        meaning = frozenset(bigram for bigram in around if weight(bigram) > 0)
        if character not in _GRAMMAR and meaning and not _QUESTION.intersection(around):
            found.append(Piece(run[i], 0.5, meaning))
    return found
