"""Questions about versions: "as of version 2", 第2版里…, "what changed between 2 and 3", 第3版改了什么.

A question is about versions when it names one and a document is meant that has several: one that the filters or the
question name, or the only one there is.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePath
from typing import Literal

from engine.answer.understand.terms import content_terms, words_missing
from engine.language import compiled, patterns
from engine.model import Document, Filters
from engine.structure.numbering import CHINESE, SPELLED, value_of

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
    "which": several documents could be meant; "unknown": there is no such version.
    """

    kind: Literal["as_of", "changes", "which", "unknown"]
    question: str
    documents: tuple[Document, ...]
    before: int = 0
    after: int = 0


def may_ask_of_versions(question: str) -> bool:
    """Return whether a question may be about versions, without a look at the library."""
    return bool(_mentions(question)) or _asks_for_changes(question)


def read(
    question: str, filters: Filters, documents: Sequence[Document], numbers: Mapping[str, list[int]]
) -> VersionQuestion | None:
    """Return what is asked about versions, None when nothing is.

    ``numbers`` are the version numbers of each document by id, ascending.
    """
    change = _asks_for_changes(question)
    # Two numbers that nothing says are versions ("between 2 and 3 metres") are none.
    mentions = [m for m in _mentions(question) if change or not m["m"] or re.search("版|v", m[0], re.IGNORECASE)]
    several = [one for one in documents if len(numbers[one.document_id]) > 1]
    meant = [one for one in several if _name(one).search(question)] or several
    if ids := filters.documents:
        meant = [one for one in several if one.document_id in ids or any(map(_name(one).fullmatch, ids))]
    if not meant:
        return None
    if not mentions:
        return _lately(question, filters, meant, numbers) if change else None
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


def _asks_for_changes(question: str) -> bool:
    return any(words.search(question) for words in _CHANGED)


def _subject(question: str) -> str:
    """Return what of a question without names and versions is its subject, "" for none."""
    for words in (*_CHANGED, _WORDS["sections"]):
        question = words.sub(" ", question)
    return " ".join(words_missing(_LITTLE.sub(" ", question), frozenset()))


def _lately(
    question: str, filters: Filters, meant: Sequence[Document], numbers: Mapping[str, list[int]]
) -> VersionQuestion | None:
    """Of one document that is named, and of nothing in it, what changed is what its newest version did."""
    named = filters.documents or any(_name(one).search(question) for one in meant)
    bare = _nameless(question, meant[0])
    if len(meant) != 1 or not named or _subject(_A_DOCUMENT.sub(" ", bare)):
        return None
    before, after = numbers[meant[0].document_id][-2:]
    return VersionQuestion("changes", "", (meant[0],), before, after)


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
