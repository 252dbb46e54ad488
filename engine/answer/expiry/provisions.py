"""What else documents say of a term: when a start that has a name is, what term took its place, an end in print.

"Commencement Date means 17 February 2025" tells when a term begins that counts from that date. "In clause 2.1 'eighteen
(18) months' is replaced by 'twenty-seven (27) months'" changes it, 租赁期限由五年变更为八年 does, too. Where an end is
printed, or a term renews itself, there is nothing to compute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from engine.answer.check.locate import sentences_of
from engine.answer.expiry.asked import Thing, says_term, without_kinds
from engine.answer.expiry.clauses import Term, days_in, terms_in
from engine.answer.terms import content_terms
from engine.model import Evidence
from engine.structure.numbering import numbering

_CHANGED = re.compile(
    r"\b(?:replaced|substituted)\s(?:by|with)\b|\b(?:extended|changed|amended|increased|reduced|shortened|varied)\b[^.;]*?\bto\b"
    r"|[改变變][更]?[为為]|(?:修改|[调調]整|替[换換])[为為]|延[长長](?:[至为為到])|[缩縮]短[至为為到]",
    re.IGNORECASE,
)
_RENEWS = re.compile(
    r"(?<!\bno\s)(?<!\bnot\s)\b(?:automatic(?:ally)?\s(?:be\s)?(?:renew|exten[ds])|(?:renew|extend|prolong)\w*\s(?:itself|automatically))"
    r"|(?<![不非会會])自[动動](?:[续續]|[顺順]?延|展期)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:expir\w+|ends?|ending|until|till|terminates?\son|terminat(?:ion|ing)\s(?:on|date)|through|last\sday)\b"
    r"|\bextended\b.*\bto\b|到期|[届屆][满滿]|截止|[结結]束|[终終]止日|延[长長]至|[^截]至|止(?!损)|最[后後]一[天日]",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:clause|section|article|paragraph)\s(\d+(?:\.\d+)*)|第?(\d+(?:\.\d+)+)[条條款]?", re.IGNORECASE
)
_MEANS = re.compile(
    r"期?[\"”’'）)」]*\s*(?:(?:means|is|shall be|shall mean|falls on|[为為]|是|系|指|即)\s?)*[:：|=]?\s*(?:on\s)?$",
    re.IGNORECASE,
)
_CALLED_SO = re.compile(
    r"^\s?[,，]?\s?[（(]?\s?(?:hereinafter|the|以下)?\s?(?:the|[简簡下]?[称稱][为為]?|即)?[:：]?\s?[\"“'「]?$",
    re.IGNORECASE,
)
# Words that the names of a contract and of any other's amendment share.
_ANY_NAME = re.compile(
    r"amend\w*|suppl\w*|addend\w*|no\.?\s?\d+|final|draft|signed|[补補]充|[变變]更|修[订訂]|第?[一二三四\d]+[号號]?|房屋",
    re.IGNORECASE,
)


class Statement(NamedTuple):
    """A sentence of the evidence: ``item.text[start:end]``."""

    item: Evidence
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that puts a new term in the place of an old one; ``old`` where it says which, ``new`` if plain."""

    said: Statement
    old: Term | None
    new: Term | None


def statements_in(items: Iterable[Evidence]) -> list[Statement]:
    """Return the sentences of evidence, in order."""
    return [
        Statement(item, one.start, one.end, one.text)
        for item in items
        for one in sentences_of(item.text, item.hit.role)
    ]


def named_start(name: str, statements: Iterable[Statement]) -> dict[date, Statement]:
    """Return the dates that a name ("Commencement Date", 交付之日) is said to stand for, each with where."""
    plain = (
        re.escape(name.removeprefix("本").removeprefix("合同"))
        .replace("之日", "之?日")
        .replace("\\ ", r"\s+")
    )
    called = re.compile(plain, re.IGNORECASE)
    found: dict[date, Statement] = {}
    for said in statements:
        for match in called.finditer(said.text):
            for start, end, day in days_in(said.text):
                behind = start >= match.end() and _MEANS.match(said.text[match.end() : start])
                before = end <= match.start() and _CALLED_SO.match(said.text[end : match.start()])
                if behind or before:
                    found.setdefault(day, said)
    return found


def changes_in(statements: Iterable[Statement]) -> Iterator[Change]:
    """Yield the sentences that change a term."""
    for said in statements:
        cue = _CHANGED.search(said.text)
        terms = terms_in(said.text) if cue else []
        if cue and terms:
            old = [term for _, end, term in terms if end <= cue.end()]
            new = [term for start, _, term in terms if start >= cue.end()]
            plain = len(old) <= 1 and len(new) == 1
            yield Change(said, old[0] if old else None, new[0] if plain else None)


def concerns(change: Change, asked: Thing, term: Term, clause: Statement) -> bool:
    """True where a change may be one of a clause's term: of the same length, or of the same thing's."""
    asked_for, own = _clauses_named(change.said.text), _number(clause.text)
    if asked_for and own and own not in asked_for:
        return False
    return _same_length(change, term) or (asked.named_in(change.said.text) and says_term(change.said.text))


def replaces(change: Change, asked: Thing, term: Term, clause: Statement) -> bool:
    """True where a change is plainly one of a clause's term: it says whose, and stands in the same document.

    In another it must say the old term, too, and that document must share a name with the clause's.
    """
    text = change.said.text
    if change.new is None or not (asked.named_in(text) or _number(clause.text) in _clauses_named(text)):
        return False
    if change.said.item.hit.document_id == clause.item.hit.document_id:
        return change.old is None or _same_length(change, term)
    return _same_length(change, term) and bool(_names(change.said.item) & _names(clause.item))


def prints_end(said: Statement, asked: Thing) -> bool:
    """True where a sentence names the day on which a thing ends."""
    return bool(_ENDS.search(said.text) and asked.named_in(said.text) and days_in(said.text))


def renews_itself(statements: Sequence[Statement]) -> bool:
    """True where a document says that its term goes on by itself."""
    return any(_RENEWS.search(said.text) for said in statements)


def _same_length(change: Change, term: Term) -> bool:
    return change.old is not None and change.old.length == term.length


def _clauses_named(text: str) -> set[str]:
    number = numbering(text)
    return {one or other for one, other in _CLAUSE.findall(text[len(number.text) if number else 0 :])}


def _number(text: str) -> str:
    number = numbering(text)
    return number.label.strip(".、 ") if number else ""


def _names(item: Evidence) -> frozenset[str]:
    """Return the words by which a document is called, without those that any other is called by."""
    stem = item.hit.document.rpartition(".")[0] or item.hit.document
    return frozenset(
        content_terms(_ANY_NAME.sub(" ", without_kinds(stem.replace("_", " ").replace("-", " "))))
    )
