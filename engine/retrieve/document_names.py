"""Documents that a question names: "What was 3M's revenue in 2018?" over ``3M_2018_10K.pdf``.

The name says which document is meant, not where in it the answer stands: in an annual report the company's
name is on the cover, over every statement and in the auditor's letter, and nearly nowhere near a figure. So
where a question names long documents, their nodes are looked for by what else the question says, and gain
from being in the named one.

A name is that of the file. A word of it counts where the question has it as well ("BESTBUY" also as "Best
Buy"); of scripts without spaces three characters in a row, or a whole part of the name. A year or a quarter tells one
report from the next ("FY2018" and "Q2 of 2023", too), but it stays in the question, because tables have columns for
several. What is left must still ask for something.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from engine.index.tokenize import query_terms
from engine.retrieve.query import Query

# So many words must be left, question words not counted.
LEFT_OVER = 2.0
SHORTEST_RUN = 3
# So many words of a question may be one of a name.
JOINED_WORDS = 3
_WIDE = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PART = re.compile(rf"(?P<wide>[{_WIDE}\d]*[{_WIDE}][{_WIDE}\d]*)|[^\W_]+")
_WORD = re.compile(rf"(?:(?![{_WIDE}])[^\W_])+")
_YEAR = re.compile(r"(?:1[89]|20)\d\d年?")
_PERIOD = re.compile(r"(?:fy)?(?P<year>(?:1[89]|20)\d\d)?(?P<quarter>q[1-4])?", re.IGNORECASE)
# The legal form that a short name leaves out, and what joins a name to the rest of the sentence.
_GOES_ON = re.compile(r"['’]s\b|(?:(?:科技|控股|集团|集團|股份|有限|责任|責任)*公司)?的?")


@dataclass(frozen=True, slots=True)
class Naming:
    """What a question says of documents.

    ``documents`` are their ids with how well each is named (the best 1), ``rest`` is the question without the
    names, ``names`` are these as they stand in it.
    """

    documents: dict[str, float]
    rest: str
    names: tuple[str, ...]


def named_documents(text: str, documents: Mapping[str, str]) -> Naming | None:
    """Return which documents (names by id) a question names; None for none, or when it asks for nothing else."""
    text = unicodedata.normalize("NFKC", text)
    spans = {key: _spans(_lower(text), name) for key, name in documents.items()}
    letters = {key: sum(end - start for start, end in of) for key, of in spans.items()}
    named = {key for key, of in spans.items() if any(not _is_period(text, span) for span in of)}
    best = max((letters[key] for key in named), default=0)
    if not best:
        return None
    removed = sorted({span for key in named for span in spans[key] if not _is_period(text, span)})
    pieces, names, at = [], [], 0
    for start, end in removed:
        if start < at:
            continue
        pieces.append(text[at:start])
        names.append(text[start:end])
        more = _GOES_ON.match(text, end)
        at = more.end() if more else end
    rest = " ".join("".join([*pieces, text[at:]]).split())
    if sum(weight for term, weight in query_terms(rest) if weight >= 1 and not _YEAR.match(term)) < LEFT_OVER:
        return None
    return Naming({key: letters[key] / best for key in sorted(named)}, rest, tuple(names))


def without_names(query: Query, naming: Naming) -> Query:
    """Return the question as it is asked within the documents that it names."""
    rest, whole = dict(query_terms(naming.rest)), dict(query_terms(query.text))
    terms = [
        (term, rest.get(term, given)) for term, given in query.terms if term in rest or term not in whole
    ]
    return replace(query, text=naming.rest, terms=terms)


def _is_period(text: str, span: tuple[int, int]) -> bool:
    return _YEAR.fullmatch(text, *span) is not None or _PERIOD.fullmatch(text, *span) is not None


def _lower(text: str) -> str:
    """Lower case, letter for letter."""
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


def _spans(text: str, name: str) -> list[tuple[int, int]]:
    """Where the words of a file's name stand in a text in lower case, as (start, end)."""
    stem = _lower(unicodedata.normalize("NFKC", PurePath(name).stem))
    found: set[tuple[int, int]] = set()
    words = [match.span() for match in _WORD.finditer(text)]
    for part in _PART.finditer(stem):
        if part["wide"]:
            found.update(_runs(text, part[0]))
        elif period := _PERIOD.fullmatch(part[0]):
            found.update(_periods(text, period["year"], period["quarter"]))
        else:
            found.update(_word(text, words, part[0]))
    return sorted(found)


def _periods(text: str, year: str | None, quarter: str | None) -> Iterator[tuple[int, int]]:
    """Where a year and a quarter stand, also in "fy2018", "q22023" and "2023q1"."""
    if year:
        yield from (match.span() for match in re.finditer(rf"(?:(?<!\d)|(?<=q[1-4])){year}(?!\d)", text))
    if quarter:
        yield from (match.span() for match in re.finditer(rf"(?<![a-z]){quarter}(?:(?=20\d\d)|(?!\w))", text))


def _runs(text: str, part: str) -> Iterator[tuple[int, int]]:
    """The longest runs of characters that a part of a name shares with a text."""
    at = 0
    while at < len(part):
        end = at
        while end < len(part) and part[at : end + 1] in text:
            end += 1
        if end - at >= min(SHORTEST_RUN, max(2, len(part))):
            start = text.index(part[at:end])
            yield start, start + end - at
        at = max(end, at + 1)


def _word(text: str, words: Sequence[tuple[int, int]], part: str) -> Iterator[tuple[int, int]]:
    """A word of a name, also where the text writes it as several."""
    telling = len(part) > 2 or (len(part) == 2 and not part.isdigit())
    if not telling or max(weight for _, weight in query_terms(part)) < 1:
        return
    for first, (start, _) in enumerate(words):
        joined = ""
        for begin, end in words[first : first + JOINED_WORDS]:
            joined += text[begin:end]
            if joined == part:
                yield start, end
            if not part.startswith(joined):
                break
