"""The names that a document's author gave to what it is about: its title, its headings, terms that it comes back to.

A name is complete, for it stood alone: as a title, over a section, or between marks, function words and verbs time and
again. It is telling when its words are not those that unrelated documents have in common (``general_words.toml``, made
by ``benchmarks/general_words.py``), and it names a thing: it is no question, request or sentence. How much a heading
says of the document is told by the share that stands below it and by how often the document comes back to its words.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
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
            forms = [form for form in (entry.simplified, entry.traditional) if 1 < len(form) <= LONGEST_WORD]
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
# What its place says for a name: a title, a heading, a term, a seldom one.
TITLE, HEADING, TERM, SELDOM = 1.2, 1.0, 0.85, 0.75
# How near its document a name is in meaning, at least: the best title, any, a seldom term, general words alone; and
# beside the best that is no title. Names as alike as SAME mean one thing.
NEAR_TITLE, NEAR, NEAR_SELDOM, NEAR_GENERAL = 0.2, 0.25, 0.33, 0.55
NEAR_SHARE, SAME = 0.6, 0.86
LONGEST_NAME, MOST_WORDS, LONGEST_ACRONYM = 60, 6, 5
# Chinese words of two characters are general ones for the most part.
SHORTEST_HAN, LONGEST_HAN = 3, 14
# A text's own term is one that it comes back to so often.
OFTEN, SHORTEST_TERM, LONGEST_TERM, MOST_TERM_WORDS = 3, 4, 10, 4
READ_LETTERS = 60_000
# What names may have between their words, and what else of function words makes a sentence.
_LINKS = frozenset("a an and at by for from in of on or the to with 的 与 和 及 或 之 上 下 中 内 外 前 后".split())
_ASKS = {word for code in ("en", "zh") for words in language_data(code).asks.values() for word in words}
_SAYS = (language_data("zh").function_characters | set("比更很最太") | STOP_WORDS | _ASKS) - _LINKS
# A name neither begins nor ends with one of these.
_LINKING = _LINKS | (words_that_say_little("weak") & set(language_data("en").function_words))
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_TOKEN = re.compile(r"[^\W_]+(?:[-'’&][^\W_]+)*|[^\w\s]|\n")
_BETWEEN_PIECES = re.compile(r"\s*[:：|—–]+\s*|\s+-+\s+|\s*[(（\[【〔][^)）\]】〕]*[)）\]】〕]?")
_QUOTES = re.compile('[《》“”"「」]')
_NO_NAME = re.compile(r"[^\w\s、&'’-]|[\u3400-\u9fff]\s+[\u3400-\u9fff]|^\d|\d\s+\d")
# The number of a file, a date or a version at the beginning or the end.
_NUMBER = r"v?\d+(?:[.\-/年月]\d+)*[日版]?"
_CODE = re.compile(rf"^(?:[A-Z]{{1,5}}[-_ ]\d{{2,}}[\w.-]*|{_NUMBER})\s+(?!年)|(?<![\w-])(?:{_NUMBER})$|_")


def given_names(
    titles: Sequence[str], headings: Iterable[str], text: str, prose: str, nearness: Nearness | None = None
) -> list[str]:
    """Return up to MOST_NAMES names of what a document is about, the best first; perhaps none.

    ``titles`` are its title and the name of its file; ``headings`` are those that somebody wrote; ``text`` is what is
    read of it, ``prose`` its sentences: what the cells of a table say names single things. With ``nearness``, names far
    from the document in meaning are left out, wherever they stand and however often.
    """
    folded = text.casefold()
    places = _places(titles, headings, folded, prose)
    if nearness is None:
        return _apart(name for name, place in places.items() if place != SELDOM)[:MOST_NAMES]
    return _nearest(places, folded, nearness) if places else []


def _places(titles: Sequence[str], headings: Iterable[str], folded: str, prose: str) -> dict[str, float]:
    """Return what could be names of a document, with what the place of each says for it, the best of a place first."""
    called = next((names for title in titles if (names := title_names(title))), [])
    over = {name: HEADING for one in headings for name in title_names(one)}
    said = {term: TERM if count >= OFTEN else SELDOM for term, count in terms_in(prose).items() if count >= OFTEN - 1}
    rest = [(-place, -_returns(name, folded), name) for name, place in (said | over).items() if is_name(name)]
    # A title of general words alone is one name among others.
    found = {name: TITLE if is_name(name) else HEADING for name in called}
    return found | {name: -place for place, _, name in sorted(rest)[:MOST_LOOKED_AT] if name not in found}


def _nearest(places: Mapping[str, float], folded: str, nearness: Nearness) -> list[str]:
    """Return those of names that are near enough to a document, each once, the best title first."""
    near, vectors = nearness(list(places))
    rows = dict(zip(places, zip(near.tolist(), vectors, strict=True), strict=True))
    scores = {name: rows[name][0] * place * _returns(name, folded) ** 0.25 for name, place in places.items()}
    ranked = sorted(scores, key=lambda name: (places[name] != TITLE, -scores[name], name))
    share = NEAR_SHARE * max((score for name, score in scores.items() if places[name] != TITLE), default=0.0)
    title = [name for name in ranked[:1] if places[name] == TITLE and rows[name][0] >= NEAR_TITLE]
    fitting = (name for name in ranked if scores[name] >= share and rows[name][0] >= _least(name, places[name]))
    kept: list[str] = []
    for name in _apart([*title, *fitting]):
        if all(rows[name][1] @ rows[one][1] < SAME for one in kept):
            kept.append(name)
    return kept[:MOST_NAMES]


def title_names(title: str) -> list[str]:
    """Return the names in a title: its pieces between marks, or, of those too long for a name, what is parted by 的."""
    pieces = pieces_of(title)
    parts = (part for piece in pieces for part in re.split("的|^关于", piece))
    found = [piece for piece in pieces if is_name(piece, title=True)]
    return found or [part for part in parts if HAN.search(part) and is_name(part)]


def pieces_of(title: str) -> list[str]:
    """Return the parts of a title or heading between its marks, without its number."""
    found = []
    whole = _QUOTES.sub("", without_number(" ".join(title.split())))
    for part in _BETWEEN_PIECES.split(whole):
        plain = " ".join(_CODE.sub(" ", part).split())
        piece = without_number(plain if " " in plain or not plain.isascii() else part).strip(" .,，。;；、-–—#*'’&")
        first, _, rest = piece.partition(" ")
        piece = rest if first.casefold() in ("the", "a", "an") else piece
        if piece.isupper() and any(len(word) > LONGEST_ACRONYM for word in piece.split()):
            piece = " ".join(low if (low := word.lower()) in _LINKS else word.capitalize() for word in piece.split())
        if piece:
            found.append(piece[0].upper() + piece[1:])
    return found


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
    parts = [part for run in runs for part in _parted(run)]
    if (not title and _SAYS & {*parts, *words}) or {parts[0], parts[-1]} & _LINKS:
        return False
    if any(part[-1] == "于" for part in parts):  # 基于 and 用于 want something before or behind them
        return False
    return any(map(_tells, words)) or not _general_han().fullmatch(name)


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


def _telling_words(name: str) -> list[str]:
    """Return the words of a name that tell most, as they are looked for in a text; all where none does."""
    spaced = list(map(singular, _spaced_words(name)))
    han = [word for run in HAN.findall(name) for word in _parted(run)]
    telling = [*filter(_tells, spaced), *(word for word in han if len(word) > 1 and not _is_general(word))]
    return telling or [word for word in (*spaced, *han) if word not in _LINKS] or [name.casefold()]


def _tells(word: str) -> bool:
    return any(
        len(part) > 1 and part not in _LINKS and singular(part) not in _general("headings") for part in word.split("-")
    )


@lru_cache(maxsize=2)
def _general(kind: str) -> frozenset[str]:
    """Return the words that unrelated documents have in common in "headings" or "texts"."""
    weak = words_that_say_little("weak") | words_that_say_little("foreign")
    return frozenset(patterns("general_words")[kind].split()) | {singular(word) for word in weak}


def _is_general(word: str) -> bool:
    word = singular(word.casefold())
    return word in _general("texts") or word in _general("headings") or word in lexicon().verbs


@lru_cache(maxsize=1)
def _general_han() -> re.Pattern[str]:
    """Return the pattern of what is made of general Chinese words alone."""
    words = {*patterns("general_words")["forms"].split(), *_general("headings")}
    han = sorted((word for word in words if HAN.match(word)), key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(han)}|[的与和及或等])+")


def _least(name: str, place: float) -> float:
    """Return how near to a document a name must be, one of general words and verbs alone nearer than others."""
    words = [*_spaced_words(name), *(word for run in HAN.findall(name) for word in _parted(run))]
    general = all(word in _LINKS or _is_general(word) for word in words)
    return NEAR_GENERAL if general else NEAR_SELDOM if place == SELDOM else NEAR


def _returns(name: str, text: str) -> float:
    """Return how often a text, case-folded, comes back to a name and its words, as about 1 to 10."""
    words = _telling_words(name)
    single = 0.5 if len(words) == 1 and not HAN.search(name) else 1.0
    mean = sum(math.log(1 + text.count(word)) for word in words) / len(words)
    return single * (1 + mean + math.log(1 + text.count(name.casefold())))


def terms_in(text: str) -> Counter[str]:
    """Return the terms of a text, runs of words between marks, function words and verbs, with their numbers.

    Words before the last are not general ones: what a term is about is told by them. What comes again behind one verb
    alone is half of a longer term, and left out: 机关 of 登记机关.
    """
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    shown: dict[str, str] = {}
    for run, before in (*_han_terms(text[:READ_LETTERS]), *_spaced_terms(text[:READ_LETTERS])):
        key = " ".join(map(singular, run.casefold().split()))
        found[shown.setdefault(key, run[0].upper() + run[1:])][before] += 1
    whole = (term for term, before in found.items() if before.total() < OFTEN or len(before) > 1 or "" in before)
    return Counter({term: found[term].total() for term in whole})


def _han_terms(text: str) -> Iterator[tuple[str, str]]:
    """Yield terms, each with the verb before it, "" where there is none."""
    known, general = lexicon(), _general("texts")
    no_ends = general - _general("headings")  # terms end in 制度, not in 之一

    def parts(word: str) -> bool:
        return word in known.verbs or word in _SAYS or word in _LINKS

    for run, before in (pair for han in HAN.findall(text) for pair in _runs(known.parted(han), parts)):
        fits = len(run) <= MOST_TERM_WORDS and SHORTEST_TERM <= len("".join(run)) <= LONGEST_TERM
        whole = all(len(word) > 1 for word in run[:-1])  # 述 is what is left of 所述
        if fits and whole and not general.intersection(run[:-1] or run) and run[-1] not in no_ends:
            yield "".join(run), before if before in known.verbs else ""


def _spaced_terms(text: str) -> Iterator[tuple[str, str]]:
    """Yield terms of languages with spaces as :func:`_han_terms` does; verbs before them say nothing."""
    verbs = lexicon().verbs

    def parts(token: str) -> bool:
        word = token.casefold()
        fit = len(word) > 1 and _WORD.fullmatch(token)
        done = word.endswith("ed") and (word[:-1] in verbs or word[:-2] in verbs)
        return not fit or done or word in verbs or word in _SAYS or word in _LINKING

    for run, _ in _runs(_TOKEN.findall(HAN.sub("\n", text)), parts):
        modifiers = {singular(one.casefold()) for one in run[:-1]}
        if modifiers and len(run) < MOST_TERM_WORDS and not modifiers & _general("texts") and _names_a_thing(run[-1]):
            yield " ".join(run), ""


def _names_a_thing(word: str) -> bool:
    """Tell whether an English word that ends a term is a noun: of words no one explains those that are no names."""
    forms = {word.casefold(), singular(word.casefold()), re.sub("ies$", "y", word.casefold())}
    return bool(forms & lexicon().nouns) or (word.islower() and not forms & lexicon().english)


def _runs(words: Iterable[str], parts: Callable[[str], bool]) -> Iterator[tuple[list[str], str]]:
    """Yield the runs of words between those that part terms, each with the one before it, "" for none."""
    run: list[str] = []
    before = ""
    for word in words:
        if parts(word):
            yield run, before
            run, before = [], word
        else:
            run.append(word)
    yield run, before


def _apart(names: Iterable[str]) -> list[str]:
    """Return names without those that hold, or stand in, one before them."""
    found: list[str] = []
    said: list[tuple[str, set[str]]] = []
    for name in names:
        plain, words = name.casefold(), {*HAN.findall(name), *map(singular, _spaced_words(name))} - STOP_WORDS
        if words and not any(plain in a or a in plain or words <= b or b <= words for a, b in said):
            found.append(name)
            said.append((plain, words))
    return found
