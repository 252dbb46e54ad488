"""Questions to begin with: made of what documents call their own parts, which are quoted when they are asked.

No model is asked, whatever is set up: a suggestion shall cost nothing. A part that can be told without one can be told
with one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from engine.errors import NotFoundError
from engine.language import patterns
from engine.model import Document, Tree
from engine.retrieve.query import is_unspaced
from engine.structure.numbering import without_number

if TYPE_CHECKING:
    from engine.library import Library

# So many of the newest documents are looked at, so many parts of each, and so much of one tells its language.
DOCUMENTS, PARTS, SAMPLE_LETTERS = 6, 4, 4000
# A document of more nodes takes long to look through: it is asked about as a whole.
MOST_NODES = 3000
# How long a title that says something and fits on a button is, in letters with spaces and in Chinese, and how many
# letters one is worth.
_FITTING = {False: (range(6, 57), 1), True: (range(2, 25), 2)}
# What is told of a part must be more than a word or two.
LEAST_TOLD = 40
# What is known of a section whose title was made up, in whole or in part, or that is none of the text.
_NOT_OWN = ("generated", "original_title", "kind")
_PART = {False: "What does “{title}” say?", True: "“{title}”讲了什么？"}
_WHOLE = {False: "What is {name} about?", True: "{name}的主要内容是什么？"}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question that the library answers, with the document (id) that it was made of."""

    question: str
    document_id: str


class SuggestedQuestions:
    """The suggestions of one library. All methods may be called from any thread."""

    def __init__(self, library: Library, known: Mapping[str, str] | None = None) -> None:
        """``known`` has questions, by a document's name, that it is known to answer; other documents come first."""
        self._library = library
        self._known = known or {}
        self._lock = threading.Lock()
        self._made_of: tuple[tuple[str, int], ...] | None = None
        self._made: list[Suggestion] = []

    def get(self) -> list[str]:
        """Return questions that the newest documents answer, of each in turn, made anew when none is being read."""
        documents = self._library.documents()
        state = tuple((one.document_id, one.version) for one in documents)
        with self._lock:
            if state != self._made_of and not self._is_reading():
                self._made, self._made_of = self._found(documents), state
            there = {key for key, _ in state}
            return list(dict.fromkeys(one.question for one in self._made if one.document_id in there))

    def _is_reading(self) -> bool:
        states = [job.state for job in self._library.jobs() if job.kind == "ingest"]
        return "queued" in states or "running" in states

    def _found(self, documents: Sequence[Document]) -> list[Suggestion]:
        places = {name: place for place, name in enumerate(self._known)}
        chosen = sorted(documents, key=lambda one: places.get(one.name, -1))[:DOCUMENTS]
        in_turn = chain.from_iterable(zip_longest(*(list(self._of(document)) for document in chosen)))
        return [one for one in in_turn if one is not None]

    def _of(self, document: Document) -> Iterator[Suggestion]:
        """Yield questions on the largest parts of one document, else on the whole of it; none where it says little."""
        if known := self._known.get(document.name):
            yield Suggestion(known, document.document_id)
        if document.retrievable > MOST_NODES:
            whole = _WHOLE[is_unspaced(document.name)].format(name=document.name)
            yield Suggestion(whole, document.document_id)
            return
        try:
            tree = self._library.tree(document.document_id)
        except NotFoundError:  # removed meanwhile
            return
        unspaced = is_unspaced("\n".join(node.text for node in tree.nodes[:100])[:SAMPLE_LETTERS])
        asked = [_PART[unspaced].format(title=title) for title in telling_titles(tree, unspaced)[:PARTS]]
        if not asked and len(tree.nodes[0].summary) >= LEAST_TOLD:
            asked = [_WHOLE[unspaced].format(name=document.name)]
        for question in asked:
            yield Suggestion(question, document.document_id)


def telling_titles(tree: Tree, unspaced: bool) -> list[str]:
    """Return the titles of a document's own parts that say what they are about, without numbers.

    Those of several words come first, of these those whose summary says most. Left out are those that were made up, in
    whole or in part, those in another language than the document's, and those of general words ("Section 5").
    """
    found: dict[str, int] = {}
    lengths, letters = _FITTING[unspaced]
    general = {*patterns("general_words")["headings"].split(), *map(str, range(100))}
    for node in tree.nodes[1:]:
        if node.role != "section" or any(map(node.metadata.get, _NOT_OWN)):
            continue
        title = without_number(node.title).strip(" :：.。")
        fits = len(title) in lengths and is_unspaced(title) == unspaced
        told = len(node.summary) * letters
        says = not title.isupper() and not general.issuperset(word.strip(",.:") for word in title.lower().split())
        if fits and told >= LEAST_TOLD and title != tree.nodes[0].title and says:
            found[title] = max(found.get(title, 0), told)
    return sorted(found, key=lambda one: (not unspaced and " " not in one, -found[one]))
