"""Documents that a question names: "What was 3M's revenue in 2018?" over ``3M_2018_10K.pdf``.

The name says which document is meant, not where in it the answer stands: in an annual report the company's
name is on the cover, over every statement and in the auditor's letter, and nearly nowhere near a figure. So
where a question names long documents, their nodes are looked for by what else the question says, and gain
from being in the named one.

A name is that of the file. A word of it counts where the question has it as well ("BESTBUY" also as "Best
Buy"); of scripts without spaces a whole part of the name, or a piece of one: three characters where the part begins or
ends, four anywhere. A year is a word by itself ("FY2018" is two) and tells one report from the next. Numbers never
leave the question, because tables have columns for several years, and pieces stay as well, because 劳动合同 need not
mean 劳动合同法.md. What is left must still ask for something.

The first hits of a search tell most of the documents that may be meant. Among many reports that say the same the
named one may not be there, so of all documents those count too that have a *proper* name in the question: one
written with a capital, or in Chinese, that few texts but their own have. "Report" is no such name, "Zeta" is.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import PurePath

from engine.enrich.references import references_in
from engine.index.tokenize import query_terms, tokens
from engine.model import Filters
from engine.retrieve.query import Query
from storage.base import Snapshot

# So many words must be left, question words not counted.
LEFT_OVER = 2.0
# So long is a piece of a name that begins or ends a part of it, and one from its middle.
SHORTEST_RUN, SHORTEST_INNER_RUN = 3, 4
# So many documents may share a proper name, as a company's reports do.
MOST_OF_A_NAME = 50
# So many texts, as a multiple of what its documents have, may have a proper name.
MOST_OF_OWN = 2
# So many words of a question may be one of a name.
JOINED_WORDS = 3
_WIDE = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Of 四方科技2019年度报告, FY2018 and 2023Q1 the year is a word by itself.
_YEAR = r"(?<!\d)(?:1[89]|20)\d\d(?!\d)|(?<=q[1-4])20\d\d(?!\d)"
_WORD = re.compile(rf"{_YEAR}|(?:(?![{_WIDE}]|{_YEAR})[^\W_])+", re.IGNORECASE)
_PART = re.compile(rf"(?P<wide>[{_WIDE}]+)|{_WORD.pattern}", re.IGNORECASE)
# What alone names no document.
_NUMBER = re.compile(r"\d+年?|fy|q[1-4]", re.IGNORECASE)
# The legal form that a short name leaves out, and what joins a name to the rest of the sentence.
_GOES_ON = re.compile(r"['’]s\b|(?:(?:科技|控股|集团|集團|股份|有限|责任|責任)*公司)?的?")


@dataclass(frozen=True, slots=True)
class Naming:
    """What a question says of documents.

    ``documents`` are their ids with how well each is named (the best 1), ``whole`` those of which a whole part of
    the name is said; ``rest`` is the question without such parts, ``names`` are these as they stand in it.
    """

    documents: dict[str, float]
    whole: frozenset[str]
    rest: str
    names: tuple[str, ...]


def named_documents(text: str, documents: Mapping[str, str]) -> Naming | None:
    """Return which documents (names by id) a question names; None for none, or when it asks for nothing else."""
    text = unicodedata.normalize("NFKC", text)
    named = _named_spans(text, documents)
    if not named:
        return None
    whole = {
        key: [one for one in spans if _is_whole(text[slice(*one)], documents[key])] for key, spans in named.items()
    }
    rest, names = _cut_out(text, sorted(set(chain.from_iterable(whole.values()))))
    if not _asks(rest):
        return None
    letters = {key: sum(end - start for start, end in named[key]) for key in sorted(named)}
    best = max(letters.values())
    shares = {key: count / best for key, count in letters.items()}
    return Naming(shares, frozenset(filter(whole.get, whole)), rest, tuple(names))


def _named_spans(text: str, documents: Mapping[str, str]) -> dict[str, list[tuple[int, int]]]:
    """Where words of the documents' names stand in a text, by id; no document of which only numbers do."""
    lower = lower_case(text)
    found = {key: _spans(lower, name) for key, name in documents.items()}
    return {
        key: spans
        for key, spans in found.items()
        if not all(_NUMBER.fullmatch(text[start:end]) for start, end in spans)
    }


def _cut_out(text: str, spans: Iterable[tuple[int, int]]) -> tuple[str, list[str]]:
    """Return a text without the names in it, from left to right, and these; a name with a number in it stays."""
    pieces, names, at = [], [], 0
    for start, end in spans:
        if start < at or any(map(str.isdigit, _WORD.findall(text[start:end]))):
            continue
        pieces.append(text[at:start])
        names.append(text[start:end])
        more = _GOES_ON.match(text, end)
        at = more.end() if more else end
    return " ".join("".join([*pieces, text[at:]]).split()), names


def properly_named(text: str, snapshot: Snapshot, least_nodes: int = 1) -> dict[str, str]:
    """Return the names, by id, of all documents of so many nodes or more of which the question has a proper name."""
    text = unicodedata.normalize("NFKC", text)
    lower = lower_case(text)
    names = snapshot.document_names(least_nodes)
    bearers: dict[str, list[str]] = {}
    for key, name in names.items():
        for start, end in _spans(lower, name):
            if not _NUMBER.fullmatch(text[start:end]) and not text[start].islower():
                bearers.setdefault(text[start:end], []).append(key)
    return {
        key: names[key]
        for word, keys in bearers.items()
        if len(keys) <= MOST_OF_A_NAME and _is_proper(word, keys, snapshot)
        for key in keys
    }


def without_names(query: Query, naming: Naming) -> Query:
    """Return the question as it is asked within the documents that it names."""
    rest, whole = dict(query_terms(naming.rest)), dict(query_terms(query.text))
    terms = [(term, rest.get(term, given)) for term, given in query.terms if term in rest or term not in whole]
    return replace(query, text=naming.rest, terms=terms)


def _asks(rest: str) -> bool:
    """Tell whether a question without its names still asks for something: a label (第二条) does by itself."""
    weights = (weight for term, weight in query_terms(rest) if weight >= 1 and not re.match(_YEAR, term))
    return sum(weights) >= LEFT_OVER or bool(references_in(rest, elsewhere=True))


def _is_proper(word: str, keys: Sequence[str], snapshot: Snapshot) -> bool:
    """Tell whether a name stands in texts, and in hardly more than its documents have."""
    frequency = min((snapshot.document_frequency(term) for term in tokens(word)), default=0)
    own = sum(snapshot.scope(Filters(documents=(key,))).size for key in keys)
    return 0 < frequency <= MOST_OF_OWN * own


def _is_whole(said: str, name: str) -> bool:
    """Tell whether a whole part of a file's name is said as a name: 公司法 of 公司法.md, not 劳动合同 of 劳动合同法.md.

    "The contract" may be another one than contract.docx.
    """
    if said[0].islower() or _NUMBER.fullmatch(said):
        return False
    said = lower_case(said)
    return any("".join(_WORD.findall(said)) == part[0] or said == part[0] for part in _parts(name))


def lower_case(text: str) -> str:
    """Lower case, letter for letter."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


@lru_cache(maxsize=100_000)
def _parts(name: str) -> tuple[re.Match[str], ...]:
    """The words of a file's name, in lower case."""
    return tuple(_PART.finditer(lower_case(unicodedata.normalize("NFKC", PurePath(name).stem))))


def _spans(text: str, name: str) -> list[tuple[int, int]]:
    """Where the words of a file's name stand in a text in lower case, as (start, end)."""
    found: set[tuple[int, int]] = set()
    words = _words(text)
    for part in _parts(name):
        found.update(_runs(text, part[0]) if part["wide"] else _word(text, words, part[0]))
    return sorted(found)


@lru_cache(maxsize=64)  # the same question is held against every name
def _words(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _WORD.finditer(text))


def _runs(text: str, part: str) -> Iterator[tuple[int, int]]:
    """The longest runs of characters that a part of a name shares with a text: all of it, or a telling piece."""
    at = 0
    while at < len(part):
        end = at
        while end < len(part) and part[at : end + 1] in text:
            end += 1
        at_edge = at == 0 or end == len(part)
        shortest = SHORTEST_RUN if at_edge else SHORTEST_INNER_RUN
        if end - at >= min(shortest, max(2, len(part))):
            start = text.index(part[at:end])
            yield start, start + end - at
        at = max(end, at + 1)


def _word(text: str, words: Sequence[tuple[int, int]], part: str) -> Iterator[tuple[int, int]]:
    """A word of a name, also where the text writes it as several."""
    if part[0] not in text or not (re.fullmatch(_YEAR, part) or _is_telling(part)):
        return
    for first, (start, _) in enumerate(words):
        joined = ""
        for begin, end in words[first : first + JOINED_WORDS]:
            joined += text[begin:end]
            if joined == part:
                yield start, end
            if not part.startswith(joined):
                break


@lru_cache(maxsize=100_000)
def _is_telling(part: str) -> bool:
    long = len(part) > 2 or (len(part) == 2 and not part.isdigit() and part != "fy")
    return long and max(weight for _, weight in query_terms(part)) >= 1
