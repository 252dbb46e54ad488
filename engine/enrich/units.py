"""Units, currencies and scales in phrases, headers and notes: "(in millions of €)", 单位：万元, "Weight, kg"."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby

from engine.enrich.aliases import Synonyms, load_synonyms
from engine.language import patterns

_UNITS = patterns("values")["measures"]
SCALES = {word: int(scale) for scale, words in _UNITS["scales"].items() for word in words}
# How a scale is written before a unit.
SCALE_WORDS = {10**3: "thousand", 10**6: "million", 10**9: "billion", 10**12: "trillion"}
SCALE_WORDS_ZH = {
    10**3: "千", 10**4: "万", 10**5: "十万", 10**6: "百万", 10**7: "千万", 10**8: "亿", 10**9: "十亿", 10**12: "万亿",
}  # fmt: skip
# With money before them these letters are scales; else "m" is a metre and "b" nothing.
MONEY_SCALES = {"m": 10**6, "mm": 10**6, "b": 10**9, "t": 10**12}
FILLERS: tuple[str, ...] = tuple(_UNITS["fillers"])
_DIVIDED = ("/", "per", "每", "a")
_EXCEPT = re.compile(r"[,;，；(（]?\s*(?:except|unless|other than|excluding|除|另有).*", re.IGNORECASE | re.DOTALL)
_GROUP = re.compile(r"[(\[（【]([^()\[\]（）【】]{1,80})[)\]）】]")
_NOTE_ZH = re.compile(r"(?:单位|金额单位|货币单位|计量单位)\s*[:：为]?\s*([^\s,，;；。)）]{1,16})")
_NOTE_EN = re.compile(
    r"(?:\b(?:expressed|stated|amounts?|dollars?|shares?|figures|values)\s+(?:are\s+)?|[€$£¥]\s?|\b)in\s+"
    r"(?:(?:hundred|thousand|million|billion)s?|%|percent|(?-i:[A-Z]{3})\b|U\.S\.|[€$£¥])(?:U\.S\.|[^.,;:()]){0,40}",
    re.IGNORECASE,
)
_AFTER_MARK = re.compile(r"(?:(?<!\d),|,(?!\d)|[/，、])\s*([^,，、/]{1,24}(?:/[^,，、/]{1,8})?)$")
_TWO_CAPITALS = re.compile(r"[A-Z]{2}")
_AFTER_IN = re.compile(r"\bin\s+(\S.{0,24})$", re.IGNORECASE)
_AFTER_SPACE = re.compile(r"\s(\S{1,12}(?:\s\S{1,4})?)$|(?<=[\u4e00-\u9fff])([A-Za-z°μ]\S{0,8})$")
# Words and names that are units only where a bracket, comma or "in" says so.
_AMBIGUOUS = frozenset(["in", "us", "ha", "mi", "pp", "to", "at", "is", "as", "on", "or"])
_LETTER = re.compile(r"[A-Za-z]")
_REMARK = re.compile(r"\s*[(（\[][^()（）\[\]]{1,60}[)）\]]\s*$")
# 种植面积/亩, 单价/(元/斤): behind a stroke, in whatever unit.
_BEHIND_STROKE = re.compile(r"(?<=[\u3400-\u9fff])\s*[/／]\s*(?:[(（][^()（）]{1,12}[)）]|[\u3400-\u9fff]{1,3})\s*$")
_PERCENT = re.compile(r"[%]|\b(?:percent|percentage|pct|per cent)\b|百分比|占比", re.IGNORECASE)
_POINTS = re.compile(r"percentage points?|百分点", re.IGNORECASE)
_MONEY_SYMBOL = re.compile(r"(?:US|HK|NT|[ACSR])?[$](?!\s?\d)|[€£¥](?!\s?\d)")
_GLUED = re.compile(r"\b(in)((?:thousand|million|billion)s?)\b", re.IGNORECASE)
_CODE_SCALE = re.compile(r"\b([A-Z]{3})(k|m|mm|mn|bn|M)\b")
LONGEST_PHRASE = 90


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit (canonical: "%", "USD", "km/h") and what numbers stand for: ``scale`` is 1000 for thousands."""

    unit: str | None = None
    scale: int = 1

    @property
    def money(self) -> bool:
        """True when the unit is a currency, alone or per something."""
        return self.unit is not None and self.unit.split("/")[0] in currency_codes()


def written_unit(unit: str | None, scale: int = 1, chinese: bool = False) -> str:
    """Return a unit with its scale as a header says it: "million EUR", 万m³; "" for neither."""
    if scale == 1:
        return unit or ""
    if not chinese and scale in SCALE_WORDS:
        return f"{SCALE_WORDS[scale]} {unit or ''}".strip()
    return f"{SCALE_WORDS_ZH.get(scale, f'{scale} ')}{unit or ''}".strip()


def unit_in_words(unit: str, chinese: bool, many: bool, near: str = "") -> str:
    """Return a unit as a sentence writes it: 34 weeks, 352件.

    ``near`` is what stands beside the number, a header: its own word for the unit is taken (件, not 个).
    """
    known = _known().units.get(unit, ())
    if chinese:
        return _in_chinese(unit, known, near)
    plurals = {f"{unit}s", f"{unit[:-1]}ies"} & set(known)
    return plurals.pop() if many and len(unit) > 2 and plurals else unit


def _in_chinese(unit: str, known: Sequence[str], near: str) -> str:
    words = [word for word in known if not word.isascii()]
    # "m" is no word of a language.
    usual = words[0] if words and len(unit) > 2 and unit.isalpha() else unit
    return next((word for word in words if word in near), usual)


_in_force: list[Synonyms] = []


def use_synonyms(synonyms: Synonyms) -> None:
    """Let this process know these units and currencies: meant for the one that parses the files of a library."""
    if _in_force != [synonyms]:
        _in_force[:] = [synonyms]
        for known in (currency_codes, measure_of, _vocabulary):
            known.cache_clear()


def _known() -> Synonyms:
    return _in_force[0] if _in_force else load_synonyms()


@lru_cache(maxsize=1)
def currency_codes() -> frozenset[str]:
    """Return the known ISO currency codes."""
    return frozenset(_known().currencies)


@lru_cache(maxsize=4096)
def measure_of(phrase: str) -> Measure | None:
    """Return the measure of a phrase that says nothing else ("in millions of €", 人民币万元), or None."""
    text = normal(phrase)
    if len(text) > LONGEST_PHRASE:
        return None
    text = _CODE_SCALE.sub(r"\1 \2", _GLUED.sub(r"\1 \2", _EXCEPT.sub("", text)))
    scales: list[int] = []
    units: list[str] = []  # with "/" between what is divided
    for word in (match["word"] or "" for match in _vocabulary()[1].finditer(text) if match.lastgroup):
        kind, value = _meaning(word, units)
        if kind == "scale":
            scales.append(int(value))
        elif kind in ("unit", "divide"):
            units.append(str(value))
        elif kind != "filler":
            return None
    return _measure(scales, units)


def _meaning(word: str, units: Sequence[str]) -> tuple[str, str | int]:
    """Return what a word of a unit phrase is behind these units, and which; both empty where it is none."""
    if units and currency_codes().issuperset(units) and word.casefold() in MONEY_SCALES:
        return "scale", MONEY_SCALES[word.casefold()]
    vocabulary, _ = _vocabulary()
    return vocabulary.get(word) or vocabulary.get(word.casefold()) or ("", "")


def _measure(scales: Sequence[int], units: Iterable[str]) -> Measure | None:
    """Return the measure that words make together; None for none, and for several: "shares, dollars"."""
    told = [unit for unit, _ in groupby(units)]  # "人民币元", "USD dollars": one currency said twice
    one = "/" not in told[::2] and set(told[1::2]) <= {"/"} and len(told) % 2 == 1
    if len(scales) > 1 or (told and not one) or not (scales or told):
        return None
    return Measure("".join(told) or None, *scales)


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[dict[str, tuple[str, str | int]], re.Pattern[str]]:
    """Return what each word of a unit phrase is, and the pattern of the next word, the longest, or of what is none."""
    synonyms = _known()
    words: dict[str, tuple[str, str | int]] = dict.fromkeys(FILLERS, ("filler", ""))
    words |= dict.fromkeys(_DIVIDED, ("divide", "/"))
    for name, forms in (*synonyms.units.items(), *synonyms.currencies.items()):
        for plain in map(normal, forms):
            words[plain] = ("unit", name)
            if len(plain) > 2:
                words.setdefault(plain.casefold(), ("unit", name))
    words |= {scale: ("scale", value) for scale, value in SCALES.items()}
    words["M"] = ("scale", 10**6)
    words["in"] = words["a"] = ("filler", "")
    alternatives = sorted(words, key=len, reverse=True)
    word = "|".join(map(_bounded, alternatives))
    # "'000" begins with an apostrophe, which else parts words, too.
    pattern = rf"[ ,:;.()*\-、，：；&]|(?P<word>{word})|['’]|(?P<other>.)"
    return words, re.compile(pattern, re.IGNORECASE)


def _bounded(word: str) -> str:
    letter = word[-1].isascii() and word[-1].isalpha()
    return re.escape(word) + (r"(?![a-z])" if letter else r"(?!\d)" if word[-1].isdigit() else "")


def header_measure(header: str, lettered: bool = False) -> Measure | None:
    """Return the measure that a table header names: in brackets, after a comma or slash, or as a symbol.

    ``lettered`` says that this table marks footnotes with letters, so that "(g)" is one and no gram. A bracket that
    only says the name in other letters, "MIN (min)", measures nothing.
    """
    text = normal(header)[:300]
    bare = _GROUP.sub("", text).strip()
    groups = [group for group in _GROUP.findall(text) if not (lettered and _LETTER.fullmatch(group))]
    name = bare.rpartition(" / ")[2]
    if name not in groups and name.casefold() in map(str.casefold, groups):
        return None
    # Else the measure at the end of a header without its brackets, or that the whole header is.
    found = merged(map(measure_of, groups)) or next(filter(None, map(measure_of, _unit_phrases(bare))), None)
    return _by_sign(text, found or Measure()) or found


def without_unit(text: str) -> str:
    """Return a header's text without the unit at its end: "Price (EUR)" is Price, 面积/亩 is 面积."""
    if stroke := _BEHIND_STROKE.search(text):
        return text[: stroke.start()].strip()
    match = _REMARK.search(text)
    return text[: match.start()].strip() if match and match.start() and is_unit(match[0].strip()) else text


def is_unit(text: str) -> bool:
    """True for a text that says a unit or scale and nothing else, in brackets or not."""
    return measure_of(text.strip("()（）[] ")) is not None


def _by_sign(text: str, found: Measure) -> Measure | None:
    """Return what a header says by a sign or word for percentages or money, where nothing else in it tells a unit."""
    if _POINTS.search(text):
        return Measure("pp", found.scale)
    if found.unit is not None:
        return None
    if _PERCENT.search(text):
        return Measure("%")
    symbol = _MONEY_SYMBOL.search(text)
    return Measure(_unit_of(symbol[0]), found.scale) if symbol else None


def _unit_of(phrase: str) -> str | None:
    measure = measure_of(phrase)
    return measure.unit if measure else None


def _unit_phrases(text: str) -> Iterator[str]:
    """Yield what of a header without its brackets may be its unit, the likeliest first."""
    last = text.rsplit(" ", 1)[-1]
    if "/" in last and last != text:
        yield last
    for match in filter(None, (_AFTER_MARK.search(text), _AFTER_IN.search(text))):
        # "Rochester, MN" is a place: two capitals alone are a unit (MW) but no scale.
        if _unit_of(match[1]) or not _TWO_CAPITALS.fullmatch(match[1]):
            yield match[1]
    spaced = _AFTER_SPACE.search(text)
    behind = (spaced[1] or spaced[2]) if spaced else ""
    yield from filter(_symbolic, (text, behind, last))


def _symbolic(phrase: str) -> bool:
    """True for a phrase that is hardly a word of its own: "ms", "kW", "km2", "$m", 万元; not "share", "won", 人."""
    if len(phrase) < 2:
        return phrase in "%$€£¥℃"
    if phrase.isascii() and phrase.isalpha() and phrase.islower():
        return len(phrase) == 2 and phrase not in _AMBIGUOUS
    return not (phrase.istitle() and phrase.isalpha() and phrase.isascii() and len(phrase) > 2)


def note_measure(text: str) -> Measure | None:
    """Return the measure that a caption, title or note states for the numbers of a table, or None.

    Of "shares in thousands, $ in millions" it is that of the money; :func:`counted_in` tells the other.
    """
    found = _noted(text)
    money = [one for one in found if one.money or one.unit is None]
    return merged(money if any(one.money for one in money) else found)


def counted_in(text: str) -> dict[str, int]:
    """Return the scales that a note states for what is no money, by its unit: shares in thousands."""
    return {one.unit: one.scale for one in _noted(text) if one.unit and not one.money and one.scale != 1}


def _noted(text: str) -> list[Measure]:
    """Return the measures in bracketed groups ("(In millions, except …)"), 单位：万元, "in thousands of dollars"."""
    plain = normal(text)[:2000]
    groups = [([one] if measure_of(one) else one.split(",")) for one in _GROUP.findall(plain)]
    candidates = [measure_of(phrase) for phrase in (*chain.from_iterable(groups), *_NOTE_ZH.findall(plain))]
    candidates += [_longest_measure(match[0]) for match in _NOTE_EN.finditer(plain)]
    return list(filter(None, [*candidates, _alone(plain)]))


def _alone(note: str) -> Measure | None:
    """Return the measure of money, scale or share that a note is, or begins with: "Millions, for the year 2024"."""
    clauses = (one for one in (note, note.partition(",")[0]) if len(one) <= 30)
    found = next(filter(None, map(measure_of, clauses)), None)
    return found if found and (found.money or found.scale != 1 or found.unit == "%") else None


def _longest_measure(phrase: str) -> Measure | None:
    words = _EXCEPT.sub("", phrase).split()
    phrases = (" ".join(words[:count]) for count in range(min(len(words), 8), 1, -1))
    return next(filter(None, map(measure_of, phrases)), None)


def merged(candidates: Iterable[Measure | None]) -> Measure | None:
    """Return what several notes say together, the first unit and the first scale; None where they say nothing."""
    found = list(filter(None, candidates))
    unit = next((measure.unit for measure in found if measure.unit), None)
    scale = next((measure.scale for measure in found if measure.scale != 1), 1)
    return Measure(unit, scale) if found else None


def normal(text: str) -> str:
    """Return a text with full-width forms, superscripts and spaces made plain, case kept."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'").split())
