"""Questions to begin with: made of what documents call their own parts, and asked silently before they are offered.

No model is asked, whatever is set up: a suggestion shall cost nothing. A part that can be told without one can be told
with one.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from engine.errors import DropQAError
from engine.model import Document, Filters, Node, Tree
from engine.overview.answering import Overviews
from engine.retrieve.query import is_unspaced
from engine.structure.numbering import without_number
from engine.summaries import Summarizer

if TYPE_CHECKING:
    from engine.library import Library

log = logging.getLogger(__name__)
# So many of the newest documents are looked at, so many parts of each, and so much of one tells its language.
DOCUMENTS, PARTS, SAMPLE_LETTERS = 6, 4, 4000
# A title in letters with spaces, and in Chinese, that says something and fits on a button.
SPACED, UNSPACED = range(6, 57), range(2, 25)
# What is told of a part must be more than a word or two.
LEAST_TOLD = 40
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
        self._thread: threading.Thread | None = None

    def get(self, wait: float = 0.0) -> list[str]:
        """Return questions that the newest documents answer, of each document in turn.

        What is not known yet is found out in a thread of its own, for which at most ``wait`` seconds are waited; until
        then those of documents that are still there are returned.
        """
        thread = self._begin()
        if thread is not None:
            thread.join(wait)
        there = {document.document_id for document in self._library.documents()}
        with self._lock:
            return list(dict.fromkeys(one.question for one in self._made if one.document_id in there))

    def _begin(self) -> threading.Thread | None:
        """Find suggestions where the documents have changed and none is being read; return the thread at work."""
        documents = self._library.documents()
        state = tuple((one.document_id, one.version) for one in documents)
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return self._thread
            reading = any(
                job.kind == "ingest" and job.state in ("queued", "running") for job in self._library.jobs()
            )
            if state == self._made_of or reading:
                return None
            self._made_of = state
            places = {name: place for place, name in enumerate(self._known)}
            chosen = sorted(documents, key=lambda one: places.get(one.name, -1))[:DOCUMENTS]
            self._thread = threading.Thread(
                target=self._find, args=(chosen,), name="suggestions", daemon=True
            )
            self._thread.start()
            return self._thread

    def _find(self, documents: Sequence[Document]) -> None:
        try:
            found = [list(self._of(document)) for document in documents]
        except DropQAError as error:  # the library was closed, or a file is gone: there is nothing to suggest
            log.info("No questions are suggested: %s", error)
            found = []
        in_turn = chain.from_iterable(zip_longest(*found))
        with self._lock:
            self._made = [one for one in in_turn if one is not None]

    def _of(self, document: Document) -> Iterator[Suggestion]:
        """Yield the questions of one document that are answered: on its largest parts, else on the whole of it."""
        if known := self._known.get(document.name):
            yield Suggestion(known, document.document_id)
        tree = self._library.tree(document.document_id)
        unspaced = is_unspaced(_sample(tree))
        asked = [_PART[unspaced].format(title=title) for title in telling_titles(tree, unspaced)[:PARTS]]
        answered = [question for question in asked if self._is_answered(question, document.document_id)]
        for question in answered or [_WHOLE[unspaced].format(name=document.name)]:
            if answered or self._is_answered(question, document.document_id):
                yield Suggestion(question, document.document_id)

    def _is_answered(self, question: str, document_id: str) -> bool:
        """Ask a question of the whole library, as whoever clicks on it does, but without a model."""
        library = self._library
        summaries = Summarizer(library.storage, lambda: None, lambda: library.settings)
        overviews = Overviews(library.storage, library.search, lambda: summaries, lambda: None)
        answer = overviews.answer(question, Filters())
        if answer is None or not answer.answered:
            return False
        told = sum(
            len(source.snippet) * (2 if is_unspaced(source.snippet) else 1) for source in answer.sources
        )
        return told >= LEAST_TOLD and any(one.document_id == document_id for one in answer.sources)


def telling_titles(tree: Tree, unspaced: bool) -> list[str]:
    """Return the titles of a document's own parts that say what they are about, without numbers, the longest first.

    Not those that were made up, in whole or in part, nor those in another language than the document's.
    """
    letters = _letters_below(tree)
    found: dict[str, int] = {}
    for node in tree.nodes[1:]:
        facts = node.metadata
        if (
            node.role != "section"
            or facts.get("generated")
            or facts.get("original_title")
            or facts.get("kind")
        ):
            continue
        title = without_number(node.title).strip(" :：.。")
        fits = len(title) in (UNSPACED if unspaced else SPACED)
        if (
            fits
            and is_unspaced(title) == unspaced
            and re.search(r"[^\W\d_]{2}", title)
            and not title.isupper()
        ):
            found[title] = max(found.get(title, 0), letters.get(node.node_id, 0))
    whole = tree.nodes[0].title
    return sorted((one for one in found if one != whole and found[one]), key=lambda one: -found[one])


def _letters_below(tree: Tree) -> dict[str, int]:
    """Return by id how much running text is in a section with all that is below it."""
    parents = {node.node_id: node.parent_id for node in tree.nodes}
    letters: dict[str, int] = {}
    for node in tree.nodes:
        at = node.parent_id if _is_prose(node) else None
        while at is not None:
            letters[at] = letters.get(at, 0) + len(node.text)
            at = parents.get(at)
    return letters


def _is_prose(node: Node) -> bool:
    return node.role in ("paragraph", "list")


def _sample(tree: Tree) -> str:
    return "\n".join(node.text for node in tree.nodes[:100])[:SAMPLE_LETTERS]
