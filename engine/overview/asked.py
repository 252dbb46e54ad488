"""What is asked about documents as a whole: "What is this report about?", 哪些文档提到了…, "How many files are there?".

How such questions are put stands in ``engine/language/documents.toml``. A question counts only where nothing else is
asked: "Summarise the risks in the report" asks for the risks.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Literal, NamedTuple, cast

import engine.language
from engine.answer.understand.terms import content_terms

Kind = Literal["mentions", "head", "length", "sheets", "about", "place", "list"]
QUOTES = "\"'“”‘’「」『』《》〈〉"
_DATA: dict[str, Any] = tomllib.loads(
    Path(engine.language.__file__).with_name("documents.toml").read_text("utf-8")
)
_LANGUAGES = ("en", "zh")
_QUOTED = re.compile(r"[\"“「『《〈]([^\"“”「」『』《》〈〉]{2,120})[\"”」』》〉]")
_ENDS = r"[\s?？.。!！]*"
_KINDS = {
    tuple(suffixes.split()): re.compile(words, re.IGNORECASE) for suffixes, words in _DATA["kinds"].items()
}


class Reading(NamedTuple):
    """One way to read a question: what it asks for, and what it says beside that."""

    kind: Kind
    about: str


def readings(question: str) -> list[Reading]:
    """Return the ways in which a question may be about documents as a whole, without a look at the library."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    found = [
        Reading(kind, match.groupdict().get("x") or "")
        for kind, pattern in _templates()
        if (match := pattern.fullmatch(text))
    ]
    return list(dict.fromkeys(found))


def term_in(text: str) -> str:
    """Return the word or phrase that a text asks for: what stands in quotation marks, else all without its article."""
    quoted = _QUOTED.findall(text)
    return quoted[0] if len(quoted) == 1 else re.sub(r"^(?:an?|the|any)\s+", "", text.strip(), flags=re.I)


def says_nothing(rest: str) -> bool:
    """Tell whether a question without its names asks for nothing in particular."""
    return not content_terms(without_little(rest))


def without_little(text: str) -> str:
    """Return a text without what says nothing beside a document that is meant."""
    return _little().sub(" ", text)


def means_documents(text: str) -> bool:
    """Tell whether a text speaks of documents, or of "this"."""
    return bool(_nouns().search(text))


def without_names(text: str, names: Mapping[str, Sequence[str]]) -> tuple[list[str], str]:
    """Return the documents (ids) that a text names, and the text without their names; ``names`` are those by id."""
    left = spaced(text)
    found: dict[str, None] = {}
    known = sorted({(spaced(name), key) for key, own in names.items() for name in own}, reverse=True)
    for name, key in sorted(known, key=lambda one: -len(one[0])):
        match = re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", left) if len(name) > 1 else None
        if match:
            found[key] = None
            same = {other for form, other in known if form == name}
            found |= dict.fromkeys(sorted(same))
            left = f"{left[: match.start()]} {left[match.end() :]}"
    return list(found), left


def of_kind(text: str, names: Mapping[str, str]) -> tuple[list[str], str]:
    """Return the documents (ids) of the kind that a text speaks of, and the text without the word for the kind.

    ``names`` are the files' names by id.
    """
    for suffixes, words in _KINDS.items():
        if words.search(text):
            found = [key for key, name in names.items() if PurePath(name).suffix.lower() in suffixes]
            return found, words.sub(" ", text)
    return [], text


def spaced(text: str) -> str:
    """Return a text in lower case whose words are parted by one space, as names of files are not, without quotes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(rf"[_\-\s{QUOTES}]+", " ", folded).split())


@cache
def _templates() -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    return tuple(
        (cast(Kind, kind), _compiled(template, _DATA[code]))
        for code in _LANGUAGES
        for kind, templates in _DATA[code]["asks"].items()
        for template in templates
    )


def _compiled(template: str, language: Mapping[str, Any]) -> re.Pattern[str]:
    """Return the pattern of a template: fillers may stand before each of its words."""
    gap, edge = (r"[\s,]+", r"\b") if language["spaced"] else (r"[\s,，]*", "")
    fillers = "|".join(map(re.escape, sorted(language["fillers"].split(), key=len, reverse=True)))
    filler = rf"(?:(?:{fillers}){edge}{gap})*"
    parts = list(_parts(template.split(), language, filler, edge, gap))
    return re.compile(rf"\s*{''.join(parts)}{_ENDS}", re.IGNORECASE)


def _parts(
    words: Sequence[str], language: Mapping[str, Any], filler: str, edge: str, gap: str
) -> Iterator[str]:
    for place, word in enumerate(words):
        last = place == len(words) - 1
        bare = word.strip("[]")
        if bare == "{x}":
            yield rf"(?P<x>.+?){'' if last else gap}"
            continue
        listed = language[bare.strip("{}")] if bare.startswith("{") else [bare]
        said = rf"{filler}(?:{'|'.join(listed)}){edge}{filler if last and not edge else ''}"
        said += "" if last else gap
        yield f"(?:{said})?" if word.startswith("[") else said


@cache
def _little() -> re.Pattern[str]:
    """What says nothing beside a document that is meant."""
    english, chinese = (_DATA[code]["documents"] + _DATA[code]["little"] for code in _LANGUAGES)
    fillers = "|".join(map(re.escape, _DATA["en"]["fillers"].split()))
    return re.compile(rf"\b(?:{'|'.join(english)}|{fillers})\b|{'|'.join(chinese)}", re.IGNORECASE)


@cache
def _nouns() -> re.Pattern[str]:
    english, chinese = (_DATA[code]["documents"] for code in _LANGUAGES)
    return re.compile(
        rf"\b(?:{'|'.join(english)}|this|everything|it)\b|{'|'.join(chinese)}|[这该本]", re.IGNORECASE
    )
