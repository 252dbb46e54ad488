"""When a term ends whose documents tell only a start and a length: 17 February 2025 + 18 months → 16 August 2026.

Asked must be the end of something that has a term (:mod:`engine.answer.expiry.asked`), and one sentence must give it
with its start (:mod:`engine.answer.expiry.clauses`); an amendment that clearly replaces the term counts
(:mod:`engine.answer.expiry.provisions`). A term of months or years ends on the day before the same day of the month, or
on the last of a month that does not have that day; one of days counts its first day. Nothing is computed where an end
is printed, a term renews itself, two terms or two starts are told, or the question names what its document does not.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from engine.answer.agent.browse_tools import opened
from engine.answer.evidence import TreeEvidence
from engine.answer.expiry.asked import AGREEMENT, WHOLE, Thing, calls, whose_end, without_kinds
from engine.answer.expiry.cited import CitedTermEnd, ToldTerm, cited
from engine.answer.expiry.clauses import Clause, Term, clause_of
from engine.answer.expiry.provisions import (
    Statement,
    changes_in,
    concerns,
    named_start,
    prints_end,
    renews_itself,
    replaces,
    statements_in,
)  # fmt: skip
from engine.answer.irregular_forms import with_other_forms
from engine.answer.phrases import phrases_for
from engine.answer.terms import Piece, content_terms, pieces_of, words_missing
from engine.answer.translated import translated_pieces
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.structure.sentences import is_cjk

if TYPE_CHECKING:
    from engine.answer.agent.tools import Desk

_SURE, _LESS_SURE = 0.9, 0.7
# So many documents are read whole, and so many passages of others that say the same term.
_READ, _SAYING_THE_TERM = 3, 20
# Names of a start that need no definition where the contract's own term begins on a date.
_OWN_STARTS = frozenset(
    ["起租日", "起租之日", "租赁起始日", "租期起始日", "合同生效日", "合同生效之日", "Commencement Date", "Start Date"]
)  # fmt: skip


class _Document(NamedTuple):
    """A document that gives the term asked about, in the sentences where it does, with its other sentences.

    ``silent`` are words of the question that it does not say there; ``named`` tells whether its name, or the sentence,
    says all that the question says of the thing.
    """

    statements: list[Statement]
    clauses: list[tuple[Statement, Clause]]
    own: list[tuple[Statement, Clause]]
    silent: list[str]
    named: bool


def end_of_term(
    question: str, evidence: Sequence[Evidence], desk: Desk | None = None
) -> tuple[CitedTermEnd | None, list[Evidence]]:
    """Return when the term ends that a question asks about, None where that is not plain, and the evidence for it.

    With a ``desk`` the first documents of the evidence are read whole, and the library for what changes the term.
    """
    evidence = list(evidence)
    asked = whose_end(question)
    if asked is None:
        return None, evidence
    keys = list(dict.fromkeys((item.hit.document_id, item.hit.version) for item in evidence))
    read = [_document(asked, _whole(key, evidence, desk)) for key in keys[: None if desk is None else _READ]]
    found = [one for one in read if one is not None]
    found = [one for one in found if one.named] or found
    told = [one for one in (_told(asked, document, evidence, desk) for document in found) if one is not None]
    ends = {last_day(one.start, one.term) for one in told}
    if len(told) != len(found) or len(ends) != 1:
        return None, evidence
    known = {item.hit.node_id for item in evidence}
    used = {one.item.hit.node_id: one.item for one in told[0].rests_on if one.item.hit.node_id not in known}
    made = cited(told[0], ends.pop(), found[0].silent, phrases_for(question))
    return made, [*evidence, *used.values()]


def last_day(start: date, term: Term) -> date:
    """Return the last day of a term that begins on a day."""
    if term.unit == "days":
        return start + timedelta(days=term.count - 1)
    year, month = divmod(start.year * 12 + start.month - 1 + term.count, 12)
    days = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, days)) - timedelta(days=int(start.day <= days))


def _document(asked: Thing, items: list[Evidence]) -> _Document | None:
    """Return what a document says where it gives the term asked about; None where it does not."""
    statements = statements_in(items)
    clauses = [(said, clause) for said in statements if (clause := clause_of(said.text))]
    own = [(said, clause) for said, clause in clauses if _is_of(asked, clause.thing, said.item)]
    if not own:
        return None
    said, clause = own[0]
    near = _near(said)
    missing, silent = _missing(asked.rest, said, near), words_missing(asked.rest, near)
    if missing or silent:
        far = near.union(*(with_other_forms(tokens(item.text)) for item in items))
        if _missing(asked.rest, said, far):
            return None
        abroad = is_cjk(said.text) != is_cjk(asked.words)
        if not abroad and pieces_of(
            without_kinds(clause.thing.rest)
        ):  # it is of one that is said to be another
            return None
        if abroad:  # a name that the dictionary does not have may be there
            known = {piece.text for piece in translated_pieces(asked.rest)}
            silent = [word for word in words_missing(asked.rest, far) if not known & set(tokens(word))]
    return _Document(statements, clauses, own, silent, not missing and not silent)


def _near(said: Statement) -> frozenset[str]:
    """Return the words of a sentence, and of what stands over it."""
    hit = said.item.hit
    head = " ".join([said.text, hit.document, *hit.path, said.item.title, said.item.subject])
    return with_other_forms(tokens(head.replace("_", " ")))


def _missing(rest: str, said: Statement, present: frozenset[str]) -> list[Piece]:
    """Return what of a question's words is not present, in the language of a sentence."""
    abroad = is_cjk(said.text) != is_cjk(rest)
    pieces = translated_pieces(rest) if abroad else pieces_of(rest)
    return [piece for piece in pieces if piece.terms and not piece.terms & present]


def _told(
    asked: Thing, document: _Document, evidence: Sequence[Evidence], desk: Desk | None
) -> ToldTerm | None:
    """Return what a document tells of the term asked about; None where it is not plain."""
    statements = document.statements
    begun = [(said, clause) for said, clause in document.own if clause.start or clause.start_name]
    goes_on = asked.kind in WHOLE and not asked.first
    if len({clause.term.length for _, clause in document.own}) != 1:
        return None
    if len({(clause.start, clause.start_name) for _, clause in begun}) != 1:
        return None
    if any(prints_end(one, asked) for one in statements) or (goes_on and renews_itself(statements)):
        return None
    said, clause = begun[0]
    others = statements_in(_others(said, clause.term, evidence, desk))
    changes = [one for one in changes_in([*statements, *others]) if concerns(one, asked, clause.term, said)]
    start = _start(clause, said, document)
    printed = (one for one in others if prints_end(one, asked))
    if start is None or len(changes) > 1 or any(not _missing(asked.rest, one, _near(one)) for one in printed):
        return None
    day, sure, rests_on = start
    if not changes:
        return ToldTerm(day, clause.term, rests_on, sure)
    change = changes[0]
    if change.new is None or not replaces(change, asked, clause.term, said):
        return None
    return ToldTerm(day, change.new, (*rests_on, change.said), _LESS_SURE, clause.term)


def _is_of(asked: Thing, told: Thing, item: Evidence) -> bool:
    """True where a clause gives the term of what is asked about."""
    if not asked.kind:
        return not told.kind and content_terms(asked.words).keys() <= content_terms(told.words).keys()
    if asked.kind == told.kind:
        return True
    about = f"{item.hit.document} {' '.join(item.hit.path)} {item.subject}"
    if asked.kind == AGREEMENT:
        return told.kind == "lease" and calls(about, "lease")
    return asked.kind in WHOLE and told.kind == AGREEMENT and calls(about, asked.kind)


def _whole(key: tuple[str, int], evidence: Sequence[Evidence], desk: Desk | None) -> list[Evidence]:
    """Return the evidence of a document, with its other nodes where they can be read."""
    items = [item for item in evidence if (item.hit.document_id, item.hit.version) == key]
    if desk is None:
        return items
    tree, known = desk.storage.tree(*key), {item.hit.node_id for item in items}
    make = TreeEvidence(tree)
    rest = (node for node in tree.nodes if node.text and node.node_id not in known)
    return [*items, *map(make.of, rest)]


def _others(said: Statement, term: Term, evidence: Sequence[Evidence], desk: Desk | None) -> list[Evidence]:
    """Return the evidence of other documents, and what in the library says the same term word for word."""
    items = {item.hit.node_id: item for item in evidence}
    if desk is not None:
        hits = desk.search(term.text, mode="keyword", top_k=_SAYING_THE_TERM).hits
        items = {hit.node_id: opened(desk.node(hit.node_id)) for hit in hits} | items
    return [item for item in items.values() if item.hit.document_id != said.item.hit.document_id]


def _start(
    clause: Clause, said: Statement, document: _Document
) -> tuple[date, float, tuple[Statement, ...]] | None:
    """Return the day a clause's term begins, how sure that is, and what tells it; None where that is not plain."""
    if clause.start is not None:
        return clause.start, _SURE, (said,)
    named = named_start(clause.start_name, document.statements)
    sure = _SURE
    if not named and clause.start_name in _OWN_STARTS:
        sure = _LESS_SURE
        begun = ((one.start, place) for place, one in document.clauses if one.thing.kind in WHOLE)
        named = {day: place for day, place in begun if day is not None}
    if len(named) != 1:
        return None
    day, place = next(iter(named.items()))
    return day, sure, (place, said) if place != said else (said,)
