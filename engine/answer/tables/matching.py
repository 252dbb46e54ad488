"""Match a name that someone wrote against the names of rows and columns.

Names are compared by stems, numbers and pairs of Chinese characters, and by the synonyms of metrics and units
in both languages ("net sales" is "revenue" is 营业收入). A word that most names of a table share ("total") says
little, one that a single name holds says most.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.answer.terms import FUNCTION_WORDS
from engine.enrich.synonyms import load_synonyms
from engine.index.tokenize import tokens

# Function words of questions that names of rows and columns may well hold.
_MEANT = frozenset(
    {
        "not",
        "before",
        "after",
        "against",
        "under",
        "over",
        "above",
        "below",
        "other",
        "more",
        "less",
        "most",
        "no",
        "own",
    }
)
_IDLE = FUNCTION_WORDS - {stem for word in _MEANT for stem in tokens(word)} | {"total_"}
_FOOTNOTE = re.compile(r"\s*(?:\[\w{1,3}\]|\((?:[a-z]|\d{1,2}|i{1,3})\)|[*†‡§]+)\s*$")
_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
# The mark of a footnote that lost its raised place: "Other debtors1".
_GLUED = re.compile(r"(?<=[a-z]{4})\d(?:,\d)*(?=\s*(?:$|\(| /))")
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]")
# "Non-current" is another word than "current", "pre-tax" one word.
_PREFIXED = re.compile(r"\b(non|pre)[- ](?=[a-z])")
# "A320s" and "737-800s" are several of a kind.
_PLURAL_CODE = re.compile(r"\b((?=[\w-]*[A-Z-])(?=[\w-]*\d)[A-Za-z\d-]+)s\b")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# "2 0 1 8", as letter-spaced headers come out of a file.
_SPACED_YEAR = re.compile(r"(?<![\d.,]\s)(?<!\d)(19|20|1 9|2 0) ?(\d) (\d)(?![\d.,]|\s\d)")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
# "FY19", "’19", "12/31/19", "31.12.19", "Dec-19", "31 Dec 19"
_SHORT_YEAR = re.compile(
    rf"(?:\b(?:FY|CY|F|fiscal)\s?['’]?|(?<!\w)['’]|\b\d\d?(?P<mark>[/.-])\d\d?(?P=mark)"
    rf"|\b{_MONTH}(?:[-–/]|\s?['’])|\b\d\d?[ -]{_MONTH}[ ,-]{{1,2}})(?P<year>\d\d)(?![\d,.%/-]|\s?s\b)",
    re.IGNORECASE,
)
_MONTHS = {name[:3]: name for name in "january february march april june july august september october november "
           "december".split()}  # fmt: skip
# "Jun-2015" and "Sep. 30" are of June and September.
_SHORT_MONTH = re.compile(
    r"\b(jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)t?\b\.?(?=[-\s’',]*\d)", re.IGNORECASE
)
_PERCENT_OF = re.compile(r"%(?= of\b)")
_FULL_YEAR = re.compile(r"\bfull[- ]year\b|\b(?:twelve|12) months\b|\b5[23] weeks\b")
# "SG&A" and "R&D" are one word each.
_AMPERSAND = re.compile(r"\b([a-z]{1,2})&([a-z])\b")
_QUARTER = re.compile(
    r"(?<![A-Za-z0-9])(?:(?P<word>first|second|third|fourth|last|1st|2nd|3rd|4th)[\s/-]+quarter"
    r"|Q(?P<q>[1-4])(?![A-Za-z0-9])|(?P<n>[1-4])Q(?![A-Za-z0-9]))"
    r"|第?(?P<zh>[一二三四1-4])季度",
    re.IGNORECASE,
)
_QUARTER_ZH = re.compile(r"第?[一二三四1-4]季度")
_QUARTER_END = re.compile(r"\bquarter|\bthree months", re.IGNORECASE)
_END_MONTHS = {"mar": "1", "jun": "2", "sep": "3", "dec": "4"}
_END_MONTH = re.compile(r"\b(mar|jun|sep|dec)(?:ch|e|t|tember|ember)?\b", re.IGNORECASE)
_ORDINALS = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "last": "4", "1st": "1", "2nd": "2", "3rd": "3",
    "4th": "4",
}  # fmt: skip
_QUARTER_TOKENS = frozenset(
    t for word in [*_ORDINALS, "quarter", "q1", "q2", "q3", "q4"] for t in tokens(word)
)
_THIS_CENTURY = 60
_COUNTRIES = (
    (
        "unitedstates",
        re.compile(r"\b(?:(?i:united states(?: of america)?)\b|USA?\b(?!\$)|(?i:u\.s\.?(?:a\.?)?(?!\w)))"),
    ),
    ("unitedkingdom", re.compile(r"\b(?:(?i:united kingdom)\b|UK\b|(?i:u\.k\.?(?!\w)))")),
)
# Short forms that are all of a header or of a level of it.
HEADINGS = {
    "no": "number",
    "nr": "number",
    "#": "number",
    "pos": "position",
    "nat": "nationality",
    "dept": "department",
    "mgr": "manager",
    "tel": "telephone",
    "yr": "year",
    "pop": "population",
    "alt": "altitude",
    "elev": "elevation",
    "ht": "height",
    "wt": "weight",
    "dob": "date of birth",
    "est": "established",
    "hq": "headquarters",
    "temp": "temperature",
    "dist": "distance",
    "gf": "goals for",
    "ga": "goals against",
    "gd": "goal difference",
    "w": "won",
    "l": "lost",
    "d": "drawn",
    "序号": "编号",
}
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_NEAR = 0.08
_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Match:
    """A name that fits: its place in the list, and how well (0..1)."""

    index: int
    score: float


@lru_cache(maxsize=1 << 15)
def plain(text: str) -> str:
    """Return a name for comparing: NFKC, lower case, "&" as "and", no footnote marks, no punctuation at its ends."""
    text = _GLUED.sub("", unicodedata.normalize("NFKC", text))
    text = unaccented(" ".join(text.casefold().split())).replace(" & ", " and ")
    previous = None
    while previous != text:
        previous, text = text, _FOOTNOTE.sub("", text)
    return text.strip(" .,:;?？!\"'“”‘’*-–—")


def longest_piece(name: str, text: str) -> int:
    """Return how many characters the longest piece of a name has that a text says."""
    return max(
        (end - at for at in range(len(name)) for end in range(at + 1, len(name) + 1) if name[at:end] in text),
        default=0,
    )


def unaccented(text: str) -> str:
    """Return a text in lower case without the accents of Latin letters: questions seldom write them."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


@lru_cache(maxsize=1 << 15)
def features(text: str) -> frozenset[str]:
    """Return what a text is matched by: its content tokens, years, and the metrics it names ("§revenue")."""
    bare = plain(_one_word_countries(_PLURAL_CODE.sub(r"\1", with_long_years(text))))
    bare = " / ".join(HEADINGS.get(level.strip(" ."), level) for level in bare.split(" / "))
    bare = _PERCENT_OF.sub("percentage", _FULL_YEAR.sub("fullyear", bare))
    words = _SHORT_MONTH.sub(lambda match: _MONTHS[match[1].casefold()], _AMPERSAND.sub(r"\1\2", bare))
    found = {token for token in tokens(_PREFIXED.sub(r"\1", words)) if token not in _IDLE}
    if quarters := quarters_in(text):
        if _QUARTER_ZH.search(text):
            rest = _QUARTER_ZH.sub(" ", words)
            found = {token for token in tokens(_PREFIXED.sub(r"\1", rest)) if token not in _IDLE}
        found = (found - _QUARTER_TOKENS) | quarters
    return frozenset(found | years_in(text) | metrics_in(bare) | metrics_in(_ASIDE.sub("", bare)))


def _one_word_countries(text: str) -> str:
    """Return a text with countries that have short forms written in one word: "US", "U.S." and "United States"."""
    for name, form in _COUNTRIES:
        text = form.sub(name, text)
    return text


def years_in(text: str) -> set[str]:
    """Return the years a text names: 2019, FY19, 2018年."""
    plain_text = with_whole_years(unicodedata.normalize("NFKC", text))
    years = set(_YEAR.findall(plain_text))
    return years | set(map(_long_year, _SHORT_YEAR.finditer(plain_text)))


def with_long_years(text: str) -> str:
    """Return a text with its short years in full and without the days before them: "Dec 2019" for "31-Dec-19"."""
    return _SHORT_YEAR.sub(lambda match: f"{' '.join(_LETTERS.findall(match[0]))} {_long_year(match)}", text)


def _long_year(match: re.Match[str]) -> str:
    return ("20" if int(match["year"]) < _THIS_CENTURY else "19") + match["year"]


def with_whole_years(text: str) -> str:
    """Return a text with letter-spaced years closed up: "December 31, 2018" for "December 31, 2 0 1 8"."""
    return _SPACED_YEAR.sub(lambda match: re.sub(r"\s", "", match[0]), text)


def quarters_in(text: str) -> set[str]:
    """Return the quarters a text names, as "#q3"."""
    found = set()
    for match in _QUARTER.finditer(text):
        word = (match["word"] or "").casefold()
        zh = match["zh"] or ""
        number = _ORDINALS.get(word) or match["q"] or match["n"] or ("一二三四".find(zh) + 1 or zh)
        found.add(f"#q{number}")
    last = text.rsplit(" / ", 1)[-1].strip().casefold()
    if not found and last in _ORDINALS and last != "last":
        found.add(f"#q{_ORDINALS[last]}")
    if not found and _QUARTER_END.search(text):
        found |= {f"#q{_END_MONTHS[month[:3].casefold()]}" for month in _END_MONTH.findall(text)}
    return found


@lru_cache(maxsize=1 << 15)
def metrics_in(text: str) -> frozenset[str]:
    """Return the canonical names ("§net income") of the metrics that a text names in any of their forms."""
    padded = f" {' '.join(tokens(text))} "
    lowered = text.casefold()
    found = {}
    for name, english, chinese in _metric_forms():
        form = next((f for f in english if f" {f} " in padded), None) or next(
            (f for f in chinese if f in lowered), None
        )
        if form:
            found[name] = form
    # "net income" is no "income".
    longest = [n for n, f in found.items() if not any(f != other and f in other for other in found.values())]
    return frozenset(f"§{name}" for name in longest)


@lru_cache(maxsize=1)
def _metric_forms() -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    entries = []
    for name, forms in load_synonyms().metrics.items():
        english = tuple(" ".join(tokens(form)) for form in forms if form.isascii())
        entries.append((name, english, tuple(form.casefold() for form in forms if not form.isascii())))
    return tuple(entries)


def weights_of(names: Iterable[str]) -> dict[str, float]:
    """Return each feature's weight (1 for one that a single name holds, less for common ones)."""
    sets = [features(name) for name in names]
    count = Counter(feature for found in sets for feature in found)
    most = math.log(len(sets) + 1.5)
    return {feature: max(0.15, math.log((len(sets) + 1.5) / n) / most) for feature, n in count.items()}


def match_names(wanted: str, names: Sequence[str], aliases: Sequence[str] = ()) -> list[Match]:
    """Return the names that fit ``wanted`` or one of its ``aliases``, the best first; none when none fits.

    More than one near the best means that the name is ambiguous: see :func:`best_of`.
    """
    weights = weights_of(names)
    best: dict[int, float] = {}
    for form in [wanted, *aliases]:
        for index, name in enumerate(names):
            score = fit(form, name, weights)
            if score >= _ENOUGH:
                best[index] = max(best.get(index, 0.0), score)
    return sorted((Match(i, round(s, 4)) for i, s in best.items()), key=lambda m: (-m.score, m.index))


def best_of(matches: Sequence[Match]) -> list[Match]:
    """Return the matches that are as good as the best: one when the name is clear."""
    return [match for match in matches if match.score >= matches[0].score - _NEAR] if matches else []


def fit(wanted: str, name: str, weights: Mapping[str, float]) -> float:
    """Return how well a name fits (0..1): equal is 1, else the F-measure of their weighted features.

    A name of several levels ("Sales / Cloud") also fits by its last one. Years that differ fit not at all.
    """
    if not plain(wanted) or not plain(name):
        return 0.0
    if plain(wanted) == plain(name):
        return 1.0
    asked = years_in(wanted)
    if asked and years_in(name) and not asked & years_in(name):
        return 0.0
    score = _overlap(features(wanted), features(name), weights)
    leaf = name.rsplit(" / ", 1)[-1]
    if leaf != name:
        score = max(
            score,
            0.97
            if plain(leaf) == plain(wanted)
            else 0.97 * _overlap(features(wanted), features(leaf), weights),
        )
    return min(score, 0.99)


def _overlap(wanted: frozenset[str], name: frozenset[str], weights: Mapping[str, float]) -> float:
    common = wanted & name
    if not common:
        return 0.0
    metrics = {f for f in wanted if f.startswith("§")}
    if metrics and metrics == {f for f in name if f.startswith("§")} and _pure(wanted) and _pure(name):
        return 0.9  # the same metric in other words
    shared = sum(weights.get(f, 1.0) for f in common)
    recall = shared / sum(weights.get(f, 1.0) for f in wanted)
    precision = shared / sum(weights.get(f, 1.0) for f in name)
    whole = 0.5 + 0.3 * precision if wanted <= name else 0.0
    return max(2 * recall * precision / (recall + precision), whole)


def _pure(found: frozenset[str]) -> bool:
    """True for features of nothing but a metric's name."""
    forms = {t for f in found if f.startswith("§") for t in tokens_of_metric(f.removeprefix("§"))}
    return all(f in forms for f in found if not f.startswith("§"))


@lru_cache(maxsize=256)
def tokens_of_metric(name: str) -> frozenset[str]:
    """Return the tokens of all forms of a metric's name."""
    return frozenset(t for form in load_synonyms().metrics.get(name, ()) for t in tokens(form))
