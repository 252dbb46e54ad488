"""Questions about versions: "as of version 2", 第2版里…, "what changed between 2 and 3", 第3版改了什么.

A question is about versions when it names one and a document is meant that has several: one that the filters or the
question name, or the only one there is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from engine.answer.understand.terms import content_terms
from engine.model import Document, Filters
from engine.versions.asked_kinds import (
    EVERY_KIND,
    SINCE,
    AskedKinds,
    asks_for_changes,
    kinds_asked,
    subject_of,
)

_COUNTS = {char: value for value, char in enumerate("一二三四五六七八九十", 1)}
_WORDS = {word: n for n, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), 1)}
# What names a version; groups are numbers, or names of a relative one.
_MENTION = re.compile(
    r"(?P<zh>第\s*(?P<z>\d{1,3}|[一二三四五六七八九十])\s*个?(?:版本|版)|版本\s*(?P<y>\d{1,3})(?![.\d]))"
    r"|(?<![\w.])(?:versions?|ver\.?|revision|rev\.?|v)[\s.]*(?P<n>\d{1,3})(?!\.?\d)(?!\w)"
    r"|\b(?P<word>first|second|third|fourth|fifth|sixth)\s+(?:version|revision)\b"
    r"|(?P<earliest>最初(?:的)?版本?|初版|原始版本|\boriginal\s+version\b)"
    r"|(?P<previous>上一?个?(?:版本|版)|前一个?(?:版本|版)|旧版本?|\b(?:previous|last|old|prior|earlier)\s+version\b)"
    r"|(?P<current>最新(?:的)?(?:版本|版)|当前版本?|现行版本?|新版本?|\b(?:latest|current|newest|new|present)\s+version\b)",
    re.IGNORECASE,
)
# "versions 2 and 3", "between 2 and 3", 第2和第3版: two numbers, with what says that they are versions on either side.
_N = r"(?:\d{1,3}|[一二三四五六七八九十])"
_PAIR = re.compile(
    rf"(?:(?P<lead>\b(?:versions?|v|between)|版本|第)\s*(?:versions?\s+|v)?)?(?<![\d.])(?P<a>{_N})\s*版?本?\s*"
    r"(?:and|to|vs\.?|versus|with|or|-|–|—|→|,|和|与|跟|到|至|、)\s*(?:versions?\s*|v|版本|第)?\s*"
    rf"(?P<b>{_N})(?!\.?\d)\s*(?P<tail>个?版本?|之间)?",
    re.IGNORECASE,
)
_ASKED_AS_OF = re.compile(
    r"\b(?:as\s+(?:of|at|in)|according\s+to|in|under|by|per|at|of|for|on)\s+(?:the\s+)?$|(?:在|按照?|根据|依据|截至|据)\s*$",
    re.IGNORECASE,
)
_TAIL = re.compile(r"^\s*(?:里面?|中|内|的时候|时)?\s*[,，:：]?\s*的?")


@dataclass(frozen=True, slots=True)
class VersionQuestion:
    """A question about versions of ``documents``, each with at least two.

    "as_of": ``question``, without the version, is asked of version ``before``; "both": of ``before`` and
    ``after``; "changes": what differs between them, ``question`` being the subject, "" for everything;
    "which": several documents could be meant; "unknown": there is no such version. ``only`` are the kinds of
    changes that are asked for.
    """

    kind: Literal["as_of", "both", "changes", "which", "unknown"]
    question: str
    documents: tuple[Document, ...]
    before: int = 0
    after: int = 0
    only: AskedKinds = EVERY_KIND


def may_ask_of_versions(question: str) -> bool:
    """Return whether a question may be about versions, without a look at the library."""
    return bool(_MENTION.search(question) or _pair(question)) or asks_for_changes(question)


def read(
    question: str, filters: Filters, documents: Sequence[Document], numbers: dict[str, list[int]]
) -> VersionQuestion | None:
    """Return what is asked about versions, None when nothing is.

    ``numbers`` are the version numbers of each document by id, ascending.
    """
    pair = _pair(question)
    mentions = [match for match in _MENTION.finditer(question) if not _is_name_of_another(question, match)]
    change = asks_for_changes(question)
    several = [document for document in documents if len(numbers[document.document_id]) > 1]
    if not (pair and (change or "version" in pair[0].lower() or "版" in pair[0])) and not mentions:
        return _lately(question, filters, several, numbers) if change else None
    meant = _meant(question, filters, several)
    if not meant:
        return None
    asked = _specified(pair, mentions)
    rest = _without(question, pair, mentions)
    if len(asked) == 1 and not change and filters.version is not None:
        return _of_the_filter(rest, meant, asked[0], filters.version, numbers)
    if len(meant) > 1:
        return _of_several(rest, meant, asked, change, numbers)
    [document] = meant
    known = numbers[document.document_id]
    resolved = [_resolved(one, known) for one in asked]
    if None in resolved:
        strong = pair is not None or any(
            match["zh"] or _ASKED_AS_OF.search(question[: match.start()]) for match in mentions
        )
        return VersionQuestion("unknown", question, (document,)) if strong else None
    found = sorted({number for number in resolved if number is not None})
    bare = _unnamed(rest, document)
    subject, only = subject_of(bare), kinds_asked(bare)
    if len(found) == 2:
        kind: Literal["changes", "both"] = "changes" if change else "both"
        rest = subject if change else _nameless(rest, document)
        return VersionQuestion(kind, rest, (document,), found[0], found[1], only)
    number = found[0]
    if change:
        before, after = (
            (number, known[-1]) if SINCE.search(question) and number != known[-1] else _step(number, known)
        )
        return VersionQuestion("changes", subject, (document,), before, after, only)
    if number == known[-1]:
        return None
    return VersionQuestion("as_of", _nameless(rest, document), (document,), number)


def _of_the_filter(
    rest: str,
    meant: Sequence[Document],
    asked: int | str,
    version: int,
    numbers: dict[str, list[int]],
) -> VersionQuestion | None:
    """Return a question that names the version it is limited to anyway without it; None for another version."""
    documents = [one for one in meant if _resolved(asked, numbers[one.document_id]) == version]
    if len(documents) != 1 or len(meant) != 1:
        return None
    return VersionQuestion("as_of", _nameless(rest, documents[0]), (documents[0],), version)


def _lately(
    question: str,
    filters: Filters,
    several: Sequence[Document],
    numbers: dict[str, list[int]],
) -> VersionQuestion | None:
    """Of one document that is named, and of nothing in it, what changed is what its newest version did."""
    meant = _meant(question, filters, several)
    named = filters.documents or any(name.search(question) for one in meant for name in _names(one))
    if len(meant) != 1 or not named:
        return None
    bare = _unnamed(question, meant[0])
    if subject_of(bare):
        return None
    before, after = numbers[meant[0].document_id][-2:]
    return VersionQuestion("changes", "", (meant[0],), before, after, kinds_asked(bare))


def _of_several(
    rest: str,
    meant: Sequence[Document],
    asked: Sequence[int | str],
    change: bool,
    numbers: dict[str, list[int]],
) -> VersionQuestion | None:
    """A change in one of several documents cannot be told; a version of several can be searched."""
    if change or len(asked) > 1:
        return VersionQuestion("which", rest, tuple(meant))
    [one] = asked
    if not isinstance(one, int):
        return None
    having = tuple(document for document in meant if one in numbers[document.document_id])
    return VersionQuestion("as_of", rest, having, one) if having else None


def _step(number: int, known: list[int]) -> tuple[int, int]:
    """The version and the one before it; for the first one, the one after it."""
    place = known.index(number)
    return (known[place - 1], number) if place else (number, known[1])


def _resolved(asked: int | str, known: list[int]) -> int | None:
    if isinstance(asked, str):
        return {"earliest": known[0], "previous": known[-2], "current": known[-1]}[asked]
    return asked if asked in known else None


def _specified(pair: re.Match[str] | None, mentions: Sequence[re.Match[str]]) -> Sequence[int | str]:
    if pair is not None:
        return [_number(pair["a"]), _number(pair["b"])]
    found: list[int | str] = []
    for match in mentions:
        value = match["z"] or match["y"] or match["n"]
        if value:
            found.append(_number(value))
        elif match["word"]:
            found.append(_WORDS[match["word"].casefold()])
        else:
            found.append(next(name for name in ("earliest", "previous", "current") if match[name]))
    return list(dict.fromkeys(found))[:2]


def _number(text: str) -> int:
    return _COUNTS[text] if text in _COUNTS else int(text)


def _is_name_of_another(question: str, match: re.Match[str]) -> bool:
    """True for "Python version 3": the version of what is named there."""
    if not match["n"]:
        return False
    before = re.search(r"([A-Za-z][\w.+#-]*)\s+$", question[: match.start()])
    return bool(before and before.start() and before[1][0].isupper() and "." not in before[1])


def _meant(question: str, filters: Filters, several: Sequence[Document]) -> list[Document]:
    """Return which of the documents with several versions are meant."""
    if filters.documents:
        wanted = {name.casefold() for name in filters.documents}
        return [one for one in several if one.document_id in wanted or one.name.casefold() in wanted]
    named = [one for one in several if any(name.search(question) for name in _names(one))]
    return named or list(several)


def _names(document: Document) -> list[re.Pattern[str]]:
    """Return what finds a document's name in a question, with and without its ending; hyphens may be spaces."""
    found = []
    for name in (document.name, PurePath(document.name).stem):
        words = [re.escape(word) for word in re.split(r"[\s_-]+", name) if word]
        if len(name) > 1 and words:
            found.append(re.compile(r"[\s_-]+".join(words), re.IGNORECASE))
    return found


def _nameless(question: str, document: Document) -> str:
    """Return a question without the name of the document it is asked of, which need not say so itself."""
    rest = question
    for name in _names(document):
        rest = re.sub(
            rf"(?:\b(?:of|in|from|for|to|by)\s+)?(?:\bthe\s+)?(?:在|按照?|根据|依据)?[\"“《]?{name.pattern}(?:['’]s\b|[\"”》])?\s*(?:[里中内]|的)?",
            " ", rest, flags=re.IGNORECASE,
        )  # fmt: skip
    rest = re.sub(r"\s+(?=[,，?？.。])|(?<=[㐀-鿿]) (?=[㐀-鿿])", "", " ".join(rest.split())).strip(" ,，")
    return rest if content_terms(rest) else question


def _without(question: str, pair: re.Match[str] | None, mentions: Sequence[re.Match[str]]) -> str:
    """Return the question without the words that name versions."""
    for match in sorted([*([pair] if pair else mentions)], key=lambda found: -found.start()):
        head = _ASKED_AS_OF.sub("", question[: match.start()])
        question = head + " " + _TAIL.sub("", question[match.end() :])
    return " ".join(question.split()).strip(" ,，") or question


def _unnamed(rest: str, document: Document) -> str:
    """Return a question without the document's name and without versions."""
    for name in _names(document):
        rest = name.sub(" ", rest)
    return _MENTION.sub(" ", rest)


def _pair(question: str) -> re.Match[str] | None:
    return next((match for match in _PAIR.finditer(question) if match["lead"] or match["tail"]), None)
