"""The abbreviations of a table's names: "ASMs" for "Available seat miles", and what a name says in brackets.

A short form stands in brackets or quotation marks behind its name, or is made of its initials. Where one name
defines it, every other name and the question may use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engine.answer.tables.matching import features

_ASIDE = re.compile(r"\s*[(（\[][^()（）\[\]]*[)）\]]")
# Where an item is shown is none of its name: "Total cash in the consolidated statements of cash flows".
_IN_STATEMENTS = re.compile(
    r"(?<=\w),? (?:as )?(?:shown |reported |presented )?(?:in|on|per) (?:the |our )?(?:consolidated )?"
    r"(?:statements? of [\w ]+|balance sheets?)$",
    re.IGNORECASE,
)
# "Weight incl. battery" is the weight.
_INCLUDING = re.compile(r"(?<=\w),? incl(?:\.|uding\b|usive of\b) .*$", re.IGNORECASE)
_CAPITALS = re.compile(r"[(\"“ ]([A-Z][A-Z&.-]{1,7}s?)[)\"”]")
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,30})[\"”]")
_SMALL = frozenset({"of", "and", "the", "per", "in"})
_FEWEST_INITIALS = 3


@lru_cache(maxsize=1 << 13)
def without_asides(name: str) -> str:
    """Return a name without what stands in brackets and where it is shown; the name where nothing else is left."""
    return _INCLUDING.sub("", _IN_STATEMENTS.sub("", _ASIDE.sub("", name))).strip() or name


# Terms of the trades and what they are: airlines call revenue passenger miles their traffic.
_TERMS = {
    "traffic": ("revenue passenger miles", "revenue passenger kilometers", "revenue passenger kilometres"),
    "capacity": ("available seat miles", "available seat kilometers", "available seat kilometres"),
    "asm asms": ("available seat miles",),
    "rpm rpms": ("revenue passenger miles",),
    "casm": ("cost available seat mile", "expense available seat mile", "cost asm", "expense asm"),
    "rasm": ("revenue available seat mile",),
    "latam": ("latin america",),
    "apac": ("asia pacific",),
    "emea": ("europe middle east africa",),
    "prasm": ("passenger revenue available seat mile",),
    "trasm": ("total revenue available seat mile",),
    "yield": ("passenger revenue per revenue passenger mile",),
    "fleet": ("aircraft end period", "vessels end period", "vehicles end period"),
    "fte ftes": ("full time equivalent",),
    "revpar": ("revenue available room",),
    "adr": ("average daily rate",),
    "arpu": ("average revenue user",),
    "aum": ("assets management",),
    "nim": ("net interest margin",),
    "npl npls": ("non performing loans", "nonperforming loans"),
    "cogs": ("cost goods sold",),
    "personnel labor labour": ("salaries", "wages"),
    "pretax": ("before taxes", "before income taxes", "before taxation"),
    "ppe": ("property plant equipment", "property equipment"),
    "ga": ("general administrative",),
    "sga": ("selling general administrative",),
    "ebit": (
        "earnings before interest taxes",
        "earnings before interest tax",
        "operating profit",
        "operating income",
    ),
    "rd": ("research development",),
    "margin": ("percentage sales", "percentage revenue", "percentage revenues"),
    "fcf": ("free cash flow",),
    "gmv": ("gross merchandise value", "gross merchandise volume"),
}
# Short forms that stand alone in headers, which questions write out.
_HEADINGS = {
    "pax": ("passengers",),
    "intl": ("international",),
    "lf l/f": ("load factor",),
    "apps": ("appearances",),
    "pts": ("points",),
    "pld": ("played",),
    "gp": ("games played",),
    "yds": ("yards",),
    "tds": ("touchdowns",),
    "att": ("attendance",),
    "qty": ("quantity",),
    "avg": ("average",),
    "ttl": ("total",),
    "ww": ("worldwide",),
}
# Offices and countries, as questions and tables abbreviate them.
_ABBREVIATED = {
    "uk": "united kingdom",
    "u.k.": "united kingdom",
    "usa": "united states",
    "u.s.": "united states",
    "the us": "united states",
    "uae": "united arab emirates",
    "ceo": "chief executive officer",
    "cfo": "chief financial officer",
    "coo": "chief operating officer",
    "cto": "chief technology officer",
    "cio": "chief information officer",
    "cmo": "chief marketing officer",
    "evp": "executive vice president",
    "svp": "senior vice president",
    "vp": "vice president",
}


def in_words_of(text: str, cells: str) -> str:
    """Return a text (lower case) with offices and countries as the cells of a table write them: "cfo", "uk"."""
    for short, full in _ABBREVIATED.items():
        for said, written in ((short, full), (full, short)):
            if _word(said, text) and _word(written, cells) and not _word(said, cells):
                text = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", written, text)
    return text


def _word(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


class ShortForms:
    """The short forms of the names of one table."""

    def __init__(self, names: Iterable[str]) -> None:
        leaves = dict.fromkeys(name.rsplit(" / ", 1)[-1] for name in names)
        pairs = ((self.of(leaf), _bare(leaf)) for leaf in leaves)
        self._pairs = [(short, full) for short, full in pairs if short and full]
        held = [features(leaf) for leaf in leaves]
        self._pairs += [
            (short, full) for short, full in _terms() if any(full <= own or short <= own for own in held)
        ]
        self._pairs += [(short, full) for short, full in _headings() if any(short & own for own in held)]
        self.all = frozenset().union(*(short for short, _ in self._pairs), frozenset())

    def of(self, leaf: str) -> frozenset[str]:
        """Return the features of a name's short forms."""
        return _short_forms(leaf)

    def spelled(self, asked: frozenset[str]) -> frozenset[str]:
        """Return what the short forms among these features stand for, and the short forms of what is written out."""
        return self.both_ways(asked) - asked

    def both_ways(self, own: frozenset[str]) -> frozenset[str]:
        """Return features with short forms written out and with what is written out shortened."""
        found = set(own)
        for short, full in self._pairs:
            if short & own:
                found |= full | short
            elif full <= own:
                found |= short
        return frozenset(found)

    def closed(self, own: frozenset[str]) -> frozenset[str]:
        """Return features with all that can be said for them: names that mean the same give the same."""
        while (wider := self.both_ways(own)) != own:
            own = wider
        return own


@lru_cache(maxsize=1)
def _terms() -> list[tuple[frozenset[str], frozenset[str]]]:
    return _pairs(_TERMS)


@lru_cache(maxsize=1)
def _headings() -> list[tuple[frozenset[str], frozenset[str]]]:
    return _pairs(_HEADINGS)


def _pairs(forms: Mapping[str, Sequence[str]]) -> list[tuple[frozenset[str], frozenset[str]]]:
    return [
        (features(short), frozenset(f for f in features(full) if not f.startswith("§")))
        for short, fulls in forms.items()
        for full in fulls
    ]


@lru_cache(maxsize=1 << 13)
def _short_forms(leaf: str) -> frozenset[str]:
    written: list[str] = _CAPITALS.findall(leaf)
    quoted = [form for form in _QUOTED.findall(leaf) if without_asides(leaf).strip(' "“”') != form]
    found = {f for form in written for f in _numbers_of(form)} | {
        f for form in quoted for f in features(form)
    }
    words = [w for w in re.findall(r"[A-Za-z]+", without_asides(leaf)) if w.lower() not in _SMALL]
    if len(words) >= _FEWEST_INITIALS:
        found |= _numbers_of("".join(word[0] for word in words))
    return frozenset(found)


def _numbers_of(form: str) -> frozenset[str]:
    """Return an abbreviation in the singular and the plural."""
    bare = form.lower().removesuffix("s") if form[-1:] == "s" else form.lower()
    return features(bare) | features(f"{bare}s")


def _bare(leaf: str) -> frozenset[str]:
    return features(_QUOTED.sub("", without_asides(leaf)))
