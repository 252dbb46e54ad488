"""Answers about documents as a whole: summaries, places in them, what mentions something, the list of all."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from engine.answer.check.marks import harmless
from engine.answer.events import OnEvent, Token
from engine.answer.phrases import Phrases, phrases_for
from engine.answer.understand.terms import content_terms, coverage, terms_with_forms
from engine.errors import UsageError
from engine.model import Answer, Document, Evidence, Filters, Node, TraceStep, Tree
from engine.overview.asked import (
    Reading,
    means_documents,
    of_kind,
    readings,
    says_nothing,
    term_in,
    without_little,
    without_names,
)
from engine.overview.places import Place, place_in, titled
from engine.overview.quoting import Search, evidence_of, listed, mentioning, quote_head, quote_place
from engine.providers.llm import Llm
from engine.structure.terms import fold
from engine.summaries import MOST_DOCUMENTS, Summarizer
from storage.base import Storage

# In so many documents a place is looked for, from so many it is quoted; of more so many topics are named.
MOST_NEAR, MOST_QUOTED, MOST_TOPICS = 12, 5, 10
# So many passages are looked at for the documents that may have a place.
MOST_HITS = 50
# What stands at a place is quoted up to so many letters, else summarised.
LONGEST_QUOTED = 3000


def answer_overview(
    question: str, filters: Filters, storage: Storage, search: Search, summaries: Callable[[], Summarizer],
    model: Callable[[], Llm | None], on_event: OnEvent | None = None, cancelled: Callable[[], bool] | None = None,
) -> Answer | None:  # fmt: skip
    """Answer a question about documents as a whole within the filters; None for any other question."""
    if not replace(filters, documents=(), topics=(), collections=(), version=None).empty:
        return None
    read = [one for one in readings(question) if one.kind != "place" or place_in(one.about)]
    documents = storage.documents_within(filters) if read else []
    if not documents:
        return None
    asked = _Asked(
        storage, search, summaries, model, {one.document_id: one for one in documents}, filters, phrases_for(question),
        on_event or (lambda _event: None), cancelled,
    )  # fmt: skip
    return next(filter(None, map(asked.answer, read)), None)


@dataclass(frozen=True)
class _Asked:
    """One question over the documents within its filters, by id."""

    storage: Storage
    search: Search
    summaries: Callable[[], Summarizer]
    model: Callable[[], Llm | None]
    documents: Mapping[str, Document]
    filters: Filters
    phrases: Phrases
    tell: OnEvent
    cancelled: Callable[[], bool] | None

    def answer(self, asked: Reading) -> Answer | None:
        """Answer one reading of the question; None where it is none that can be answered here."""
        if asked.kind == "mentions":
            return mentioning(term_in(asked.about), self.storage, self.search, self.filters, self.phrases, self.tell)
        if asked.kind == "list":
            return self._listed() if says_nothing(asked.about) else None
        if asked.kind in ("about", "place") and (place := place_in(asked.about)):
            return self._place(place)
        if asked.kind == "about":
            return self._about(asked.about) or self._titled(asked.about)
        meant = self._meant(asked.about) or self._described(asked.about)
        return quote_head(self._tree(meant[0]), self.phrases, self.tell) if len(meant) == 1 else None

    def _meant(self, said: str) -> list[str]:
        """Return the documents (ids) that a text means and of which it says nothing else; none for any other text."""
        files = {key: one.name for key, one in self.documents.items()}
        kind, _ = of_kind(said, files)
        named, rest = without_names(said, {key: _names(name) for key, name in files.items()})
        if not says_nothing(rest) or (kind and named and set(named).isdisjoint(kind)):
            return []
        return named or kind or (list(files) if means_documents(said) else [])

    def _described(self, said: str) -> list[str]:
        """Return the document (id) of the kind a text speaks of that holds all it says beside: a mail on trucks."""
        kind, rest = of_kind(said, {key: one.name for key, one in self.documents.items()})
        wanted = content_terms(without_little(rest))
        if not kind or not wanted:
            return []
        within = replace(self.filters, documents=tuple(kind))
        hits = self.search(rest, mode="hybrid", regex=False, filters=within, top_k=MOST_NEAR).hits
        for one in dict.fromkeys(hit.document_id for hit in hits):
            told = "\n".join(f"{node.title}\n{node.text}" for node in self._tree(one).nodes)
            if coverage(wanted, terms_with_forms(told)) >= 1.0:
                return [one]
        return []

    def _about(self, said: str) -> Answer | None:
        """Summarise the documents that are meant; of too many tell their largest topics."""
        chosen = self._meant(said)
        if not chosen:
            return None
        if len(chosen) <= MOST_DOCUMENTS:
            return self._summarised(*self.summaries().together(chosen, version=self.filters.version))
        sizes = Counter(link.topic_id for link in self.storage.topics.links())
        names = {topic.topic_id: topic.name for topic in self.storage.topics.list()}
        largest = [f"{names[key]} ({count})" for key, count in sizes.most_common() if key in names][:MOST_TOPICS]
        told = self.phrases.too_many_to_summarise.format(count=len(chosen), topics=", ".join(largest))
        return self._plain(told)

    def _titled(self, said: str) -> Answer | None:
        """Tell of the sections that have a text as their title, in the documents that it names."""
        named, rest = without_names(said, {key: _names(one.name) for key, one in self.documents.items()})
        title = term_in(said if term_in(said) in rest else rest)
        return self._place(titled(title), named) if not says_nothing(title) else None

    def _place(self, place: Place, named: Sequence[str] = ()) -> Answer | None:
        """Tell what stands at a place, quoted where that is short; of several documents ask which is meant."""
        if place.is_shown and self.model() is not None:
            return None  # a model sees what is shown there, and says it
        trees = {tree.document_id: tree for tree in self._near(place)}
        meant = _meant_at(place, trees, named)
        if meant is None:
            return None
        found = [
            (tree, nodes) for key, tree in trees.items() if (not meant or key in meant) and (nodes := place.nodes(tree))
        ]
        return self._told(place, found, sure=bool(meant)) if found else None

    def _told(self, place: Place, found: list[tuple[Tree, list[Node]]], sure: bool) -> Answer | None:
        """Tell what stands at a place in some documents; ``sure`` says that the question means these."""
        if not sure:
            found = list(filter(lambda one: place.usual_in(one[0]), found)) or found
        several, found = len(found) > 1, found[:MOST_QUOTED]
        if several and not (sure or place.several):  # ask in which it is meant
            names = ", ".join(harmless(tree.name) for tree, _ in found)
            which = self.phrases.which_document.format(label=harmless(place.printed), names=names)
            return self._plain(which, answered=False)
        evidence = evidence_of(found)
        if place.several and sum(len(item.text) for item in evidence) > LONGEST_QUOTED:
            return self._summarised(place.printed, evidence)
        return quote_place(place, found, self.phrases, self.tell)

    def _near(self, place: Place) -> list[Tree]:
        """Return the trees of the documents that may have a place: those that are named, then those a search finds."""
        ids = list(self.documents)
        if len(ids) > MOST_NEAR:
            said = f"{place.printed} {place.rest}".strip()
            hits = self.search(said, mode="hybrid", regex=False, filters=self.filters, top_k=MOST_HITS).hits
            named = [key for key, one in self.documents.items() if fold(PurePath(one.name).stem) in fold(said)]
            near = dict.fromkeys([*named, *(hit.document_id for hit in hits)])
            ids = [key for key in near if key in self.documents][:MOST_NEAR]
        return [self._tree(one) for one in ids]

    def _tree(self, document_id: str) -> Tree:
        return self.storage.tree(document_id, self.filters.version)

    def _summarised(self, title: str, evidence: list[Evidence]) -> Answer | None:
        named, phrases = list(dict.fromkeys(item.hit.document for item in evidence)), self.phrases
        does = phrases.step_summarise.format(names=", ".join(named[:5]))
        step = TraceStep(0, "action", does, "summarize_findings", {"documents": named})
        try:
            made = self.summaries().passages(title, evidence, on_event=self.tell, cancelled=self.cancelled)
        except UsageError:  # there is no text in it
            return None
        self.tell(step)
        text = made.summary
        if made.engine == "extractive":
            text = f"{phrases.quoted_model_failed if made.warnings else phrases.quoted}\n\n{text}"
        return Answer(
            text, "direct", "high" if made.engine == "extractive" else "medium", True, made.sources,
            reasoning_steps=1, reasoning_trace=[step], warnings=made.warnings, engine=made.engine,
        )  # fmt: skip

    def _listed(self) -> Answer:
        documents, phrases = list(self.documents.values()), self.phrases
        kinds = Counter(PurePath(one.name).suffix.lstrip(".").upper() or "?" for one in documents)
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        pages = [f" ({phrases.pages_of.format(count=one.pages)})" if one.pages else "" for one in documents]
        lines = [f"- {harmless(one.name)}{counted}" for one, counted in zip(documents, pages, strict=True)]
        holds = phrases.library_holds.format(count=len(documents), kinds=told)
        return self._plain("\n".join([holds, "", *listed(lines, phrases)]))

    def _plain(self, text: str, answered: bool = True) -> Answer:
        """Return an answer that the library itself gives, not a document."""
        self.tell(Token(text))
        return Answer(text, "direct", "high" if answered else "low", answered, [])


def _meant_at(place: Place, trees: Mapping[str, Tree], named: Sequence[str]) -> set[str] | None:
    """Return the documents (ids) that a question about a place means, none: any; None where it asks for more."""
    names = {key: [*_names(tree.name), tree.nodes[0].title] for key, tree in trees.items()}
    in_rest, rest = without_names(place.rest, names)
    sheets = {key: place.names_in(tree) for key, tree in trees.items()}
    if not says_nothing(without_names(rest, sheets)[1]):
        return None
    of_its_kind = [] if named else of_kind(rest, {key: tree.name for key, tree in trees.items()})[0]
    return {*named, *(in_rest or of_its_kind)}


def _names(name: str) -> list[str]:
    return [name, PurePath(name).stem]
