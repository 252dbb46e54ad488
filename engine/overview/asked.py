"""What is asked about documents as a whole: "What is this report about?", 哪些文档提到了…, "How many files are there?".

How such questions are put stands in ``engine/language/documents.toml``. A question counts only where nothing else is
asked: "Summarise the risks in the report" asks for the risks.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Literal, NamedTuple, cast

from engine.answer.understand.parts import parts_of
from engine.answer.understand.terms import content_terms
from engine.language import compiled, patterns

Kind = Literal["mentions", "head", "about", "place", "list"]
QUOTES = "\"'“”‘’「」『』《》〈〉"
_DATA = patterns("documents")
_QUOTED = re.compile(r"[\"“「『《〈]([^\"“”「」『』《》〈〉]{2,120})[\"”」』》〉]")
_SMALL = re.compile(
    r"^(?:(?:an?|the|any|in|what|does|do|is|are|was|were|word)\s+)+|\s+(?:of|in|from)\s*$", re.IGNORECASE
)
_NOUNS: str = _DATA["documents"]
_ASKS = {cast(Kind, kind): compiled(words.replace("{documents}", _NOUNS)) for kind, words in _DATA["asks"].items()}
_LITTLE, _DOCUMENTS = compiled(_DATA["little"]), compiled(rf"{_NOUNS}|\b(?:this|everything|it)\b|[这该本]")
_KINDS = {tuple(suffixes.split()): compiled(words) for suffixes, words in _DATA["kinds"].items()}


class Reading(NamedTuple):
    """One way to read a question: what it asks for, and what it says beside that."""

    kind: Kind
    about: str


def readings(question: str) -> list[Reading]:
    """Return the ways in which a question may be about documents as a whole, without a look at the library."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    found = []
    for kind, asks in _ASKS.items():
        match = asks.search(text)
        more = kind == "head" and len(parts_of(text)) > 1  # the head of a document tells no more than who and when
        if match and not more and (kind != "mentions" or _ASKS["list"].search(text)):
            middle = match.groupdict().get("middle") or ""
            about = f"{text[: match.start('cue')]} {middle} {text[match.end('cue') :]}"
            found.append(Reading(kind, about.strip(" ?？.。!！")))
    return found


def term_in(text: str) -> str:
    """Return the word or phrase that a text asks for: what stands in quotation marks, else all but small words."""
    quoted = _QUOTED.findall(text)
    return quoted[0] if len(quoted) == 1 else _SMALL.sub("", _ASKS["list"].sub(" ", text).strip())


def says_nothing(rest: str) -> bool:
    """Tell whether a question without its names asks for nothing in particular."""
    return not content_terms(without_little(rest))


def without_little(text: str) -> str:
    """Return a text without what says nothing beside a document that is meant."""
    return _DOCUMENTS.sub(" ", _LITTLE.sub(" ", text))


def means_documents(text: str) -> bool:
    """Tell whether a text speaks of documents, or of "this"."""
    return bool(_DOCUMENTS.search(text))


def without_names(text: str, names: Mapping[str, Sequence[str]]) -> tuple[list[str], str]:
    """Return the documents (ids) that a text names, and the text without their names; ``names`` are those by id."""
    left = spaced(text)
    found: dict[str, None] = {}
    known = sorted({(spaced(name), key) for key, own in names.items() for name in own}, reverse=True)
    for name, key in sorted(known, key=lambda one: -len(one[0])):
        match = re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", left) if len(name) > 1 else None
        if match:
            found |= dict.fromkeys([key, *sorted(other for form, other in known if form == name)])
            left = f"{left[: match.start()]} {left[match.end() :]}"
    return list(found), left


def of_kind(text: str, names: Mapping[str, str]) -> tuple[list[str], str]:
    """Return which documents (ids of ``names``) are of the kind a text speaks of, and the text without its word."""
    for suffixes, words in _KINDS.items():
        if words.search(text):
            found = [key for key, name in names.items() if PurePath(name).suffix.lower() in suffixes]
            return found, words.sub(" ", text)
    return [], text


def spaced(text: str) -> str:
    """Return a text in lower case whose words are parted by one space, as names of files are not, without quotes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(rf"[_\-\s{QUOTES}]+", " ", folded).split())
