"""A text that tells of another year or of another one in a row than the question: 2018 for 2019, 第48届 for 第49届.

Such texts are alike in every word but the number, so words and vectors alone put the neighbouring year's or article's
text first as readily as the one that is asked for. A number is compared only with numbers of the same kind: years with
years, "Article 12" with other articles, "the 49th Congress" with other congresses.

What a text does not tell is never held against it: it must have numbers of the kind, none of them asked for. Where a
question names several they span a range, and "since 2015" asks for other years than 2015.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from engine.enrich.labels import chinese_number, roman_number

# So many letters of a text are read.
READ_LETTERS = 4000
_NUMERAL = "[零〇一二三四五六七八九十百千两]{1,7}"
_YEAR = re.compile(r"(?<![\d.,$€£¥])(1[89]\d\d|20\d\d)(?!\d|[.,]\d|\s?[%‰]|['’]?s\b|\s?年代)")
# Characters that count what has its place in a row, not how often something is.
_COUNTER = "[届屆条條章节節款编編篇期季卷册冊集回轮輪代世任号號师師军軍团團]"
_CHINESE = re.compile(rf"(?:第\s*(\d{{1,4}}|{_NUMERAL})\s*|首)(?=({_COUNTER}))")
_ORDINAL = re.compile(r"\b(\d{1,4})(?:st|nd|rd|th)\s+([A-Za-z]{3,})")
_PART = "article|section|chapter|clause|paragraph|annex|appendix|schedule|volume|phase|season|rule"
_NAMED = re.compile(rf"\b([A-Z][a-z]{{2,}}|(?i:{_PART}))\s+(\d{{1,3}}|[IVXLC]{{1,7}})\b(?![.,]\d|%)")
# The code of a model, a size or a standard: HY-U30, DN40, ISO 9001.
_CODE = re.compile(
    r"(?<![A-Za-z0-9-])((?=[A-Za-z-]{2})[A-Z][A-Za-z]{0,5}(?:-[A-Z]{0,4})?)(\d{1,5})(?![A-Za-z0-9]|[.,]\d)"
)
_OPEN = re.compile(
    r"(?i:\b(?:since|after|before|until|till|prior to|later than|from|beyond)\s+(?:the\s+)?)[\w\s]{0,12}$"
)
_OPEN_BEHIND = re.compile(r"^\s*[年届屆]?[度初底末]?\s*(?:以[来來前后後]|之[前后後]|[前后後起至])")
# With these words before it a number is no name's ("In 12 of the cases"), or names what is looked up by its label
# however that is written ("Figure 3", "Fig. 3"), or what lies outside the text.
_NO_NAME = frozenset(
    "the and for with from than about over under only after before since until some these those figure fig"
    " table tab equation formula page step version".split()
)

# A smaller number stands anywhere for anything.
_TELLING = 10

_OF_CODE = "code "
Numbers = Mapping[str, set[int]]


def asked_numbers(question: str) -> Numbers:
    """Return the years and the numbers of things in a row that a question asks for, by kind."""
    return _numbers(question, closed_only=True)


def other_numbers(asked: Numbers, texts: Iterable[str]) -> list[str]:
    """Return which of the asked numbers the texts contradict, telling only of others of the kind ("2019", 第49届).

    ``texts`` are a passage with all that stands over it.
    """
    if not asked:
        return []
    text = "\n".join(one[:READ_LETTERS] for one in texts)
    told = _numbers(text)
    contradicted = []
    for kind, wanted in asked.items():
        others = told.get(kind, set())
        if not others or any(min(wanted) <= other <= max(wanted) for other in others):
            continue
        exact = kind.startswith(_OF_CODE)
        if exact or not any(number >= _TELLING and _stands_in(text, number) for number in wanted):
            contradicted += [_shown(kind, number) for number in sorted(wanted)]
    return contradicted


def _shown(kind: str, number: int) -> str:
    if kind.startswith(_OF_CODE):
        return f"{kind.removeprefix(_OF_CODE)}{number}"
    return f"第{number}{kind[1:]}" if kind.startswith("第") else str(number)


def _stands_in(text: str, number: int) -> bool:
    return re.search(rf"(?<![\d.,]){number}(?!\d|[.,]\d)", text) is not None


def _numbers(text: str, *, closed_only: bool = False) -> Numbers:
    plain = unicodedata.normalize("NFKC", text)
    found: dict[str, set[int]] = {}
    for pattern in (_YEAR, _CHINESE, _ORDINAL, _NAMED, _CODE):
        for match in pattern.finditer(plain):
            if closed_only and (
                _OPEN.search(plain[: match.start()]) or _OPEN_BEHIND.match(plain[match.end() :])
            ):
                continue
            kind, number = _kind_and_number(pattern, match)
            if kind:
                found.setdefault(kind, set()).add(number)
    return found


def _kind_and_number(pattern: re.Pattern[str], match: re.Match[str]) -> tuple[str, int]:
    if pattern is _YEAR:
        return "year", int(match[1])
    if pattern is _CHINESE:
        told = match[1] or "一"  # 首届
        return "第" + match[2], int(told) if told.isdecimal() else chinese_number(told)
    if pattern is _ORDINAL:
        return match[2].casefold(), int(match[1])
    if pattern is _CODE:
        return f"{_OF_CODE}{match[1]}", int(match[2])
    word = match[1].casefold()
    if word in _NO_NAME:
        return "", 0
    return word, int(match[2]) if match[2].isdecimal() else roman_number(match[2])
