"""Summaries of a document, a section or a selection, every sentence with the place it comes from.

Without a model the best sentences are quoted: a few of each section by maximal marginal relevance (see
``engine.enrich.summary``), then the best of those in the same way. With a model these passages are what it is
given, and what it writes is checked like an answer.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from engine.answer.check.checking import check
from engine.answer.check.locate import sentences_of
from engine.answer.check.marks import harmless
from engine.answer.events import Discard, OnEvent, Token
from engine.answer.extractive import quotable
from engine.answer.grounded import reply as grounded
from engine.answer.grounded.prompt import messages_for
from engine.answer.grounded.reply import clean_reply
from engine.answer.phrases import phrases_for
from engine.config import Settings
from engine.enrich.summary import OBJECT_DECAY, SECTION_DECAY, Sentence, chosen, inverse_frequencies
from engine.errors import NotFoundError, ProviderError, UsageError
from engine.model import Citation, Evidence, Node, Tree, Value, children_of
from engine.providers.llm import Llm, estimate_tokens
from engine.retrieve.sources import Sources
from engine.retrieve.tree_evidence import TreeEvidence
from engine.structure.section_kinds import cover_form, is_form
from engine.structure.sentences import is_cjk
from engine.structure.terms import terms_of
from storage.base import Storage

SENTENCES, TOKENS = 7, 420
A_SECTION, SECTION_TOKENS = 3, 160
# Of several documents: how many at most, how many passages of all together, and the fewest of each.
MOST_DOCUMENTS, ALL_PASSAGES, LEAST_PASSAGES, LEAST_TOKENS = 20, 160, 8, 80
# What a model is given of one passage, and the shortest sentence that says something.
PASSAGE_LETTERS, LEAST_LETTERS = 2000, 8
_PROSE = ("paragraph", "list")
_BACK_MATTER = ("references", "contents", "index", "acknowledgements")
_ASKED = {
    "en": "Summarise “{title}” in four to eight sentences: what it is about, its main points, its decisive figures. "
    "Keep to the evidence and mark every sentence.",
    "zh": "请用四到八句话概括“{title}”：主题、要点和关键数字。只依据所给内容，每句话都要标注来源。",
}


@dataclass(frozen=True, slots=True)
class Summary(Value):
    """A summary with its sources: ``[n]`` in ``summary`` marks the n-th; each stands word for word in its node."""

    summary: str
    sources: list[Citation]
    engine: Literal["llm", "extractive"] = "extractive"
    warnings: list[str] = field(default_factory=list)


def passages(tree: Tree, *, section: str = "", node_ids: Sequence[str] = ()) -> tuple[str, list[Evidence]]:
    """Return a title and the passages to summarise: of a tree, of a section of it, or of chosen nodes.

    ``section`` is part of a section's title, without case; of several the first outermost one counts. Chosen
    sections stand for all that is in them; the form on a cover is no part of the whole. Raises NotFoundError.
    """
    roots = _roots(tree, section, node_ids)
    title = (roots[0].title if len(roots) == 1 else "") or tree.nodes[0].title or tree.name
    make = TreeEvidence(tree)
    cover = cover_form(tree) if roots == tree.nodes[:1] else frozenset()
    found = {node.node_id: node for root in roots for node in _below(root, tree)}
    return title, [make.of(node) for key, node in found.items() if node.text and key not in cover]


def _roots(tree: Tree, section: str, node_ids: Sequence[str]) -> list[Node]:
    nodes = {node.node_id: node for node in tree.nodes}
    if missing := [*itertools.filterfalse(nodes.__contains__, node_ids)]:
        raise NotFoundError(f"{tree.name} has no node {missing[0]} in version {tree.version}.")
    if not section:
        return [nodes[node_id] for node_id in node_ids] or [tree.nodes[0]]
    titled = [n for n in tree.nodes if n.role == "section" and section.casefold() in n.title.casefold()]
    if not titled:
        raise NotFoundError(f"{tree.name} has no section titled “{section}”. `dropqa tree` shows its sections.")
    return [min(titled, key=lambda node: node.depth)]


def summarize(
    title: str, evidence: Sequence[Evidence], *, llm: Llm | None = None, budget: int = 8000,
    system_prompt: str = "", on_event: OnEvent | None = None, cancelled: Callable[[], bool] | None = None,
) -> Summary:  # fmt: skip
    """Summarise passages in reading order, of one document or of several.

    ``budget`` is how many tokens of them a model is given. ``on_event`` gets the text as it comes; a failing
    model is told in the warnings. Raises UsageError where there is no text.
    """
    tell = on_event or (lambda _event: None)
    units = _Sentences(evidence)
    if not units.all:
        raise UsageError("There is no text to summarise here.")
    phrases = phrases_for(title + "".join(item.text[:80] for item in evidence[:20]))
    warnings: list[str] = []
    if llm is not None:
        given = units.best_passages(title, budget)
        asked = _ASKED[phrases.language].format(title=title)
        try:
            messages = messages_for(asked, given, system_prompt=system_prompt)
            written = grounded.write(messages, llm, tell, cancelled)
            made = check(clean_reply(written.text), given, question=title, phrases=phrases)
            if made.text.strip():
                stopped = [phrases.stopped] if written.stopped else []
                return Summary(made.text, made.citations, "llm", [*made.warnings, *stopped])
            warnings.append(phrases.model_unusable)
        except ProviderError as error:
            warnings.append(phrases.model_failed.format(reason=error))
        tell(Discard(warnings[-1]))
    sources = Sources(evidence)
    text = ""
    for line in _quoted(units.best(title), evidence, sources):
        text += line
        tell(Token(line))
    return Summary(text.strip(), sources.citations, warnings=warnings)


def _quoted(places: Iterable[tuple[int, int, int]], evidence: Sequence[Evidence], sources: Sources) -> Iterator[str]:
    """Yield a line for each sentence, of several documents with the name of its own."""
    several = len({item.hit.document_id for item in evidence}) > 1
    for index, start, end in places:
        item = evidence[index]
        whose = f"{harmless(item.hit.document)}: " if several else ""
        told = quotable(item.text[start:end])
        if item.hit.role == "table":  # the cells of a row, which no reader takes for a sentence
            told = ", ".join(filter(None, map(str.strip, told.split("|"))))
        yield f"- {whose}{told} [{sources.add(index, start, end)}]\n"


@dataclass(eq=False)
class Summarizer:
    """Summaries of one library's documents. All methods may be called from any thread."""

    _storage: Storage
    _llm: Callable[[], Llm | None]
    _settings: Callable[[], Settings]

    def document(
        self, reference: str, *, version: int | None = None, section: str = "", node_ids: Sequence[str] = (),
        on_event: OnEvent | None = None,
    ) -> Summary:  # fmt: skip
        """Summarise a document (by id or name), the section with this title, or chosen nodes.

        Raises NotFoundError, UsageError; a failing model is told in the summary's warnings.
        """
        tree = self._storage.tree(self._storage.document(reference).document_id, version)
        return self.passages(*passages(tree, section=section, node_ids=node_ids), on_event=on_event)

    def documents(self, references: Sequence[str], *, title: str = "", on_event: OnEvent | None = None) -> Summary:
        """Summarise the current versions of up to MOST_DOCUMENTS documents (ids or names) together, each of them.

        ``title`` is what they have in common; "": their own titles. Raises NotFoundError, UsageError.
        """
        own, evidence = self.together(references)
        return self.passages(title or own, evidence, on_event=on_event)

    def together(self, references: Sequence[str], *, version: int | None = None) -> tuple[str, list[Evidence]]:
        """Return the titles and the passages to read of documents; of several the first ones of each.

        ``version`` None is the current one. Raises NotFoundError, UsageError for none or too many.
        """
        if not 1 <= len(references) <= MOST_DOCUMENTS:
            raise UsageError(f"Choose 1 to {MOST_DOCUMENTS} documents to summarise, not {len(references)}.")
        most = max(LEAST_PASSAGES, ALL_PASSAGES // len(references)) if len(references) > 1 else None
        titles: list[str] = []
        evidence: list[Evidence] = []
        for reference in references:
            own, found = passages(self._storage.tree(self._storage.document(reference).document_id, version))
            titles.append(own)
            evidence += found[:most]
        return ", ".join(dict.fromkeys(titles)), evidence

    def passages(
        self, title: str, evidence: Sequence[Evidence], *, on_event: OnEvent | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Summary:  # fmt: skip
        """Summarise passages in reading order, of one document or of several. Raises UsageError."""
        settings = self._settings()
        return summarize(
            title, evidence, llm=self._llm(), budget=settings.agent.tools.max_context_tokens,
            system_prompt=settings.llm.system_prompt, on_event=on_event, cancelled=cancelled,
        )  # fmt: skip


@dataclass(slots=True)
class _Placed(Sentence):
    """A sentence with its place: number of the passage, start, end."""

    place: tuple[int, int, int] = (0, 0, 0)


class _Sentences:
    """The sentences of passages."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._evidence = evidence
        self.all: list[_Placed] = []
        by_document = itertools.groupby(range(len(evidence)), key=lambda at: evidence[at].hit.document_id)
        for places in [list(group) for _, group in by_document]:
            read = len(self.all)
            self._read(places, prose=True)
            if len(self.all) == read:  # tables, and words too short for sentences, are all there is
                self._read(places, prose=False)
        self._idf = inverse_frequencies(self.all)

    def _read(self, places: Sequence[int], prose: bool) -> None:
        for index in places:
            item = self._evidence[index]
            if prose and (item.hit.role not in _PROSE or is_form(item.text)):
                continue
            for found in sentences_of(item.text, item.hit.role):
                shortest = LEAST_LETTERS if is_cjk(found.text) else 3 * LEAST_LETTERS
                if len(found.text) >= shortest or not prose:
                    place = index, found.start, found.end
                    self.all.append(_Placed(found.text, terms_of(found.text), place=place))

    def best(self, title: str) -> list[tuple[int, int, int]]:
        """Return the places of the best sentences, in reading order; of several documents some of each."""
        found = itertools.groupby(self._of_sections(A_SECTION), key=lambda one: self._section(one)[0])
        groups = [list(group) for _, group in found]  # by document
        k = max(1, SENTENCES // max(1, len(groups)))
        tokens = max(LEAST_TOKENS, TOKENS // max(1, len(groups)))
        several = len(groups) > 1  # what a document is about, its beginning says under its own title
        picked = [
            one
            for group in groups
            for one in self._chosen(
                group, self._own_title(group) or title if several else title, k, tokens,
                OBJECT_DECAY if several else SECTION_DECAY,
            )
        ]  # fmt: skip
        return [one.place for one in picked] or [self.all[0].place]

    def best_passages(self, title: str, budget: int) -> list[Evidence]:
        """Return the passages to read, in order: all where they fit, else those of the best sentences."""
        evidence = [replace(item, text=item.text[:PASSAGE_LETTERS]) for item in self._evidence]
        if sum(estimate_tokens(item.text) for item in evidence) <= budget:
            return evidence
        kept: set[int] = set()
        for sentence in sorted(self._of_sections(A_SECTION), key=lambda one: -one.worth):
            index = sentence.place[0]
            if index not in kept and estimate_tokens(evidence[index].text) <= budget:
                kept.add(index)
                budget -= estimate_tokens(evidence[index].text)
        return [evidence[index] for index in sorted(kept)]

    def _of_sections(self, k: int) -> list[_Placed]:
        """Return the best sentences of each section."""
        found: list[_Placed] = []
        for _, group in itertools.groupby(self.all, key=self._section):
            sentences = list(group)
            path = self._evidence[sentences[0].place[0]].hit.path
            found += self._chosen(sentences, path[-1] if path else "", k, SECTION_TOKENS)
        return found

    def _section(self, sentence: _Placed) -> tuple[str, ...]:
        hit = self._evidence[sentence.place[0]].hit
        return (hit.document_id, *hit.path)

    def _own_title(self, sentences: Sequence[_Placed]) -> str:
        """Return the title of a document: that of its first section."""
        paths = (self._evidence[one.place[0]].hit.path for one in sentences)
        return next((path[0] for path in paths if path), "")

    def _chosen(
        self, sentences: Sequence[_Placed], title: str, k: int, budget: int, decay: float = SECTION_DECAY
    ) -> list[_Placed]:
        found = chosen(sentences, title=title, k=k, budget=budget, idf=self._idf, decay=decay)
        return [one for one in found if isinstance(one, _Placed)]  # one that had to be cut stands nowhere


def _below(root: Node, tree: Tree) -> Iterable[Node]:
    """Yield a node and what is below it in reading order, without references and tables of contents."""
    children = children_of(tree.nodes)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node is not root and node.metadata.get("kind") in _BACK_MATTER:
            continue
        yield node
        waiting += reversed(children.get(node.node_id, []))
