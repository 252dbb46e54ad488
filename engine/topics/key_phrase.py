"""The phrase that says best what a passage is about, taken from its own words; no model, both languages.

Candidates are runs of content words between function words and punctuation (Rose et al., "RAKE", 2010), and in
Chinese, which marks no words, character runs that come again in varied company (accessor variety: Feng et al.,
Computational Linguistics 30(1), 2004). A candidate counts by how often the passage has it and by how rare its
terms are in the rest of the document (TF-IDF).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from engine.language import words_that_say_little
from engine.structure.terms import HAN, STOP_WORDS, length_of, singular, terms_of

LONGEST_PHRASE = 3
# A longer run of letters and digits is data (a key, a picture as text), no word.
LONGEST_WORD = 24
LONGEST_HAN = 8
READ_LETTERS = 2500
LONGEST_TITLE = 20.0
_WEAK, _FOREIGN = words_that_say_little("weak"), words_that_say_little("foreign")
_TOKEN = re.compile(r"[^\W_]+(?:[-'’&][^\W_]+)*|[^\w\s]|\n")
# A common short word of a document is one of its language's, not one of its topic.
COMMON_SHARE, COMMON_LETTERS = 0.12, 5
LEADING_WORDS = 24
# Characters that Chinese phrases neither hold nor meet with their ends.
_HAN_FUNCTION = (
    "的了是在与及或等为对于由以并其这那我你您他她它们个也都就不很有上下中来去着过把被让给从向到说道又还"
    "而但却则所之乎者呢吗吧啊么什怎和将会能可应该如若因此每各某本要没无些只再才已曾最更太非常种次年月日时〇零一二两三四五六七八九十百千万第条款项"
)
_HAN_RUN = re.compile(rf"[^\W\d_a-zA-Z{_HAN_FUNCTION}]{{2,}}")
_NO_NOUN = re.compile(r"(?:ly|ing|ed|al|ic|ive|ous|able|ible|ful|ish|est)$")


@dataclass(frozen=True, slots=True)
class Background:
    """What is usual in a document: in how many of its passages each term stands."""

    passages: int
    found: Counter[str]

    def rarity(self, term: str) -> float:
        """Return how much a term tells, about 0.1 (in all passages) to log(1 + passages)."""
        return math.log(1 + self.passages / max(1, self.found[term]))


def background_of(passages: Iterable[str]) -> Background:
    """Return the background that the passages of a document make."""
    found: Counter[str] = Counter()
    count = 0
    for passage in passages:
        found.update(terms_of(passage).keys())
        count += 1
    return Background(max(1, count), found)


def key_phrases(passage: str, background: Background, most: int = 5) -> list[str]:
    """Return up to ``most`` key phrases of a passage, the best first, none inside another."""
    text = passage[:READ_LETTERS]
    han = sum(map(len, HAN.findall(text)))
    scores = _chinese(text, background) if han * 3 > text.count(" ") else {}
    if not scores or han * 2 < len(text):
        for phrase, score in _spaced(text, background).items():
            scores[phrase] = score * (0.6 if han * 3 > len(text) else 1.0)
    used: list[str] = []
    chosen: list[str] = []
    for phrase in sorted(scores, key=lambda phrase: (-scores[phrase], phrase)):
        plain = _plain(phrase)
        if not plain or any(_repeats(plain, other) for other in used):
            continue
        chosen.append(phrase)
        used.append(plain)
        if len(chosen) == most:
            break
    return chosen


def _spaced(text: str, background: Background) -> dict[str, float]:
    """Return the scores of phrases in languages with spaces between words."""
    runs = _runs(text, background)
    own = Counter(word for run in runs for word, _ in run)
    weights = {word: count * background.rarity(word) for word, count in own.items()}
    leading = set(sorted(weights, key=lambda word: (-weights[word], word))[:LEADING_WORDS])
    counts: dict[tuple[str, ...], int] = {}
    surfaces: dict[tuple[str, ...], str] = {}
    for run in runs:
        words = [word for word, _ in run]
        known = [word in leading for word in words]
        for at in range(len(run)):
            for end in range(at + 1, min(at + LONGEST_PHRASE, len(run)) + 1):
                if any(known[at:end]):
                    key = tuple(words[at:end])
                    if key not in counts:
                        surfaces[key] = " ".join(surface for _, surface in run[at:end])
                    counts[key] = counts.get(key, 0) + 1
    scores: dict[str, float] = {}
    for key, count in counts.items():
        surface = surfaces[key]
        if length_of(surface) <= LONGEST_TITLE and len(set(key)) == len(key):
            mean = sum(weights[word] for word in key) / len(key)
            scores[surface[0].upper() + surface[1:]] = mean * _shape(surface, len(key), count)
    return scores


def _runs(text: str, background: Background) -> list[list[tuple[str, str]]]:
    """Return the runs of content words, each as (term, word as it stands), between function words and marks."""
    runs: list[list[tuple[str, str]]] = [[]]
    known: dict[str, str] = {}
    common = max(3.0, COMMON_SHARE * background.passages)
    for token in _TOKEN.findall(HAN.sub("\n", text)):
        if token not in known:
            known[token] = _term(token, background, common)
        if known[token]:
            runs[-1].append((known[token], token))
        elif runs[-1]:
            runs.append([])
    return runs


def _term(token: str, background: Background, common: float) -> str:
    """Return the term of a content word, "" for any other token."""
    word = token.lower().replace("’", "'")
    if not 2 <= len(word) <= LONGEST_WORD or not word[0].isalpha():
        return ""
    if word in STOP_WORDS or word in _WEAK or word in _FOREIGN:
        return ""
    term = singular(word)
    return (
        ""
        if len(word) <= COMMON_LETTERS and not token.isupper() and background.found[term] > common
        else term
    )


def _shape(surface: str, words: int, count: int) -> float:
    """Return what the form of a phrase adds: several words, names, and coming again speak for it."""
    often = 1 + math.log(count)
    acronym = words == 1 and len(surface) > 1 and surface[1:].lower() != surface[1:]
    if words == 1:
        single = 0.5 if acronym else 0.3
        if not acronym and _NO_NOUN.search(surface.lower()):
            single *= 0.5
        return single * often * (1.0 if count > 1 else 0.25)
    parts = surface.split()
    value = 1.2 if all(part[0].isupper() for part in parts) else 1.0
    if _NO_NOUN.search(parts[-1].lower()):
        value *= 0.6
    return value * often * (0.75 if count == 1 else 1.0)


def _chinese(text: str, background: Background) -> dict[str, float]:
    """Return the scores of runs of Chinese characters."""
    own = terms_of(text)
    counts: Counter[str] = Counter()
    before: dict[str, set[str]] = defaultdict(set)
    after: dict[str, set[str]] = defaultdict(set)
    edges: Counter[str] = Counter()
    for match in _HAN_RUN.finditer(text):
        run = match[0]
        for start in range(len(run) - 1):
            for size in range(2, min(LONGEST_HAN, len(run) - start) + 1):
                # What comes once comes again in no longer run; only a whole run may stand once.
                if own[run[start + size - 2 : start + size]] < 2 and (start or len(run) > LONGEST_HAN):
                    break
                piece = run[start : start + size]
                counts[piece] += 1
                before[piece].add(run[start - 1] if start else f"{match.start()}<")
                after[piece].add(run[start + size] if start + size < len(run) else f"{match.end()}>")
                edges[piece] += (start == 0) + (start + size == len(run))
    scores = {}
    for piece, count in counts.items():
        whole = edges[piece] == 2 * count
        variety = min(len(before[piece]), len(after[piece]))
        if not (whole or (count > 1 and variety > 1)) or (count == 1 and len(piece) > 6):
            continue
        pairs = [piece[at : at + 2] for at in range(len(piece) - 1)]
        rarity = sum(background.rarity(pair) * own.get(pair, 1) ** 0.5 for pair in pairs) / len(pairs)
        firm = 0.5 + 0.5 * edges[piece] / (2 * count)
        long = {2: 0.6, 3: 0.9}.get(len(piece), 1.15)
        scores[piece] = rarity * long * firm * (1 + math.log(count)) * (0.6 if count == 1 else 1.0)
    return scores


def _repeats(phrase: str, other: str) -> bool:
    """Tell whether one holds the other, or most words of a phrase stand in the other."""
    words, known = phrase.split(), set(other.split())
    return (
        phrase in other or bool(other and other in phrase) or 2 * sum(w in known for w in words) > len(words)
    )


def _plain(text: str) -> str:
    return " ".join(singular(word) for word in _TOKEN.findall(text.lower()))
