"""Other names of what a node speaks of: abbreviations the document defines, and synonyms of metrics and units.

"Long Form (LF)" and "LF (Long Form)" are read as Schwartz and Hearst (2003) do: the letters of the short
form stand in the long one in order, the first at the start of a word. Chinese definitions are
全称（以下简称“简称”）and its variants, the characters of the short form in the same way in the long one. A node that
holds one form gets the others in ``metadata["aliases"]``, so that both find it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any

from engine.enrich.synonyms import Synonyms, load_synonyms
from engine.model import Node, Tree
from engine.structure.terms import fold

MOST_PER_NODE = 16
MOST_ABBREVIATIONS = 500
# Brackets and definitions that are looked at in one text.
MOST_PER_TEXT = 500
LONGEST_LONG_FORM = 80
_BRACKET = re.compile(r"[(（]\s*([^()（）]{2,80}?)\s*[)）]")
_SHORT = re.compile(r"[A-Za-z][A-Za-z0-9&/.\-]{1,11}")
_WORDS_BEFORE = re.compile(r"(?:[\w'’&/-]+[\s]+){0,12}[\w'’&/-]+\s*$")
_SHORT_BEFORE = re.compile(r"(?<![\w-])([A-Z][A-Za-z0-9&/-]{1,9})\s*$")
_DEFINED = re.compile(
    r"[(（\[【]?\s*(?:以下|下文|本文|后文)?[统統均]?(?:简称|簡稱|下称|下稱|缩写|縮寫|(?<=以下)[称稱])[为為作]?\s*[:：]?\s*"
    r"[“\"「『《‘']?(?P<short>[^“”\"「」『』《》‘’'()（）\[\]【】，,。；;：:\s]{1,20})"
)
_LONG_ZH = re.compile(r"(?:《([^《》]{2,60})》|([\u3400-\u9fffA-Za-z0-9·—()（）]{2,60}))\s*[，,]?\s*$")
# Parties by their part in a contract: they would name every node.
_GENERIC = frozenset([
    "公司", "本公司", "我司", "集团", "本集团", "甲方", "乙方", "丙方", "双方", "发行人",
    "卖方", "买方", "我们", "标的", "本次",
])  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:[-'’&./][^\W_]+)*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_QUANTITY_UNIT = re.compile(r"\d\s?(%|‰|[A-Za-zμ°℃℉Ω][A-Za-z/²³0-9]{0,7}|[\u3400-\u9fff]{1,5})")
_MONEY = re.compile(r"([$€£¥₹₩])\s?\d")


def with_aliases(tree: Tree, synonyms: Synonyms | None = None) -> Tree:
    """Return the tree with up to 16 other forms in ``metadata["aliases"]``; ``synonyms``: the shipped ones if None."""
    synonyms = synonyms or load_synonyms()
    own = _Forms(_defined_in(tree.nodes), abbreviations=True)
    metrics = _metric_forms_of(tuple(synonyms.metrics.values()))
    units = _unit_forms(synonyms)
    nodes = []
    for node in tree.nodes:
        text = _searched(node)
        found = [*own.others(text), *metrics.others(text), *_unit_others(node, text, units)]
        unique = {fold(form): form for form in reversed(found)}
        aliases = _not_said(text, reversed(unique.values()))
        nodes.append(replace(node, metadata=node.metadata | {"aliases": aliases}) if aliases else node)
    return replace(tree, nodes=nodes)


def other_forms(text: str, synonyms: Synonyms) -> list[str]:
    """Return the other forms of the metrics, units and currencies that a question names, at most 16."""
    groups = (*synonyms.metrics.values(), *synonyms.units.values(), *synonyms.currencies.values())
    return _not_said(text, dict.fromkeys(_metric_forms_of(groups).others(text)))


def _not_said(text: str, forms: Iterable[str]) -> list[str]:
    """Return the first forms that a text does not have, as many as a node gets."""
    lowered = text.casefold()
    new = (form for form in forms if form not in text and (form.isupper() or form.casefold() not in lowered))
    return list(islice(new, MOST_PER_NODE))


def abbreviations_in(text: str) -> list[tuple[str, str]]:
    """Return the abbreviations that a text defines: (short form, long form), each word for word."""
    return list(dict.fromkeys([*_latin(text), *_chinese(text)]))


def _defined_in(nodes: Iterable[Node]) -> list[tuple[str, str]]:
    pairs: dict[tuple[str, str], None] = {}
    for node in nodes:
        for text in (node.title, node.text, str(node.metadata.get("caption") or "")):
            if text and node.role != "code":
                pairs |= dict.fromkeys(abbreviations_in(text))
        if node.role == "table":
            pairs |= dict.fromkeys(_glossary(node.metadata.get("rows")))
        if len(pairs) >= MOST_ABBREVIATIONS:
            break
    return list(pairs)[:MOST_ABBREVIATIONS]


def _glossary(rows: Any) -> Iterator[tuple[str, str]]:
    """Return the pairs of a table of definitions: short form | 指 | long form."""
    for row in rows if isinstance(rows, list) else ():
        written = row if isinstance(row, list | tuple) else ()
        cells = [str(cell).strip() for cell in written if str(cell or "").strip()]
        if len(cells) == 3 and cells[1] in ("指", "means"):
            long = cells[2].rstrip("。")
            for short in re.split(r"[、，,/]", cells[0]):
                if 1 < len(short) < len(long) <= 40 and short not in _GENERIC and "，" not in long:
                    yield short.strip('“”" '), long


def _latin(text: str) -> Iterator[tuple[str, str]]:
    for match in islice(_BRACKET.finditer(text), MOST_PER_TEXT):
        inside = match[1].strip(" \"“”'‘’")
        before = text[max(0, match.start() - 160) : match.start()]
        if _SHORT.fullmatch(inside) and sum(map(str.isupper, inside)) >= max(1, len(inside) // 3):
            words = _WORDS_BEFORE.search(before)
            if words and (long := _long_form(inside, words[0].strip())):
                yield inside, long
        elif short := _SHORT_BEFORE.search(before):
            inside = inside.split(";")[0].split(",")[0].strip()
            spelled = len(inside.split()) > 1 and _long_form(short[1], inside) == inside
            chinese = 3 <= len(inside) <= 20 and len(_HAN.findall(inside)) == len(inside)
            if (spelled or chinese) and sum(map(str.isupper, short[1])) >= 2:
                yield short[1], inside


def _long_form(short: str, words: str) -> str | None:
    """Return the shortest end of ``words`` that spells ``short``, or None (Schwartz & Hearst's algorithm)."""
    letters = [character for character in short.lower() if character.isalnum()]
    if len(letters) < 2 or len(words) > 160:
        return None
    at = len(words)
    for index in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and not (
            words[at].lower() == letters[index] and (index or at == 0 or not words[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return None
    long = words[at:].strip()
    if long.lower() == short.lower() or not len(short) < len(long) <= LONGEST_LONG_FORM:
        return None
    return long if len(long.split()) <= min(len(letters) + 5, 2 * len(letters)) else None


def _chinese(text: str) -> Iterator[tuple[str, str]]:
    for match in islice(_DEFINED.finditer(text), MOST_PER_TEXT):
        short, run = (
            match["short"],
            _LONG_ZH.search(text[max(0, match.start() - 80) : match.start()].rstrip()),
        )
        long = (run[1] or _spelled_by(short, run[2])) if run else ""
        if short not in _GENERIC and len(short) < len(long):
            yield short, long


def _spelled_by(short: str, run: str) -> str:
    """Return the end of a run of text that a short form stands for, 北京大学 of 他毕业于北京大学 for 北大, or ""."""
    for start in range(len(run) - len(short), -1, -1):
        characters = iter(run[start:])
        if (
            run[start] == short[0]
            and len(run) - start >= 2 * len(short)
            and all(c in characters for c in short)
        ):
            return run[start:]
    return ""


class _Forms:
    """Finds which of many forms a text holds, by first word (Latin) or by one pattern (Chinese)."""

    def __init__(self, groups: Iterable[tuple[str, ...]], abbreviations: bool = False) -> None:
        self._groups = list(groups)
        self._by_word: dict[str, list[tuple[str, str, int]]] = {}
        han: dict[str, list[int]] = {}
        for number, group in enumerate(self._groups):
            for form in group:
                if _HAN.search(form):
                    han.setdefault(form, []).append(number)
                elif words := _WORD.findall(fold(form)):
                    exact = form if form.isupper() and (abbreviations or len(form) <= 5) else ""
                    self._by_word.setdefault(words[0], []).append((" ".join(words), exact, number))
        self._han = han
        longest_first = sorted(han, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if han else None

    def others(self, text: str) -> list[str]:
        """Return the other forms of all groups of which the text holds one, in the groups' order of finding."""
        numbers: dict[int, None] = {}
        if self._by_word:
            plain = fold(text) if not text.isascii() else text.lower()
            words, spelled = _WORD.findall(plain), set(_WORD.findall(text))
            joined = " " + " ".join(words) + " "
            for word in dict.fromkeys(words):
                for form, exact, number in self._by_word.get(word, ()):
                    if (form == word or f" {form} " in joined) and (not exact or exact in spelled):
                        numbers[number] = None
        if self._pattern is not None:
            for match in self._pattern.findall(text):
                numbers |= dict.fromkeys(self._han[match])
        return [form for number in numbers for form in self._groups[number]]


@lru_cache(maxsize=4)
def _metric_forms_of(groups: tuple[tuple[str, ...], ...]) -> _Forms:
    return _Forms(groups)


def _unit_forms(synonyms: Synonyms) -> Mapping[str, tuple[str, ...]]:
    """Return all forms of the unit that a form means, forms of one letter aside."""
    forms: dict[str, tuple[str, ...]] = {}
    for entries in (synonyms.units, synonyms.currencies):
        for group in entries.values():
            for form in group:
                forms.setdefault(form, group)
    return forms


def _unit_others(node: Node, text: str, forms: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the other names of units that stand behind numbers in the text or in a table's columns."""
    written = [match.strip() for match in _QUANTITY_UNIT.findall(text)] + _MONEY.findall(text)
    written += [str(column.get("unit") or "") for column in node.columns]
    found: list[str] = []
    for unit in dict.fromkeys(written):
        group = forms.get(unit, ())
        letter = len(unit) == 1 and ((unit.isalpha() and unit.isascii()) or _HAN.match(unit))
        if len(group) > 1 and not letter:
            # The first few are the common ones; plurals and rare spellings only add noise.
            found += [form for form in group if len(form) > 1 or not form.isalpha()][:5]
    return found


def _searched(node: Node) -> str:
    """The part of a node that says what it speaks of."""
    if node.role == "code":
        return ""
    names = [str(column.get("name") or "") for column in node.columns]
    caption = str(node.metadata.get("caption") or "")
    return "\n".join(part for part in [node.title, caption, *names[:50], node.text[:20_000]] if part)
