"""Questions about versions: "as of version 2", 第2版里…, "what changed between 2 and 3", "is the fee still the same?".

A question is about versions when a document with several is meant, and it names one of these or is put as such
questions are (``intent``).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePath
from typing import Literal

from engine.answer.understand.terms import content_terms
from engine.language import compiled, patterns
from engine.model import Document, Filters
from engine.structure.numbering import CHINESE, SPELLED, value_of
from engine.structure.sentences import is_cjk
from engine.versions.intent import SURE, Intent, intent_of, subject_of

_N = rf"(?:\d{{1,3}}|[{CHINESE}])(?!\.?\d)"
_WORDS = {
    name: compiled(words.replace("{number}", _N).replace("{ordinals}", "|".join(SPELLED)))
    for name, words in patterns("versions").items()
}
_LITTLE, _A_DOCUMENT = (compiled(patterns("documents")[name]) for name in ("little", "documents"))
_CHANGED = [_WORDS[kind] for kind in ("added", "removed", "changed", "moved", "renamed")]
_NO_SUCH = 0


@dataclass(frozen=True, slots=True)
class VersionQuestion:
    """A question about versions of ``documents``, each with at least two.

    "as_of": ``question``, without the version, is asked of version ``before``; "changes": what differs between
    ``before`` and ``after``, ``question`` being the subject, "" for everything;
    "which": several documents could be meant; "unknown": there is no such version. ``sure`` is False where it may be
    about something else, ``named`` where no document is named. ``numbered`` tells that versions are.
    """

    kind: Literal["as_of", "changes", "which", "unknown"]
    question: str
    documents: tuple[Document, ...]
    before: int = 0
    after: int = 0
    sure: bool = True
    named: bool = True
    numbered: bool = True


def read(
    question: str, filters: Filters, documents: Sequence[Document], numbers: Mapping[str, list[int]],
    meaning: bool = True,
) -> VersionQuestion | None:  # fmt: skip
    """Return what is asked about versions, None when nothing is.

    ``numbers`` are the version numbers of each document by id, ascending. Without ``meaning`` only words count.
    """
    several = [one for one in documents if len(numbers[one.document_id]) > 1]
    naming = [one for one in several if _name(one).search(question)]
    meant = naming or several
    if ids := filters.documents:
        meant = [one for one in several if one.document_id in ids or any(map(_name(one).fullmatch, ids))]
    if not meant:
        return None
    said = any(words.search(question) for words in _CHANGED)
    # Two numbers that nothing says are versions ("between 2 and 3 metres") are none.
    mentions = [m for m in _mentions(question) if said or not m["m"] or re.search("版|v", m[0], re.IGNORECASE)]
    bare = _called("文档" if is_cjk(question) else "document", _without(question, mentions), naming)
    intent = intent_of(bare) if meaning else Intent("", 0.0)
    if not mentions:
        return _lately(question, intent, meant, numbers, named=bool(naming or filters.documents), said=said)
    change = said or (intent.likely > 0 and intent.kind == "changes")
    if filters.version is not None and not change:
        return None  # which version is meant is chosen already
    if len(meant) > 1:
        return VersionQuestion("which", _without(question, mentions), tuple(meant))
    return _of_one(question, mentions, change, meant[0], numbers[meant[0].document_id])


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
    if not second and not change:
        return VersionQuestion("as_of", rest, (document,), first) if first != known[-1] else None
    span = (first, second[0]) if second else _span(first, known, since=bool(_WORDS["since"].search(question)))
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


def _subject(question: str) -> str:
    """Return what of a question without names and versions is its subject, "" for none."""
    subject = " ".join(subject_of(question))
    for words in (*_CHANGED, _WORDS["sections"], _LITTLE):
        subject = words.sub(" ", subject)
    return " ".join(subject.split())


def _called(word: str, question: str, documents: Sequence[Document]) -> str:
    """Return a question with another word for the names of documents."""
    for one in documents:
        question = _name(one).sub(word, question)
    return question


def _lately(
    question: str, intent: Intent, meant: Sequence[Document], numbers: Mapping[str, list[int]], *, named: bool,
    said: bool,
) -> VersionQuestion | None:  # fmt: skip
    """Return what is asked of the newest versions, of all in a document only where that is named."""
    bare = _called("", question, meant) if named else question
    subject = _subject(_A_DOCUMENT.sub(" ", bare))
    sure = intent.likely >= SURE or (said and not subject)
    if not (sure or intent.likely > 0) or not (subject or (named and len(meant) == 1)):
        return None
    before, after = numbers[meant[0].document_id][-2:]
    named = named and len(meant) == 1
    return VersionQuestion("changes", subject, tuple(meant), before, after, sure, named, numbered=False)


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
    return re.compile(rf"{stem or '(?!)'}(?:{re.escape(path.suffix)})?", re.IGNORECASE)


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
