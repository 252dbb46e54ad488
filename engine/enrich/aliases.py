"""Other names of what a node speaks of: abbreviations the document defines, and synonyms of metrics and units.

"Long Form (LF)" and "LF (Long Form)" are read as Schwartz and Hearst (2003) do: the letters of the short
form stand in the long one in order, the first at the start of a word. Chinese definitions are
全称（以下简称“简称”）and its variants, the characters of the short form in the same way in the long one. A node that
holds one form gets the others in ``metadata["aliases"]``, so that both find it.

The synonym file: names of metrics, units and currencies and their other forms, in both languages.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from engine.errors import ConfigError
from engine.model import Node, Tree
from engine.settings_section import Section
from engine.structure.terms import fold

SHIPPED = Path(__file__).with_name("synonyms.toml")
# A user's file may be as long as a dictionary, but it is read for every document.
MOST_FORMS = 20_000


def _named(table: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Put the name before its other forms."""
    return {key: tuple(dict.fromkeys(form for form in (key, *forms) if form.strip())) for key, forms in table.items()}


_Table = Annotated[dict[str, tuple[str, ...]], AfterValidator(_named)]


class Synonyms(Section):
    """Canonical names with all their forms (the name itself first), by kind."""

    metrics: _Table = Field({})
    units: _Table = Field({})
    currencies: _Table = Field({})


@dataclass(frozen=True)
class LibrarySynonyms:
    """The synonyms of a library: all that are in force, those of its own file, and what is wrong with that file.

    A file with a ``problem`` (a sentence for the user, else "") counts for nothing.
    """

    in_force: Synonyms
    own: Synonyms = field(default_factory=Synonyms)
    problem: str = ""


@lru_cache(maxsize=1)
def load_synonyms() -> Synonyms:
    """Return the shipped synonyms."""
    return _read(SHIPPED)


def library_synonyms(file: Path) -> LibrarySynonyms:
    """Return the shipped synonyms with a library's file (same form) laid over them, if it exists.

    A key that the file also has takes the file's list. The file is read again when it has changed.
    """
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        return LibrarySynonyms(load_synonyms())
    return _library_synonyms(file, changed)


@lru_cache(maxsize=4)
def _library_synonyms(file: Path, _changed: int) -> LibrarySynonyms:
    shipped = load_synonyms()
    try:
        own = _read(file)
    except ConfigError as error:
        return LibrarySynonyms(shipped, problem=f"{error} The synonyms that come with DropQA are used.")
    both = {name: getattr(shipped, name) | forms for name, forms in own}
    return LibrarySynonyms(shipped.model_copy(update=both), own)


def _read(path: Path) -> Synonyms:
    """Return what a synonym file says. Raises ConfigError that names the file and what is wrong in it."""
    try:
        found = Synonyms.model_validate(tomllib.loads(path.read_text("utf-8") + "\n"))
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(
            f"The synonym file {path} has the tables {', '.join(Synonyms.model_fields)}, of names with lists of words, "
            f"but {'.'.join(map(str, first['loc']))!r} is none: {first['msg']}."
        ) from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"The synonym file {path} cannot be read: {error}.") from error
    if (count := sum(len(forms) for _, table in found for forms in table.values())) > MOST_FORMS:
        raise ConfigError(f"The synonym file {path} has {count:,} forms; at most {MOST_FORMS:,} are read.")
    return found


MOST_PER_NODE, MOST_ABBREVIATIONS = 16, 500
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
_LONG_HAN, _ONE_LETTER = re.compile(r"[\u3400-\u9fff]{3,20}"), re.compile(r"[A-Za-z\u3400-\u9fff]")
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
            pairs |= dict.fromkeys(_glossary(node.metadata.get("rows") or []))
        if len(pairs) >= MOST_ABBREVIATIONS:
            break
    return list(pairs)[:MOST_ABBREVIATIONS]


def _glossary(rows: Iterable[Iterable[Any]]) -> Iterator[tuple[str, str]]:
    """Return the pairs of a table of definitions: short form | 指 | long form."""
    for row in rows:
        match [text for cell in row if (text := str(cell or "").strip())]:
            case [defined, "指" | "means", meaning]:
                long = meaning.rstrip("。")
                for short in re.split(r"[、，,/]", defined):
                    if 1 < len(short) < len(long) <= 40 and short not in _GENERIC and "，" not in long:
                        yield short.strip('“”" '), long


def _latin(text: str) -> Iterator[tuple[str, str]]:
    for match in islice(_BRACKET.finditer(text), MOST_PER_TEXT):
        inside = match[1].strip(" \"“”'‘’")
        before = text[max(0, match.start() - 160) : match.start()]
        if _SHORT.fullmatch(inside) and _capitals(inside) >= max(1, len(inside) // 3):
            words = _WORDS_BEFORE.search(before)
            if words and (long := _long_form(inside, words[0].strip())):
                yield inside, long
        elif (short := _SHORT_BEFORE.search(before)) and _capitals(short[1]) >= 2:
            inside = inside.split(";")[0].split(",")[0].strip()
            if _is_long_form(inside, short[1]):
                yield short[1], inside


def _is_long_form(text: str, short: str) -> bool:
    """True for words that spell a short form, and for a run of Chinese characters behind one."""
    spelled = len(text.split()) > 1 and _long_form(short, text) == text
    return spelled or _LONG_HAN.fullmatch(text) is not None


def _capitals(text: str) -> int:
    return sum(map(str.isupper, text))


def _long_form(short: str, words: str) -> str | None:
    """Return the shortest end of ``words`` that spells ``short``, or None (Schwartz & Hearst's algorithm)."""
    letters = list(filter(str.isalnum, short.lower()))
    at = len(words)
    for index, letter in reversed([*enumerate(letters)]):
        at = _place_before(words, at, letter, begins_word=not index)
    long = words[at:].strip() if at >= 0 else ""
    few = len(long.split()) <= min(len(letters) + 5, 2 * len(letters))
    return long if few and len(letters) > 1 and len(short) < len(long) <= LONGEST_LONG_FORM else None


def _place_before(words: str, end: int, letter: str, *, begins_word: bool) -> int:
    """Return the last place of a letter before an end, -1 where there is none."""
    places = (place for place in range(end - 1, -1, -1) if words[place].lower() == letter)
    return next((one for one in places if not (begins_word and words[one - 1 : one].isalnum())), -1)


def _chinese(text: str) -> Iterator[tuple[str, str]]:
    for match in islice(_DEFINED.finditer(text), MOST_PER_TEXT):
        short = match["short"]
        run = _LONG_ZH.search(text[max(0, match.start() - 80) : match.start()].rstrip())
        long = (run[1] or _spelled_by(short, run[2])) if run else ""
        if short not in _GENERIC and len(short) < len(long):
            yield short, long


def _spelled_by(short: str, run: str) -> str:
    """Return the end of a run of text that a short form stands for, 北京大学 of 他毕业于北京大学 for 北大, or ""."""
    ends = (run[start:] for start in range(len(run) - 2 * len(short), -1, -1) if run[start] == short[0])
    return next((end for end in ends if _spells(end, short)), "")


def _spells(long: str, short: str) -> bool:
    """True where the characters of a short form stand in a long one in their order."""
    characters = iter(long)
    return all(character in characters for character in short)


class _Forms:
    """Finds which of many forms a text holds, by first word (Latin) or by one pattern (Chinese)."""

    def __init__(self, groups: Iterable[tuple[str, ...]], abbreviations: bool = False) -> None:
        self._groups = list(groups)
        self._by_word: dict[str, list[tuple[str, str, int]]] = {}
        self._han: dict[str, list[int]] = {}
        for number, form in ((number, form) for number, group in enumerate(self._groups) for form in group):
            if _HAN.search(form):
                self._han.setdefault(form, []).append(number)
            elif words := _WORD.findall(fold(form)):
                exact = form if form.isupper() and (abbreviations or len(form) <= 5) else ""
                self._by_word.setdefault(words[0], []).append((" ".join(words), exact, number))
        longest_first = sorted(self._han, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def others(self, text: str) -> list[str]:
        """Return the other forms of all groups of which the text holds one, in the groups' order of finding."""
        numbers = self._held(text) if self._groups else ()
        return [form for number in numbers for form in self._groups[number]]

    def _held(self, text: str) -> Iterable[int]:
        plain = fold(text) if not text.isascii() else text.lower()
        words, spelled = _WORD.findall(plain), set(_WORD.findall(text))
        joined = f" {' '.join(words)} "
        numbers = {
            number: None
            for word in dict.fromkeys(words)
            for form, exact, number in self._by_word.get(word, ())
            if f" {form} " in joined and (not exact or exact in spelled)
        }
        for match in self._pattern.findall(text):
            numbers |= dict.fromkeys(self._han[match])
        return numbers


@lru_cache(maxsize=4)
def _metric_forms_of(groups: tuple[tuple[str, ...], ...]) -> _Forms:
    return _Forms(groups)


def _unit_forms(synonyms: Synonyms) -> Mapping[str, tuple[str, ...]]:
    """Return all forms of the unit that a form means; of several the first."""
    groups = [*synonyms.units.values(), *synonyms.currencies.values()]
    return {form: group for group in reversed(groups) for form in group}


def _unit_others(node: Node, text: str, forms: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the other names of units that stand behind numbers in the text or in a table's columns."""
    written = [match.strip() for match in _QUANTITY_UNIT.findall(text)] + _MONEY.findall(text)
    written += [str(column.get("unit") or "") for column in node.columns]
    found: list[str] = []
    for unit in dict.fromkeys(written):
        group = forms.get(unit, ())
        if len(group) > 1 and not _ONE_LETTER.fullmatch(unit):
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
