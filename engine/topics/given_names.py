"""The names that a document's author gave to what it is about: its title, its headings, terms that it comes back to.

A name is complete, for it stood alone: as a title, over a section, or between marks, function words and verbs time and
again. It is telling when its words are not those that unrelated documents have in common (``general_words.toml``, made
by ``benchmarks/general_words.py``), and it names a thing: it is no question, request or sentence. How much it
says of the document is told by how near it is in meaning and in how much of the text its words come again.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from typing import TypeAlias

import numpy as np

from engine.errors import ProviderError
from engine.language import language_data, patterns, words_that_say_little
from engine.providers.dictionary import entries
from engine.structure.look import is_named
from engine.structure.numbering import without_number
from engine.structure.terms import HAN, STOP_WORDS, longest_known, singular

LONGEST_WORD = 6
# A word that is so many times as often explained as a verb ("to write") as it is as a noun is a verb.
MOSTLY = 4
# A word that ends one short explanation in more than so many that it stands in is no noun.
SELDOM_LAST = 16
# How the dictionary explains what is done, or ought to be.
DONE = ("to ", "should", "ought ", "must", "can ", "may ", "CL:")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the Chinese-English dictionary tells of words: where Chinese ones end, and which only say what is done.

    ``words`` are Chinese words of several characters, ``verbs`` Chinese and English ones that are verbs alone,
    ``english`` those that explain others, ``nouns`` those of them that short explanations end with."""

    words: frozenset[str]
    verbs: frozenset[str]
    english: frozenset[str]
    nouns: frozenset[str]

    def parted(self, run: str) -> list[str]:
        """Return the words of a run of Chinese characters, the longest that the dictionary has first."""
        return [run[start:end] for start, end in longest_known(run, self.words, LONGEST_WORD)]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the lexicon, read once; an empty one where the dictionary is missing, which is told elsewhere."""
    words, verbs = set(), set()
    done, named, said = Counter[str](), Counter[str](), Counter[str]()
    with suppress(ProviderError):
        for entry in entries():
            forms = [*filter(lambda form: 1 < len(form) <= LONGEST_WORD, (entry.simplified, entry.traditional))]
            words.update(forms)
            if all(meaning.startswith(DONE) for meaning in entry.meanings):
                verbs.update(forms)
            _count(entry.meanings, done, named, said)
    verbs |= {word for word, count in done.items() if count > MOSTLY * named[word]}
    nouns = frozenset(word for word, count in named.items() if count * SELDOM_LAST >= said[word])
    english = frozenset(word for word, count in said.items() if count >= OFTEN)
    return Lexicon(frozenset(words), frozenset(verbs), english, nouns)


def _count(meanings: Iterable[str], done: Counter[str], named: Counter[str], said: Counter[str]) -> None:
    """Count the English words by which a Chinese one is explained, as a verb, as a noun, and anywhere."""
    for parts in map(str.split, meanings):
        said.update(parts)
        if parts[0] == "to":
            done.update(parts[1:2])
        elif len(parts) < 4:
            named[parts[-1]] += 1


# Tells how near names are to a document in meaning, about 0 to 0.7, and gives their unit vectors.
Nearness: TypeAlias = Callable[[Sequence[str]], tuple[np.ndarray, np.ndarray]]
MOST_NAMES, MOST_LOOKED_AT = 6, 120
# What its place says for a name: a title or heading, a term.
HEADING, TERM = 1.0, 0.85
# How near its document a name is in meaning, at least: any, general words alone, and beside the nearest; how much its
# score is beside the best that is no title. Names as alike as SAME mean one thing.
NEAR, NEAR_GENERAL, HALF, SHARE, SAME = 0.25, 0.55, 0.5, 0.65, 0.7
LONGEST_NAME, MOST_WORDS, LONGEST_ACRONYM = 60, 6, 5
# Chinese words of two characters are general ones for the most part.
SHORTEST_HAN, LONGEST_HAN = 3, 14
# A text's own term is one that it comes back to so often.
OFTEN, SHORTEST_TERM, LONGEST_TERM, MOST_TERM_WORDS = 3, 4, 10, 4
READ_LETTERS = 60_000
# A text is looked through in so many parts, of so many letters at least; a word in none of them counts for so much.
MOST_PARTS, PART_LETTERS, UNSAID = 16, 200, 0.05
# What names may have between their words, and what else of function words makes a sentence.
_LINKS = frozenset("a an and at by for from in of on or the to with 的 与 和 及 或 之 上 下 中 内 外 前 后".split())
_ASKS = {word for code in ("en", "zh") for words in language_data(code).asks.values() for word in words}
_SAYS = (language_data("zh").function_characters | set("比更很最太") | STOP_WORDS | _ASKS) - _LINKS
# A name neither begins nor ends with one of these.
_LINKING = _LINKS | (words_that_say_little("weak") & set(language_data("en").function_words))
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’-][^\W\d_]+)*(?![^\W_])")
_TOKEN = re.compile(r"[^\W_]+(?:[-'’&][^\W_]+)*|[^\w\s]|\n")
_BETWEEN_PIECES = re.compile(r"\s*[:：|—–]+\s*|\s+-+\s+|\s*[(（\[【〔][^)）\]】〕]*[)）\]】〕]?")
_QUOTES = re.compile('[《》"「」]|^“([^“”]*)”$')
_NO_NAME = re.compile(r"[^\w\s、&“”'’-]|[\u3400-\u9fff]\s+[\u3400-\u9fff]|“[^”]*$|^[^“]*”|^\d|\d\s+\d")
# The number of a file, a date or a version at the beginning or the end.
_NUMBER = r"v?\d+(?:[.\-/年月]\d+)*[日版]?"
_CODE = re.compile(rf"^(?:[A-Z]{{1,5}}[-_ ]\d{{2,}}[\w.-]*|#?{_NUMBER})\s+(?!年)|(?<![\w-])(?:{_NUMBER})$|_")


def given_names(
    titles: Sequence[str], headings: Iterable[str], text: str, prose: str, nearness: Nearness | None = None
) -> list[str]:
    """Return up to MOST_NAMES names of what a document is about, the best first; perhaps none.

    ``titles`` are its title and the name of its file; ``headings`` are those that somebody wrote; ``text`` is what is
    read of it, ``prose`` its sentences: what the cells of a table say names single things. With ``nearness``, names far
    from the document in meaning are left out, wherever they stand and however often.
    """
    called, parts = [names for title in titles if (names := title_names(title))], _parts(text.casefold())
    places = dict.fromkeys(called[0] if called else (), HEADING) | _placed(headings, prose, parts)
    if nearness is None or not places:
        return _apart(places)[:MOST_NAMES]
    tried = [*dict.fromkeys([*chain(*called), *places])]
    near, vectors = (dict(zip(tried, found, strict=True)) for found in nearness(tried))
    title = _title_of(called, near)
    scores = {name: near[name] * place * _returns(name, parts) for name, place in places.items() if name not in title}
    return _apart([*title, *_fitting(scores, near)], vectors)[:MOST_NAMES]


def _placed(headings: Iterable[str], prose: str, parts: Sequence[str]) -> dict[str, float]:
    """Return what could be names of a document, with what the place of each says for it, the best of a place first."""
    places = {term: TERM for term, count in terms_in(prose).items() if count >= OFTEN}
    places |= {name: HEADING for one in headings for name in title_names(one)}
    ranked = sorted((-place, -_returns(name, parts), name) for name, place in places.items() if is_name(name))
    return {name: -place for place, _, name in ranked[:MOST_LOOKED_AT]}


def _title_of(called: Sequence[Sequence[str]], near: Mapping[str, float]) -> list[str]:
    """Return the name in a document's title nearest to it; the file's where that is far, or of general words alone."""
    least = max(NEAR, HALF * max(near.values()))
    telling = [sorted((-near[name], name) for name in names if near[name] >= least) for names in called]
    found = [names[0][1] for names in telling if names]
    return sorted(found, key=lambda name: not is_name(name) or _least(name) > NEAR)[:1]


def _fitting(scores: Mapping[str, float], near: Mapping[str, float]) -> list[str]:
    """Return those of names that are near enough, and whose scores are beside the best, the best first."""
    share, half = SHARE * max(scores.values(), default=0.0), HALF * max(near.values())
    ranked = sorted((-score, name) for name, score in scores.items() if score >= share)
    return [name for _, name in ranked if near[name] >= max(_least(name), half)]


def title_names(title: str) -> list[str]:
    """Return the names in a title: its pieces between marks, or, of those too long for a name, what is parted by 的."""
    pieces = pieces_of(title)
    parts = (part for piece in pieces for part in re.split("的|^关于", piece))
    found = [piece for piece in pieces if is_name(piece, title=True)]
    return found or [part for part in parts if HAN.search(part) and is_name(part)]


def pieces_of(title: str) -> list[str]:
    """Return the parts of a title or heading between its marks, without its number."""
    found = []
    whole = _QUOTES.sub(r"\1", without_number(" ".join(title.split())))
    for part in _BETWEEN_PIECES.split(whole):
        plain = " ".join(_CODE.sub(" ", part).split())
        piece = without_number(plain if " " in plain or not plain.isascii() else part).strip(" .,，。;；、-–—#*'’&")
        if piece := _in_lower_case(re.sub("^(?:the|an?) ", "", piece, flags=re.IGNORECASE)):
            found.append(piece[0].upper() + piece[1:])
    return found


def _in_lower_case(name: str) -> str:
    """Return a name as it is written, one in capitals, of more than acronyms, with capitals at the beginnings alone."""
    words = name.split()
    if not name.isupper() or all(len(word) <= LONGEST_ACRONYM for word in words):
        return name
    return " ".join(low if (low := word.lower()) in _LINKS else word.capitalize() for word in words)


def is_name(text: str, title: bool = False) -> bool:
    """Tell whether a text could name what a document is about; of a title less is asked."""
    words, runs = _spaced_words(text), HAN.findall(text)
    size = len("".join(runs))
    if len(text) > LONGEST_NAME or len(words) > MOST_WORDS + 2 * title or size > LONGEST_HAN + 6 * title:
        return False
    if _NO_NAME.search(text.replace(",", "") if title else text) or is_named(text) or not without_number(text):
        return False
    return _is_han_name(words, runs, title) if runs else _is_spaced_name(words, text, title)


def _spaced_words(text: str) -> list[str]:
    """Return the words between a text's Chinese characters, case-folded."""
    return _WORD.findall(HAN.sub(" ", text).casefold())


def _is_han_name(words: Sequence[str], runs: Sequence[str], title: bool) -> bool:
    name = "".join(runs)
    if not words and len(name) < (2 if title else SHORTEST_HAN):
        return False
    parts = [*chain.from_iterable(map(_parted, runs))]
    if (not title and _SAYS & {*parts, *words}) or {parts[0], parts[-1]} & _LINKS:
        return False
    wanting = any(part[-1] == "于" for part in parts)  # 基于 and 用于 want something before or behind them
    return not wanting and (any(map(_tells, words)) or not _general_han().fullmatch(name))


def _parted(run: str) -> list[str]:
    """Return the words of a Chinese name; characters that stand alone beside each other are a word no one listed."""
    found: list[str] = []
    for word in lexicon().parted(run):
        alone = len(word) == 1 and word not in _LINKS
        if alone and found and found[-1] not in _LINKS and found[-1] not in lexicon().words:
            found[-1] += word
        else:
            found.append(word)
    return found


def _is_spaced_name(words: Sequence[str], text: str, title: bool) -> bool:
    if not words or _SAYS & set(words) or {words[0], words[-1]} & _LINKING or words[0] in lexicon().verbs:
        return False
    if len("".join(words)) < 3 and not text.isupper():
        return False
    return any(map(_tells, words)) or (title and len(words) > 1)


def parts_of(name: str) -> list[str]:
    """Return the beginnings and ends of a name that could be names by themselves: "fried rice" of "Egg fried rice"."""
    joint = "" if HAN.fullmatch(name) else " "
    words = name.split() if joint else lexicon().parted(name)
    cuts = [cut for at in range(1, len(words)) for cut in (words[at:], words[:at])]
    found = [part for part in map(joint.join, cuts) if is_name(part)]
    return [part[0].upper() + part[1:] for part in found if not _is_general(part)]


def _words(name: str) -> list[str]:
    """Return the words of a name, in spaces, case-folded, and in Chinese."""
    return [*_spaced_words(name), *(word for run in HAN.findall(name) for word in _parted(run))]


def _telling_words(name: str) -> list[str]:
    """Return the words of a name that tell most, as they are looked for in a text; all where none does."""
    words = [*map(singular, _words(name))]
    telling = [word for word in words if (len(word) > 1 and not _is_general(word) if HAN.match(word) else _tells(word))]
    return telling or [word for word in words if word not in _LINKS] or [name.casefold()]


def _tells(word: str) -> bool:
    return any(
        len(part) > 1 and part not in _LINKS and singular(part) not in _general("headings") for part in word.split("-")
    )


@lru_cache(maxsize=2)
def _general(kind: str) -> frozenset[str]:
    """Return the words that unrelated documents have in common in "headings" or "texts"."""
    weak = words_that_say_little("weak") | words_that_say_little("foreign")
    listed = patterns("general_words")[kind].split()  # "policie" stands for policy and policies
    return frozenset([*listed, *(re.sub("ie$", "y", word) for word in listed), *map(singular, weak)])


def _is_general(word: str) -> bool:
    word = singular(word.casefold())
    return word in _general("texts") or word in _general("headings") or word in lexicon().verbs


@lru_cache(maxsize=1)
def _general_han() -> re.Pattern[str]:
    """Return the pattern of what is made of general Chinese words alone."""
    words = {*patterns("general_words")["forms"].split(), *_general("headings")}
    han = sorted((word for word in words if HAN.match(word)), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(han)}|[的与和及或等])+")


def _least(name: str) -> float:
    """Return how near to a document a name must be, one of general words and verbs alone nearer than others."""
    return NEAR_GENERAL if all(word in _LINKS or _is_general(word) for word in _words(name)) else NEAR


def _parts(text: str) -> list[str]:
    """Return a text in parts of the same length."""
    count = max(1, min(MOST_PARTS, len(text) // PART_LETTERS))
    return [text[at * len(text) // count : (at + 1) * len(text) // count] for at in range(count)]


def _returns(name: str, parts: Sequence[str]) -> float:
    """Return how much of a text comes back to a name and its words, about .2 to 1; little to what one place tells."""
    sought = (*_telling_words(name), name.casefold())
    shares = [sum(word in part for part in parts) / len(parts) for word in sought]
    return math.prod(UNSAID + share for share in shares) ** (0.5 / len(shares))


def terms_in(text: str) -> Counter[str]:
    """Return the terms of a text, runs of words between marks, function words and verbs, with their numbers.

    Words before the last are not general ones: what a term is about is told by them."""
    shown: dict[str, str] = {}
    runs = (*_han_terms(text[:READ_LETTERS]), *_spaced_terms(text[:READ_LETTERS]))
    return Counter(
        shown.setdefault(" ".join(map(singular, run.casefold().split())), _in_lower_case(run[0].upper() + run[1:]))
        for run in runs
    )


def _han_terms(text: str) -> Iterator[str]:
    known, general = lexicon(), _general("texts")
    no_ends = general - _general("headings")  # terms end in 制度, not in 之一
    parting = known.verbs, _SAYS, _LINKS
    words = map(known.parted, HAN.findall(text))
    for run in chain.from_iterable(_runs(one, lambda word: any(word in some for some in parting)) for one in words):
        fits = len(run) <= MOST_TERM_WORDS and SHORTEST_TERM <= len("".join(run)) <= LONGEST_TERM
        whole = min(map(len, run[:-1]), default=2) > 1  # 述 is what is left of 所述
        if fits and whole and not general.intersection(run[:-1] or run) and run[-1] not in no_ends:
            yield "".join(run)


def _spaced_terms(text: str) -> Iterator[str]:
    verbs = lexicon().verbs

    def parts(token: str) -> bool:
        word = token.casefold()
        fit = len(word) > 1 and _WORD.fullmatch(token)
        done = word.endswith("ed") and (word[:-1] in verbs or word[:-2] in verbs)
        return not fit or done or word in verbs or word in _SAYS or word in _LINKING

    for run in _runs(_TOKEN.findall(HAN.sub("\n", text)), parts):
        modifiers = {singular(one.casefold()) for one in run[:-1]}
        if modifiers and len(run) < MOST_TERM_WORDS and not modifiers & _general("texts") and _names_a_thing(run[-1]):
            yield " ".join(run)


def _names_a_thing(word: str) -> bool:
    """Tell whether an English word that ends a term is a noun: of words no one explains those that are no names."""
    forms = {word.casefold(), singular(word.casefold()), re.sub("ies$", "y", word.casefold())}
    return bool(forms & lexicon().nouns) or (word.islower() and not forms & lexicon().english)


def _runs(words: Iterable[str], parts: Callable[[str], bool]) -> Iterator[list[str]]:
    """Yield the runs of words between those that part terms."""
    return (list(run) for parting, run in groupby(words, parts) if not parting)


def _apart(names: Iterable[str], vectors: Mapping[str, np.ndarray] | None = None) -> list[str]:
    """Return names without those that mean one before them, or whose words are all in one, or the other way round."""
    found: dict[str, set[str]] = {}
    for name in names:
        words = set(map(singular, _words(name))) - _LINKS
        alike = vectors is not None and any(vectors[name] @ vectors[one] >= SAME for one in found)
        if words and not alike and not any(words <= other or other <= words for other in found.values()):
            found[name] = words
    return list(found)
