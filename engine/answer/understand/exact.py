"""The exact things of a question: what must stand in a text letter for letter, not just something near it.

Numbers, years, codes ("E-1037"), things with a number ("Room 7", "AquaPure 200", 第七条), names and quotations.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import dropwhile
from typing import NamedTuple

from engine.answer.understand.language import is_chinese
from engine.answer.understand.terms import FUNCTION_WORDS, weight
from engine.enrich.text_values import DATE, When, date_of
from engine.index.tokenize import tokens
from engine.language import language_data
from engine.structure.numbering import number_of

_DIGITS = re.compile(r"(?<![\d.,])\d+(?:[,，]\d{3})*(?:\.\d+)*(?!\d)")
# Letters and digits in one word, with hyphens, dots and slashes inside: E-1037, QP-0827, 10-K, v2.1.
_CODE = re.compile(r"(?<![\w-])(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])[A-Za-z0-9]+(?:[-./_][A-Za-z0-9]+)*(?![\w-])", re.A)
_YEAR = re.compile(r"(?<![\d.,-])(1[5-9]\d\d|20\d\d)(?!\d|,\d{3}|\.\d|-\d)")
_NUMERAL = re.compile(r"[零〇一二两三四五六七八九十百千万亿]+")
# 个 is no kind of thing: 第三个年度 may be called 第三年; nor is 6月27号, which may be written 6月27日.
# What stands behind a number counts it; what stands before it is numbered by it.
_NUMBERED_CHINESE = re.compile(
    r"第([零〇一二两三四五六七八九十百千\d]+)\s*(?!个)([\u3400-\u9fff])|(?<![月\d])(\d+)\s*([号號室层楼栋幢单元座])"
)
_NUMBERED = re.compile(
    r"([A-Za-z][A-Za-z'’-]*)\s+(?:no\.?\s*|number\s+|#)?(\d+(?:\.\d+)*)(?!\s*[%\d])(?:\s+([A-Za-z]+))?", re.I
)
_AUXILIARY = re.compile(r"\b(?:do|does|did|can|could|will|would|may|must|shall|should)\s+(?:the\s+)?\Z", re.I)
_DATE = re.compile(DATE, re.I)
_QUOTED = re.compile(r"《([^》]+)》|“([^”]+)”|「([^」]+)」|『([^』]+)』|\"([^\"]+)\"|(?<!\w)'([^']{2,})'(?!\w)")
# "iPhone" and "eBay" begin with a small letter.
_CAPITAL = r"(?:\b[a-z]?[A-Z][\w'’&.-]*|\d+(?:\.\d+)*)"
_NAME = re.compile(rf"\b[a-z]?[A-Z][\w'’&.-]*(?:\s+(?:(?:of|the|de|la|le|van|von|der|and|&)\s+){{0,2}}{_CAPITAL})*")
_HAN = re.compile(r"[\u3400-\u9fff·]+")
_LATIN = re.compile(r"[A-Za-z][\w'’&.+-]*(?:\s+[A-Za-z0-9][\w'’&.+-]*)*", re.A)
# The word that a number numbers: "rooms 5, 6 and 7", "article no. 12".
_JOINS = "|".join(re.escape(word) for code in ("en", "zh") for word in language_data(code).parts["joins"])
_HEAD = re.compile(rf"([^\W\d_]+)\s*(?:no\.?|nr\.?|number|#)?\s*(?:[\d.,\s–-]|\b(?:{_JOINS})\b|、)*\Z")
# So far into a sentence may stand what it begins with.
_BEGINNING = 16


class Numbered(NamedTuple):
    """A thing named by a number: ``head`` (as terms; empty for what a code names) and the number as digits."""

    written: str
    head: frozenset[str]
    number: str


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=1 << 12)
def _numbers(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return each number of a text as plain digits, with where it begins and ends."""
    found = [(_plain(match[0]), match.start(), match.end()) for match in _DIGITS.finditer(text)]
    for match in _NUMERAL.finditer(text):
        only_looks = set(match[0]) <= set("百千万亿")
        if not only_looks and (value := number_of(match[0])) is not None:
            found.append((_plain(f"{value:f}"), match.start(), match.end()))
    return tuple(found)


def numbers_in(text: str) -> frozenset[str]:
    """Return the numbers of a text as plain digits; Chinese numerals, too: 1,234 is 1234, 第十二条 holds 12."""
    return frozenset(value for value, _, _ in _numbers(_normal(text)))


def _plain(number: str) -> str:
    whole, _, rest = re.sub("[,，]", "", number).partition(".")
    if "." not in rest:
        rest = rest.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")


def years_in(text: str) -> tuple[int, ...]:
    """Return the years a text names, in order."""
    return tuple(dict.fromkeys(int(match[1]) for match in _YEAR.finditer(_normal(text))))


def dates_in(text: str) -> tuple[str, ...]:
    """Return the days and the months of a year that a text names, as written, in order."""
    return tuple(dict.fromkeys(written for _, written in _whens(text) if any(map(str.isdigit, written))))


def days_missing(question: str, texts: Sequence[str]) -> list[str]:
    """Return the days (with their year) that a question names and no date of some texts agrees with, as written.

    Texts that name no day may tell of it in other words.
    """
    told = [when for text in texts for when, _ in _whens(text)]
    if not any(map(_is_day, told)):
        return []
    asked = [(when, written) for when, written in _whens(question) if _is_day(when)]
    return [written for when, written in asked if not any(when.agrees(other) for other in told)]


@lru_cache(maxsize=1 << 10)
def _whens(text: str) -> list[tuple[When, str]]:
    found = ((date_of(match), match[0]) for match in _DATE.finditer(text))
    return [(when, written) for when, written in found if when and not when.year_only]


def _is_day(when: When) -> bool:
    return all(None not in reading for reading in when.readings)


def codes_in(text: str) -> tuple[str, ...]:
    """Return the codes of a text, as written: words of letters and digits."""
    return tuple(dict.fromkeys(match[0] for match in _CODE.finditer(_normal(text))))


def numbered_in(question: str, years: bool = False) -> tuple[Numbered, ...]:
    """Return the things a question names by a number or a code, in order; by ``years`` (Model 2000), too."""
    text = _normal(question)
    codes = (Numbered(code, frozenset(), code.casefold()) for code in codes_in(text))
    return tuple(dict.fromkeys([*codes, *_numbered_in_chinese(text), *_numbered(text, years)]))


def _numbered_in_chinese(question: str) -> Iterator[Numbered]:
    for match in _NUMBERED_CHINESE.finditer(question):
        number, unit = match[1] or match[3], match[2] or match[4]
        if digits := next(iter(numbers_in(number)), ""):
            yield Numbered(match[0], frozenset(unit), digits)


def _numbered(question: str, years: bool) -> Iterator[Numbered]:
    for match in _NUMBERED.finditer(_dateless(question)):
        head = tokens(match[1])
        verb_of_change = match[1].lower().endswith(("ed", "ing"))
        names = head and all(map(weight, head)) and not verb_of_change
        if names and (years or not _YEAR.fullmatch(match[2])) and not _counts(match, question):
            yield Numbered(f"{match[1]} {match[2]}", frozenset(head), _plain(match[2]))


def _counts(match: re.Match[str], question: str) -> bool:
    """Tell whether a number counts what follows: "pay 300 dollars"; "is room 7 open" names a room."""
    counts = match[3] and any(map(weight, tokens(match[3]))) and not match[1][0].isupper()
    # "What does note 6 cover?": behind an auxiliary stands what does something, and the verb follows.
    return bool(counts) and not _AUXILIARY.search(question, 0, match.start())


def names_in(question: str) -> tuple[str, ...]:
    """Return the names of a question: words in capitals, Latin words among Chinese, what is quoted."""
    found = [next(filter(None, match.groups())) for match in _QUOTED.finditer(question)]
    bare = _QUOTED.sub(" ", question)
    if is_chinese(question):
        found += [name for run in _LATIN.findall(bare) if len(name := run.strip()) > 1]
        return tuple(dict.fromkeys(found))
    found += [*_HAN.findall(bare), *_in_capitals(_dateless(bare))]
    named = (half for name in found for half in _apart(name))
    return tuple(dict.fromkeys(name for name in named if any(map(weight, tokens(name)))))


def _in_capitals(text: str) -> Iterator[str]:
    """Yield the names in capitals, without the words before them that only build the sentence that they begin."""
    for match in _NAME.finditer(text):
        before, words = text[: match.start()], match[0].split()
        begins = not re.search(r"[\w)]", before) or before.rstrip()[-1:] in "?.!"
        words = [*dropwhile(_only_builds, words)] if begins else words
        # A capital alone at the beginning of a sentence makes no name.
        usual = begins and len(words) == 1 and not words[0].isupper() and words[0] == words[0].capitalize()
        if words and not usual:
            yield " ".join(words).strip("'’.,")


def _dateless(text: str) -> str:
    return reduce(lambda rest, date: rest.replace(date, ","), dates_in(text), text)


def _apart(name: str) -> list[str]:
    """Return both halves of what joins things told apart by their ends: "Plan A and Plan B", "S-12 and S-14"."""
    halves = re.split(r"\s+(?:and|&)\s+(?:the\s+)?", name)
    numbered = all(any(map(str.isdigit, half)) for half in halves)
    alike = len({half.partition(" ")[0] for half in halves}) == 1
    return halves if numbered or alike else [name]


def _only_builds(word: str) -> bool:
    leads = language_data("en").parts["compare_leads"]
    return word.lower() in leads or all(term in FUNCTION_WORDS for term in tokens(word))


def stands_in(thing: Numbered, text: str) -> bool:
    """True when a text names the very thing: the number as a whole, with what it numbers close before or behind it."""
    normal = _normal(text).casefold()
    if not thing.head:
        # Chinese characters stand beside a code without a space.
        return re.search(rf"(?<![\w-]){re.escape(thing.number)}(?![\w-])", normal, re.A) is not None
    return thing.number in _numbers_of(thing, normal)


def says_year(year: int, text: str) -> bool:
    """True when a text names a year, by itself or in a date written in one number, as file names have it: 20160310."""
    return str(year) in numbers_in(text) or bool(re.search(rf"(?<!\d){year}[01]\d(?:[0-3]\d)?(?!\d)", text))


def numbers_its_kind(thing: Numbered, text: str) -> bool:
    """True when a text numbers things of this kind, so that one it does not number is not there; of codes always."""
    return not thing.head or bool(_numbers_of(thing, _normal(text).casefold()))


def is_of_another(things: Sequence[Numbered], sentence: str, above: str) -> bool:
    """True for a sentence that begins with another thing of a kind asked about (room 16, where room 6 is; E-1038).

    One that also names the very thing, or its year, or stands below titles (``above``) that do, is on that.
    """
    years = {*map(str, years_in(sentence))}
    if any(stands_in(thing, f"{above} {sentence}") or thing.number in years for thing in things):
        return False
    begins = _normal(sentence[:_BEGINNING]).casefold()
    forms = {_form(code) for code in codes_in(begins)}
    return any(_numbers_of(thing, begins) if thing.head else _form(thing.number) in forms for thing in things)


def _form(code: str) -> str:
    return re.sub(r"\d+", "0", code)


def _numbers_of(thing: Numbered, text: str) -> set[str]:
    """Return the numbers of the things of a kind ("room") in a text."""
    found = set()
    for value, start, end in _numbers(text):
        before, behind = _HEAD.search(text, 0, start), text[end : end + 2].strip()[:1]
        if thing.head & {*tokens(before[1] if before else ""), behind}:
            found.add(value)
    return found
