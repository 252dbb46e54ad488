"""Questions about versions: "as of version 2", 第2版里…, "what changed between 2 and 3", "is the fee still the same?".

A question is about versions when a document with several is meant, and it names one of these or is most like examples
of such questions (nearest neighbour, Cover & Hart 1967): by meaning, as it is and with its subject blanked out, so that
"did the fee change" is held against "did it change" and not against what else was said of fees.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import PurePath
from typing import Literal

import numpy as np

from engine.answer.understand.parts import parts_of
from engine.answer.understand.terms import content_terms, words_missing
from engine.index.tokenize import tokens
from engine.language import compiled, patterns
from engine.model import Document, Filters
from engine.providers.embedding import shipped_model
from engine.structure.numbering import CHINESE, SPELLED, value_of
from engine.structure.sentences import is_cjk

_N = rf"(?:\d{{1,3}}|[{CHINESE}])(?!\.?\d)"
_WORDS = {
    name: compiled(words.replace("{number}", _N).replace("{ordinals}", "|".join(SPELLED)))
    for name, words in patterns("versions").items()
}
_LITTLE, _A_DOCUMENT = (compiled(patterns("documents")[name]) for name in ("little", "documents"))
# From so much more likeness to questions about versions than to others on it is one of them (less is the noise of
# 8-bit arithmetic, another on each machine), or surely is; from so much less on none, whatever of it names a document.
_NO_SUCH, _LIKE, _SURE, _FAR = 0, 0.002, 0.01, -0.03
_SUBJECT = re.compile(r"\{(.*?)\}")
_EXAMPLES = [patterns("version_questions")[kind] for kind in ("changes", "earlier", "other")]
_BORDERS = np.cumsum([len(one) for one in _EXAMPLES[:-1]])
_ASKING = frozenset(term for text in chain(*_EXAMPLES) for term in tokens(_SUBJECT.sub(" ", text)))


@dataclass(frozen=True, slots=True)
class VersionQuestion:
    """A question about versions of ``documents``, each with at least two.

    "as_of": ``question``, without the version, is asked of version ``before``; "changes": what differs between
    ``before`` and ``after``, ``question`` being the subject, "" for everything;
    "which": several documents could be meant; "unknown": there is no such version. It is ``sure`` to be about versions,
    a document is ``named``, and versions ``numbered``, or not.
    """

    kind: Literal["as_of", "changes", "which", "unknown"]
    question: str
    documents: tuple[Document, ...]
    before: int = 0
    after: int = 0
    sure: bool = True
    named: bool = True
    numbered: bool = True


# Returns the version numbers of a document, by its id, ascending.
Numbers = Callable[[str], list[int]]


def read(question: str, filters: Filters, documents: Sequence[Document], numbers: Numbers) -> VersionQuestion | None:
    """Return what is asked about versions, None when nothing is. Raises ProviderError."""
    meant, naming = _meant(question, filters, documents)
    if not meant or (_likely(question)[0] < _FAR and not _mentions(question)):
        return None
    bare = _called_just_that(question, naming)
    likely, _ = _likely(bare)
    mentions = _sure_mentions(question) if likely <= _LIKE else _mentions(question)
    if not mentions:
        return _lately(bare, likely, meant, numbers, named=bool(naming or filters.documents))
    change = _likely(_without(bare, _mentions(bare)))[1] > _LIKE
    if filters.version is not None and not change:
        return None  # which version is meant is chosen already
    if len(meant) > 1:
        return VersionQuestion("which", _without(question, mentions), tuple(meant))
    return _of_one(question, mentions, change, meant[0], numbers(meant[0].document_id))


def _meant(
    question: str, filters: Filters, documents: Sequence[Document]
) -> tuple[Sequence[Document], Sequence[Document]]:
    """Return the documents with several versions that may be meant, and those that the question names."""
    several = [one for one in documents if one.versions > 1]
    naming = [one for one in several if _name(one).search(question)]
    if ids := filters.documents:
        return [one for one in several if one.document_id in ids or any(map(_name(one).fullmatch, ids))], naming
    return naming or several, naming


def _called_just_that(question: str, naming: Sequence[Document]) -> str:
    """Return a question with "document" for the names of documents."""
    for one in naming:
        question = _name(one).sub("文档" if is_cjk(question) else "document", question)
    return question


def _lately(
    bare: str, likely: float, meant: Sequence[Document], numbers: Numbers, *, named: bool
) -> VersionQuestion | None:
    """Return what is asked of the newest versions; of all in a document only where that is ``named``."""
    subject, named = _subject(_A_DOCUMENT.sub(" ", bare)), named and len(meant) == 1
    before, after = numbers(meant[0].document_id)[-2:]
    asked = VersionQuestion("changes", subject, tuple(meant), before, after, likely >= _SURE, named, numbered=False)
    return asked if likely > _LIKE and (subject or named) else None


def _of_one(
    question: str, mentions: Sequence[re.Match[str]], change: bool, document: Document, known: list[int]
) -> VersionQuestion | None:
    """Return what is asked about the versions (``known``) of one document; ``change`` where it asks for changes."""
    asked = chain.from_iterable(_numbers_of(match, known) for match in mentions)
    first, *second = sorted([*dict.fromkeys(asked)][:2])
    if first == _NO_SUCH:
        sure = any(
            match["m"] or match["tail"] or _WORDS["before"].search(question, 0, match.start()) for match in mentions
        )
        return VersionQuestion("unknown", question, (document,)) if sure else None
    rest = _nameless(_without(question, mentions), document)
    # "What is the rent now, and what was it in the old version?" asks of both; of a question with one part all name it.
    both = first != known[-1] and not all(map(_mentions, parts_of(question)))
    if not second and not change and not both:
        return VersionQuestion("as_of", rest, (document,), first) if first != known[-1] else None
    since = both or _WORDS["since"].search(question) is not None
    span = (first, second[0]) if second else _span(first, known, since=since)
    return VersionQuestion("changes", _subject(rest), (document,), *span)


def _mentions(question: str) -> list[re.Match[str]]:
    """Return what names versions: of bare numbers two with a word on either side, of one the word before or 第2版."""
    found = []  # without those of what a name stands before: "Python" of "in Python version 3"
    for match in _WORDS["mention"].finditer(question):
        lead = (match["lead"] or "").casefold().strip()
        several = not match["n"] or (match["m"] and (lead or match["tail"]))
        named = match["tail"] not in (None, "之间") or lead not in ("", "between", "第")
        before = re.search(r"([A-Za-z][\w+#-]*)\s+$", question[: match.start()])
        if several or (named and not (before and before.start() and before[1][0].isupper())):
            found.append(match)
    return found


def _sure_mentions(question: str) -> list[re.Match[str]]:
    """Return the same without two numbers that nothing says are versions ("between 2 and 3 metres")."""
    return [one for one in _mentions(question) if not one["m"] or re.search("版|v", one[0], re.IGNORECASE)]


def _subject(question: str) -> str:
    """Return what of a question without names and versions is its subject, "" for none."""
    subject = " ".join(words_missing(question, _ASKING))
    for words in (_WORDS["sections"], _LITTLE):
        subject = words.sub(" ", subject)
    return " ".join(subject.split())


@lru_cache(maxsize=256)
def _likely(question: str) -> tuple[float, float]:
    """Return how likely a question, its document called just that, asks of versions, and of changes alone."""
    asked = shipped_model().phrases([question, _blanked(question, words_missing(question, _ASKING))])
    likeness = np.stack([known @ one for known, one in zip(warm_versions(), asked, strict=True)])
    changes, earlier, other = (part.max(axis=1) for part in np.split(likeness, _BORDERS, axis=1))
    return (np.maximum(changes, earlier) - other).mean(), (changes - np.maximum(earlier, other)).mean()


@lru_cache(maxsize=1)
def warm_versions() -> list[np.ndarray]:
    """Return the vectors of the examples as they are, and with their subjects blanked out. Raises ProviderError."""
    texts = [(_SUBJECT.sub(r"\1", text), _SUBJECT.findall(text)) for text in chain(*_EXAMPLES)]
    return [shipped_model().phrases(one) for one in ([whole for whole, _ in texts], [_blanked(*one) for one in texts])]


def _blanked(question: str, subject: Sequence[str]) -> str:
    words = "|".join(re.escape(word) for word in sorted(subject, key=len, reverse=True))
    run = rf"(?<![A-Za-z0-9])(?:{words})(?:\s*(?:{words}))*(?![A-Za-z0-9])"
    return re.sub(run, "某项" if is_cjk(question) else "X", question) if words else question


def _span(number: int, known: list[int], *, since: bool) -> tuple[int, int]:
    """The version and the one before it, or ``since`` it the newest; for the first one, the one after it."""
    if since and number != known[-1]:
        return number, known[-1]
    place = known.index(number)
    return (known[place - 1], number) if place else (number, known[1])


def _numbers_of(match: re.Match[str], known: list[int]) -> list[int]:
    """The numbers of the versions that are named at one place; :data:`_NO_SUCH` for one that there is not."""
    said = [value_of(match[group]) for group in ("n", "m", "word") if match[group]]
    placed = {"earliest": known[0], "previous": known[-2], "current": known[-1]}
    return [
        *(number if number in known else _NO_SUCH for number in said),
        *(number for name, number in placed.items() if match[name]),
    ]


def _name(document: Document) -> re.Pattern[str]:
    """Return what finds a document's name in a question, with or without its ending; hyphens may be spaces."""
    path = PurePath(document.name)
    stem = r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", path.stem) if word)
    whole = rf"(?<![a-z0-9]){stem or '(?!)'}(?:{re.escape(path.suffix)}|(?![a-z0-9]))"
    return re.compile(whole, re.IGNORECASE)


def _nameless(question: str, document: Document) -> str:
    """Return a question without the name of the document it is asked of, which need not say so itself."""
    rest = _without(question, list(_name(document).finditer(question)))
    rest = re.sub(r"\s+(?=[,，?？.。])|(?<=[㐀-鿿]) (?=[㐀-鿿])", "", rest)
    return rest if content_terms(rest) else question


def _without(question: str, found: Sequence[re.Match[str]]) -> str:
    """Return the question without some words and the small ones that lead to them."""
    for match in reversed(found):
        head = _WORDS["before"].sub("", question[: match.start()])
        question = f"{head} {_WORDS['behind'].sub('', question[match.end() :])}"
    return " ".join(question.split()).strip(" ,，") or question
