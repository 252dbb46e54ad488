"""Answers about documents as a whole: summaries, the documents that mention something, the list of all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePath

from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.events import OnEvent, Token
from engine.answer.evidence import TreeEvidence
from engine.answer.extractive import not_found, quotable
from engine.answer.phrases import Phrases, phrases_for
from engine.answer.refusal import searched_in
from engine.errors import UsageError
from engine.model import Answer, Document, Evidence, Filters, TraceStep, Tree
from engine.overview.articles import asked_article
from engine.overview.asking import Overview, asked_title, may_ask_of_documents, read
from engine.overview.labelled import NamedLabel, asked_alone, asked_label, documents_with, spoken_of
from engine.overview.mails import mail_asked_by_subject, mails_among, mails_saying, quote_heads
from engine.overview.named_place import quote
from engine.overview.pages import PRESENTATIONS, WORKBOOKS, asked_cells, asked_page
from engine.overview.parts import section_id, sections_named, sections_titled
from engine.overview.words import MOST_LISTED, Search, WordFinder
from engine.providers.llm import Llm
from engine.retrieve.pack import pack
from engine.retrieve.query import fold
from engine.structure.numbering import without_number
from engine.summaries import MOST_DOCUMENTS, Summarizer
from engine.summaries import passages as passages_of
from storage.base import Snapshot, Storage, StoredNode

# In so many documents a place is looked for.
MOST_NEAR = 12
# Of so many documents, and so many in each, the parts that a number names are told.
MOST_PARTS = 5
_BUDGET = 1500
FindSections = Callable[[str, Snapshot, Filters], dict[str, list[StoredNode]]]
_CONCLUSION = re.compile(
    r"(?:(?:discussion|summary)\s+and\s+)?(?:conclusions?|concluding\s+remarks)(?:\s+and\s+.*)?|(?:主要)?结\s*[论语]|总\s*结|结\s*束\s*语",
    re.IGNORECASE,
)


class Overviews:
    """Answers questions about the documents themselves. All methods may be called from any thread."""

    def __init__(
        self,
        storage: Storage,
        search: Search,
        summaries: Callable[[], Summarizer],
        model: Callable[[], Llm | None],
    ) -> None:
        self._storage = storage
        self._search = search
        self._summaries = summaries
        self._model = model

    def answer(
        self,
        question: str,
        filters: Filters,
        on_event: OnEvent | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Answer | None:
        """Answer a question about documents as a whole within the filters; None for any other question."""
        if not replace(filters, documents=(), topics=(), collections=(), version=None).empty:
            return None
        place = asked_article(question) or asked_page(question) or asked_cells(question)
        label = asked_label(question) if self._model() is None else None
        subject = mail_asked_by_subject(question)
        if place is None and label is None and not subject and not may_ask_of_documents(question):
            return None
        documents = self._storage.documents_within(filters)
        made = self._heads_of_mails(subject, documents, filters, question, on_event) if subject else None
        if made is None:
            made = self._overview(question, documents, filters, on_event, cancelled)
        if made is None and label is not None:
            made = self._labelled(question, label, filters, on_event)
        if made is None and place is not None:
            near, tell = self._near(question, documents, filters), on_event or (lambda _event: None)
            return quote(place, near, phrases_for(question), tell, whole=self._model() is not None)
        return made

    def _overview(
        self,
        question: str,
        documents: Sequence[Document],
        filters: Filters,
        on_event: OnEvent | None,
        cancelled: Callable[[], bool] | None,
    ) -> Answer | None:
        asked = read(question, documents) or asked_title(question, documents)
        if asked is None or not documents:
            return None
        phrases, tell = phrases_for(question), on_event or (lambda _event: None)
        if asked.kind == "list":
            return _listed(documents, phrases, tell)
        if asked.kind in ("mentions", "abbreviation"):
            finder = WordFinder(self._storage, self._search, filters, phrases, tell)
            if asked.kind == "abbreviation":
                return finder.written_out(asked.term)
            return finder.mentioning(asked.term, len(documents))
        if asked.kind == "front":
            return quote_heads(self._trees(asked.documents, filters), phrases, tell)
        if asked.kind in ("pages", "sheets"):
            return self._length(asked, filters.version, phrases, tell)
        return self._about(asked, documents, filters, phrases, on_event, cancelled)

    def _heads_of_mails(
        self,
        subject: str,
        documents: Sequence[Document],
        filters: Filters,
        question: str,
        tell: OnEvent | None,
    ) -> Answer | None:
        """Quote the heads of the mails that speak of a subject; None where none does."""
        mails = mails_among(documents)
        within = replace(filters, documents=tuple(one.document_id for one in mails))
        near = self._near(subject, mails, within) if mails else []
        return quote_heads(mails_saying(subject, near), phrases_for(question), tell or (lambda _event: None))

    def _labelled(
        self, question: str, label: NamedLabel, filters: Filters, on_event: OnEvent | None
    ) -> Answer | None:
        """Quote what bears a label, where nothing else is asked, or say that nothing does; None for other questions."""
        phrases, tell = phrases_for(question), on_event or (lambda _event: None)
        ids = documents_with(label.bears, self._storage.snapshot(), filters)[:MOST_NEAR]
        if not ids and asked_alone(label):
            hits = self._search(
                label.label, mode="keyword", regex=False, filters=filters, top_k=MOST_NEAR
            ).hits
            evidence = pack(hits, self._storage, _BUDGET)
            if spoken_of(label.bears, evidence):
                return None
            searched = searched_in(self._storage, filters)
            made = not_found(evidence, phrases, mode="keyword", searched=searched)
            tell(Token(made.text))
            return Answer(made.text, "direct", "low", False, made.citations)
        trees = [self._storage.tree(one, filters.version) for one in ids]
        return quote(label, trees, phrases, tell, whole=True)

    def _near(self, question: str, documents: Sequence[Document], filters: Filters) -> list[Tree]:
        """Return the trees of the documents whose names stand in a question, then of those that it finds."""
        if len(documents) <= MOST_NEAR:
            return self._trees(documents, filters)
        plain = fold(question)
        named = [one.document_id for one in documents if fold(PurePath(one.name).stem) in plain]
        hits = self._search(question, mode="hybrid", regex=False, filters=filters, top_k=20).hits
        near = dict.fromkeys([*named, *(hit.document_id for hit in hits)])
        return [self._storage.tree(one, filters.version) for one in list(near)[:MOST_NEAR]]

    def _trees(self, documents: Sequence[Document], filters: Filters) -> list[Tree]:
        return [self._storage.tree(one.document_id, filters.version) for one in documents]

    def _about(
        self,
        asked: Overview,
        documents: Sequence[Document],
        filters: Filters,
        phrases: Phrases,
        on_event: OnEvent | None,
        cancelled: Callable[[], bool] | None,
    ) -> Answer | None:
        chosen = list(asked.documents or documents)
        a_part = asked.kind in ("part", "titled")
        if not a_part and len(chosen) > MOST_DOCUMENTS:
            names = ", ".join(self._largest_topics())
            return _plain(phrases.too_many_to_summarise.format(count=len(chosen), topics=names), on_event)
        title, evidence = self._read(asked, chosen, filters)
        named = list(dict.fromkeys(item.hit.document for item in evidence))
        step = TraceStep(
            0, "action", phrases.step_summarise.format(names=", ".join(named[:5])), "summarize_findings",
            {"documents": named},
        )  # fmt: skip
        try:
            made = self._summaries().passages(title, evidence, on_event=on_event, cancelled=cancelled)
        except UsageError:  # there is no text in it
            return None
        if on_event is not None:
            on_event(step)
        text = made.summary
        if made.engine == "extractive":
            text = f"{phrases.quoted_model_failed if made.warnings else phrases.quoted}\n\n{text}"
        told = len({source.document_id for source in made.sources})
        if a_part and not asked.documents and told > 1:
            text += "\n\n" + phrases.coverage.format(used=told, documents=len(chosen))
        return Answer(
            text, "direct", "high" if made.engine == "extractive" else "medium", True, made.sources,
            reasoning_steps=1, reasoning_trace=[step], warnings=made.warnings, engine=made.engine,
        )  # fmt: skip

    def _read(
        self, asked: Overview, chosen: Sequence[Document], filters: Filters
    ) -> tuple[str, list[Evidence]]:
        """Return the titles and the passages that tell what is asked about the chosen documents."""
        if asked.kind in ("part", "titled"):
            find = sections_named if asked.kind == "part" else sections_titled
            return self._part(asked.term, chosen, filters, find)
        if asked.kind == "findings":
            title, evidence = self._findings(chosen, filters.version)
            if evidence:
                return title, evidence
        return self._summaries().together([one.document_id for one in chosen], version=filters.version)

    def _length(self, asked: Overview, version: int | None, phrases: Phrases, tell: OnEvent) -> Answer | None:
        """Tell how many pages a document has, or which sheets, each with its place."""
        tree = self._storage.tree(asked.documents[0].document_id, version)
        if tree.pages is None:
            return None
        name = harmless(tree.name)
        if asked.kind == "pages":
            suffix = PurePath(tree.name).suffix.lower()
            slides, sheets_of = suffix in PRESENTATIONS, suffix in WORKBOOKS
            said = phrases.has_slides if slides else phrases.has_sheets if sheets_of else phrases.has_pages
            return _plain(said.format(name=name, count=tree.pages), tell)
        make = TreeEvidence(tree)
        sheets = [make.of(node) for node in tree.nodes if node.role == "section" and node.depth == 1]
        sources = Sources(sheets)
        told = [f"- {quotable(item.title)} [{sources.add_title(index)}]" for index, item in enumerate(sheets)]
        text = "\n".join([phrases.sheets.format(name=name, count=tree.pages), "", *told])
        tell(Token(text))
        return Answer(text, "direct", "high", True, sources.citations)

    def _part(
        self, label: str, documents: Sequence[Document], filters: Filters, find: FindSections
    ) -> tuple[str, list[Evidence]]:
        """Return the title and the passages of the sections that are called so, in each of up to five documents."""
        within = replace(filters, documents=tuple(one.document_id for one in documents))
        named = find(label, self._storage.snapshot(), within)
        title, evidence = "", []
        for document in [one for one in documents if one.document_id in named][:MOST_PARTS]:
            bearers = named[document.document_id]
            tree = self._storage.tree(document.document_id, bearers[0].version)
            ids = list(dict.fromkeys(section_id(one) for one in sorted(bearers, key=lambda one: one.key)))
            own, passages = passages_of(tree, node_ids=ids[:MOST_PARTS])
            title = title or own
            evidence += passages
        return title, evidence

    def _findings(self, documents: Sequence[Document], version: int | None) -> tuple[str, list[Evidence]]:
        """Return the titles and the passages of the conclusions, else of the abstracts, of documents."""
        titles: list[str] = []
        evidence: list[Evidence] = []
        for document in documents:
            tree = self._storage.tree(document.document_id, version)
            told = [
                node.node_id
                for node in tree.nodes
                if node.role == "section" and _CONCLUSION.fullmatch(without_number(node.title))
            ] or [node.node_id for node in tree.nodes if node.metadata.get("kind") == "abstract"]
            if told:
                titles.append(tree.nodes[0].title or tree.name)
                evidence += passages_of(tree, node_ids=told)[1]
        return ", ".join(titles), evidence

    def _largest_topics(self) -> list[str]:
        """Return the names of the ten largest topics, each with its number of documents."""
        sizes = Counter(link.topic_id for link in self._storage.topics.links())
        names = {topic.topic_id: topic.name for topic in self._storage.topics.list()}
        return [f"{names[key]} ({count})" for key, count in sizes.most_common() if key in names][:10]


def _listed(documents: Sequence[Document], phrases: Phrases, tell: OnEvent) -> Answer:
    kinds = Counter(PurePath(one.name).suffix.lstrip(".").upper() or "?" for one in documents)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    lines = [phrases.library_holds.format(count=len(documents), kinds=told), ""]
    for one in documents[:MOST_LISTED]:
        pages = f" ({phrases.pages_of.format(count=one.pages)})" if one.pages else ""
        lines.append(f"- {harmless(one.name)}{pages}")
    if len(documents) > MOST_LISTED:
        lines.append(phrases.and_more.format(count=len(documents) - MOST_LISTED))
    return _plain("\n".join(lines), tell)


def _plain(text: str, tell: OnEvent | None) -> Answer:
    """Return an answer that the library itself gives, not a document."""
    if tell is not None:
        tell(Token(text))
    return Answer(text, "direct", "high", True, [])
