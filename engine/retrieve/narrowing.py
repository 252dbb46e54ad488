"""What a question insists on narrows its search: "only in lease.md", "tables only", 只看第三章.

Only what is unmistakable counts: a document by its file's name, tables or figures, or a section, right behind or
before "only" or 只. What the filters of the search say is left as it is, and where nothing would be left nothing is
narrowed.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, NamedTuple

from engine.enrich.references import references_in
from engine.index.tokenize import query_terms
from engine.index.views import label_term
from engine.language import compiled, patterns
from engine.model import Answer, Filters
from engine.retrieve.document_names import lower_case
from engine.retrieve.notes import note
from engine.structure.numbering import without_number
from storage.base import QueryTerms, Scope, Snapshot, StoredNode

MOST_BEARERS, LONGEST_QUESTION = 200, 2000
_WORDS = patterns("narrowing")
_ONLY, _WHETHER, _WITHIN, _SAYS_LITTLE, _A_PART = (
    compiled(_WORDS[name]) for name in ("only", "whether", "within", "says_little", "a_part")
)
_KINDS = {kind: compiled(words) for kind, words in _WORDS["kinds"].items()}
_CLAUSE = re.compile(r"[^:：,，;；?？!！。.]+(?:\.(?=\w)[^:：,，;；?？!！。.]+)*")
# The fields of the filters in the order in which they narrow, each with the note that it did.
_DONE = {"documents": "only_in", "roles": "only_in", "section": "in_section"}
_PARTS = frozenset({"section", "chapter", "part", "appendix", "article", "division"})


class _Place(NamedTuple):
    """A place in a clause, letters ``start`` to ``end``: the field of the filters with its value."""

    start: int
    end: int
    field: str
    value: Any
    told: str


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A question without the clause that only says where to look, the filters that say it, and the notes on them."""

    question: str
    filters: Filters
    scope: Scope
    notes: tuple[str, ...] = ()

    def noted(self, answer: Answer) -> Answer:
        """Return an answer to the question with the notes on where it was looked for."""
        told = [one for one in self.notes if one not in answer.warnings]
        return replace(answer, warnings=[*told, *answer.warnings]) if told else answer


def narrowed(question: str, snapshot: Snapshot, filters: Filters) -> Narrowed:
    """Return the filters with the documents, kinds and section that a question insists on, and what is asked.

    Raises NotFoundError for an unknown document in the filters.
    """
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    made = Narrowed(question, filters, snapshot.scope(filters))
    if len(text) > LONGEST_QUESTION or not _ONLY.search(text):
        return made
    for clause in _CLAUSE.finditer(text):
        only = _ONLY.search(clause[0])
        if only is None or (clause.start() + only.start() and _WHETHER.match(text)):
            continue
        if places := _insisted(clause[0], only, _places(clause[0], question, snapshot, made)):
            rest = _without_places(text, clause, only, places)
            made = _with(made, places, snapshot, question)
            return replace(made, question=rest) if made.filters != filters and query_terms(rest) else made
    return made


def _says(text: str) -> bool:
    """True where a stretch of a question says something to be looked for."""
    return bool(query_terms(_SAYS_LITTLE.sub(" ", text)))


def _insisted(clause: str, only: re.Match[str], places: list[_Place]) -> list[_Place]:
    """Return the places that a clause insists on: those right behind "only", or the one right before it."""
    if found := _right_behind(only.end(), clause, places):
        # "Which rooms have only tables and chairs?"
        has_only = found[0].field == "roles" and only[0].isascii() and _says(clause[: only.start()])
        return [] if has_only else found
    before = [one for one in places if one.end <= only.start() and not _says(clause[one.end : only.start()])]
    return [one for one in before[-1:] if _WITHIN.search(clause[: one.start])]


def _right_behind(at: int, clause: str, places: list[_Place]) -> list[_Place]:
    """The places from a letter on that follow each other with nothing said between them."""
    found: list[_Place] = []
    for place in places:
        if place.start < at:
            continue
        if _says(clause[at : place.start]):
            break
        found.append(place)
        at = place.end
    return found


def _without_places(text: str, clause: re.Match[str], only: re.Match[str], places: list[_Place]) -> str:
    """Return a question without the words of a clause that only say where to look."""
    said = clause[0]
    start, end = min(only.start(), places[0].start), max(only.end(), places[-1].end)
    if not _says(said[:start] + " " + said[end:]):
        start, end = 0, len(said)
    elif start < only.start() and (within := _WITHIN.search(said, 0, start)):
        start = within.start()  # "in the Methods section only"
    before, behind = text[: clause.start() + start], text[clause.start() + end :]
    rest = f"{before.rstrip(' ,，')} {behind.lstrip(' ,，:：;；.。')}".strip()
    return re.sub(r"(?<=[?？])\s*[.。!！]+$", "", rest)


def _places(clause: str, question: str, snapshot: Snapshot, made: Narrowed) -> list[_Place]:
    """Return the places in a clause, in order; of those that overlap the first kind of these counts."""
    found: list[_Place] = []
    for place in (
        *_documents(clause, snapshot.document_names()),
        *_labelled(clause, snapshot, made),
        *_titled(clause, snapshot, made),
        *_kinds(clause, question),
    ):
        if all(place.end <= other.start or other.end <= place.start for other in found):
            found.append(place)
    return sorted(found)


def _documents(clause: str, names: Mapping[str, str]) -> Iterator[_Place]:
    """Yield the documents whose files' names stand in a text; two of one stem, lease.md and lease.pdf, are neither."""
    folded = _fold(clause)
    forms = [(form, key) for key, name in names.items() for form in {_fold(name), _fold(PurePath(name).stem)}]
    counts = Counter(form for form, _ in forms)
    for form, key in sorted(forms, key=lambda one: -len(one[0])):
        if len(form) > 1 and counts[form] == 1:
            for match in re.finditer(rf"(?<![a-z0-9]){re.escape(form)}(?![a-z0-9])", folded):
                yield _Place(match.start(), match.end(), "documents", key, names[key])


def _fold(text: str) -> str:
    """Lower case, letter for letter, with the marks that join the words of a file's name as spaces."""
    return re.sub(r"[_\-]", " ", lower_case(unicodedata.normalize("NFKC", text)))


def _kinds(clause: str, question: str) -> Iterator[_Place]:
    for kind, words in _KINDS.items():
        for match in words.finditer(clause):
            yield _Place(match.start(), match.end(), "roles", kind, note(question, f"kind_{kind}"))


def _labelled(clause: str, snapshot: Snapshot, made: Narrowed) -> Iterator[_Place]:
    """Yield the sections that a text names by their number."""
    for one in references_in(clause, elsewhere=True):
        if one.label.kind not in _PARTS:
            continue
        bearers = _found(((label_term(one.label), 1.0),), snapshot, made)
        titles = {
            title
            for stored in bearers
            for title in ([stored.node.title] if stored.node.role == "section" else stored.path[-1:])
        }
        printed = one.label.printed
        if len(titles) == 1:
            yield _Place(one.start, one.end, "section", titles.pop(), printed)
        elif titles and all(title.casefold().startswith(printed.casefold()) for title in titles):
            yield _Place(one.start, one.end, "section", printed, printed)


def _titled(clause: str, snapshot: Snapshot, made: Narrowed) -> Iterator[_Place]:
    """Yield the sections whose titles stand in a text before a word for a part, or are all that it insists on."""
    bearers = _found(query_terms(clause), snapshot, made)
    titles = {without_number(title) for one in bearers for title in (*one.path[-1:], one.node.title)}
    for title in sorted(titles - {""}, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(title)}(?!\w)", clause, re.IGNORECASE):
            part = _A_PART.match(clause, match.end())
            if part or not _says(_ONLY.sub(" ", clause[: match.start()]) + clause[match.end() :]):
                yield _Place(match.start(), part.end() if part else match.end(), "section", title, title)


def _found(terms: QueryTerms, snapshot: Snapshot, made: Narrowed) -> list[StoredNode]:
    hits = snapshot.sparse_search(terms, MOST_BEARERS, made.scope)
    return snapshot.nodes([hit.key for hit in hits])


def _with(made: Narrowed, places: list[_Place], snapshot: Snapshot, question: str) -> Narrowed:
    """Narrow by places, one field after the other, as far as something is left."""
    for name, done in _DONE.items():
        same = [one for one in places if one.field == name]
        if not same or getattr(made.filters, name):
            continue
        value: Any = same[0].value if name == "section" else tuple(one.value for one in same)
        changed: dict[str, Any] = {name: value}
        filters = replace(made.filters, **changed)
        inside, told = snapshot.scope(filters), ", ".join(one.told for one in same)
        if inside.size:
            found = note(question, done, section=value, places=told)
            made = replace(made, filters=filters, scope=inside, notes=(*made.notes, found))
        else:
            made = replace(made, notes=(*made.notes, note(question, "nothing_in", places=told)))
    return made
