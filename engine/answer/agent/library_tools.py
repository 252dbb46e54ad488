"""The library as tools (seed 003, 6.2.2 and 6.2.4): three searches, and a node, a section or a document to be read."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate

from engine.answer.agent.tools import Desk, Tool, ToolResult, told_tool
from engine.answer.agent.web import without_brackets
from engine.answer.phrases import ENGLISH, Phrases
from engine.errors import NotFoundError, UsageError
from engine.index.tokenize import query_terms, tokens
from engine.model import Evidence, Hit, Node, Tree
from engine.providers.llm import estimate_tokens
from engine.retrieve.keyword import pattern, whole_words
from engine.retrieve.tree_evidence import evidence_of
from storage.base import StoredNode

Found = tuple[Hit, StoredNode]
_NEAR = 8
_BEARERS = 50
_A_KEYWORD = 3
# A full look at every text is dear; only so many keywords get one when the index finds none.
_LOOKED_UP = 4
_SNIPPET = 240
_MOST = 50
_MOST_RELATED = 5
_LINE = 160
# What a keyword inside a heading is worth beside one that is most of it.
_INSIDE = 0.4


def library_tools(desk: Desk, phrases: Phrases = ENGLISH.tools) -> list[Tool]:
    """Return the tools that search the library and read in it."""
    shelf, top = _Shelf(desk, phrases), desk.settings.agent.tools.search_top_k
    near = min(20, desk.settings.search.semantic.top_k)
    return [
        told_tool("keyword_search", shelf.keyword_search),
        told_tool("fulltext_search", partial(shelf.search, "fulltext"), top_k=top),
        told_tool("semantic_search", partial(shelf.search, "semantic"), top_k=near),
        told_tool("get_node_content", shelf.node_content),
        told_tool("get_section_children", shelf.section_children),
        told_tool("get_document_structure", shelf.document_structure),
        told_tool("get_relations", shelf.relations),
        told_tool("get_related_documents", shelf.related_documents),
    ]


class _Shelf:
    """What the tools do over a desk; each raises what the desk raises."""

    def __init__(self, desk: Desk, phrases: Phrases) -> None:
        self._desk, self._phrases = desk, phrases

    def search(self, mode: str, query: str, top_k: int) -> ToolResult:
        """Return what a search finds."""
        result = self._desk.search(query, mode=mode, top_k=top_k)
        return self._told([(hit, self._desk.node(hit.node_id)) for hit in result.hits])

    def keyword_search(self, keywords: list[str], mode: str, case_sensitive: bool, top_k: int) -> ToolResult:
        """Return the passages that are titled by, or hold, each of the keywords, with the lines. Raises UsageError."""
        wanted = list(dict.fromkeys(filter(None, map(str.strip, keywords))))
        if not wanted:
            raise UsageError(self._phrases.keywords_empty)
        settings = self._desk.settings.search.keyword.model_copy(update={"case_sensitive": case_sensitive})
        found: dict[str, Found] = {}
        silent: list[str] = []
        told: list[str] = []
        held: set[int] = set()
        for word in wanted:
            count = (pattern if mode == "regex" else whole_words)(word, settings)
            stored = self._bearers(word, mode, count, few=len(wanted) <= _LOOKED_UP)
            silent += [] if stored else [word]
            held.update(one.key for one in stored)
            first = stored[: max(_A_KEYWORD, top_k // len(wanted))]
            for one in first:
                found.setdefault(one.node.node_id, (hit_of(one, word), one))
            lines = ", ".join(f"{one.node.node_id}:{_line_of(one, count)}" for one in first)
            many = f"{len(stored)}{'+' * (len(stored) >= _BEARERS)}"
            if first:
                told.append(self._phrases.bearers.format(word=word, shown=len(first), count=many, lines=lines))
        result = self._told(list(found.values())[:_MOST], held=len(held))
        told += [self._phrases.not_found.format(words=", ".join(silent))] if 0 < len(silent) <= _LOOKED_UP else []
        return replace(result, text="\n".join(filter(None, [result.text, *told])))

    def _bearers(self, word: str, mode: str, count: Callable[[str], int], few: bool) -> list[StoredNode]:
        """Return the nodes titled by a keyword, then those that hold it, told by the sparse view, else by all texts."""
        desk, best = self._desk, self._indexed(word, mode, count) if mode != "regex" else []
        if best or mode == "fuzzy" or (mode == "exact" and not few):
            # Of each section one comes first: many documents have a heading like it.
            first = {(one.document_id, *one.path): one.key for one in reversed(best)}.values()
            return sorted(best, key=lambda one: one.key not in first)
        keys = desk.snapshot.keyword_search(lambda text: count(text) > 0, _BEARERS, desk.scope)
        return desk.snapshot.nodes(keys)

    def _indexed(self, word: str, mode: str, count: Callable[[str], int]) -> list[StoredNode]:
        snapshot, most = self._desk.snapshot, _BEARERS if mode == "exact" else _NEAR
        hits = snapshot.sparse_search(query_terms(word), most, self._desk.scope)
        nodes = snapshot.nodes([hit.key for hit in hits])
        titled = {one.key: _titled(one, word, count) for one in nodes}
        held = (one for one in nodes if mode == "fuzzy" or titled[one.key] or count(one.node.text))
        return sorted(held, key=lambda one: -titled[one.key])

    def _told(self, found: Sequence[Found], held: int = 0) -> ToolResult:
        """Return what was found: where by name only, of so many passages that are ``held``."""
        if not found:
            return ToolResult("0", self._phrases.nothing_found, "empty")
        best, documents = found[0][0], {hit.document_id for hit, _ in found}
        many = self._phrases.found_of.format(shown=len(found), count=held) if held else len(found)
        summary = f"{many} / {len(documents)}: {' > '.join([best.document, *best.path])}"
        return ToolResult(summary, hits=list(found), worth=None if held else 0.8)

    def node_content(self, node_id: str) -> ToolResult:
        """Return a node with its whole text and what the sections above it are about; of a section, its children.

        Raises NotFoundError.
        """
        stored = self._desk.node(node_id)
        if not stored.node.text:
            return self.section_children(node_id)
        graph = self._desk.storage.graph(stored.document_id, stored.version)
        above, lines = stored.node.parent_id, list[str]()
        while above:
            node = graph.nodes[above]["node"]
            lines.insert(0, "  " * node.depth + _with_summary(node))
            above = node.parent_id
        whole = opened(stored)
        return ToolResult(_place(stored), "\n".join(lines), hits=[(whole.hit, stored)], opened=[whole])

    def section_children(self, node_id: str) -> ToolResult:
        """Return what a section, or the one that a leaf belongs to, holds: its headings, and the texts under them.

        The texts are as many as there is room for. Raises NotFoundError.
        """
        stored = self._desk.node(node_id)
        below = self._below(stored)
        if not below:
            return ToolResult("0", self._phrases.no_children, "empty")
        texts = [node for node in below if node.text]
        most = max(1, _fitting((node.text for node in texts), self._desk.budget))
        shown = [self._desk.node(node.node_id) for node in texts[:most]]
        lines = self._outline([node for node in below if node.role == "section"])
        if rest := len(texts) - len(shown):
            lines.append(self._phrases.more_children.format(count=rest))
        return ToolResult(
            f"{len(below)}: {_place(stored)}", "\n".join(lines),
            hits=[(hit_of(one, "child"), one) for one in shown], opened=[*map(opened, shown)],
        )  # fmt: skip

    def _outline(self, sections: Sequence[Node]) -> list[str]:
        """Return headings, indented, as there is room: with what each is about, else alone, else the upper ones."""
        depths = sorted({node.depth for node in sections}, reverse=True)
        lines, fitting = list[str](), 0
        for depth, told in zip([*depths[:1], *depths], [_with_summary, *[_heading] * len(depths)], strict=False):
            lines = ["  " * (one.depth - depths[-1]) + told(one) for one in sections if one.depth <= depth]
            if (fitting := _fitting(lines, self._desk.budget)) == len(lines):
                break
        rest = len(sections) - fitting
        return [*lines[:fitting], *([self._phrases.more_sections.format(count=rest)] if rest else [])]

    def _tree(self, reference: str) -> Tree:
        """Return the document with an id or a name, or the one that a node with this id is in. Raises NotFoundError."""
        storage, found = self._desk.storage, node_of(self._desk, reference)
        document = storage.document(found.document_id if found else reference)
        tree = storage.tree(document.document_id, self._desk.filters.version)
        self._desk.node(tree.nodes[0].node_id)  # inside the filters
        return tree

    def _below(self, stored: StoredNode) -> list[Node]:
        """Return all nodes below a section, or below the one that a leaf belongs to, in reading order."""
        above = stored.node.parent_id if stored.node.text else None
        inside, below = {above or stored.node.node_id}, list[Node]()
        for node in self._desk.storage.tree(stored.document_id, stored.version).nodes:
            if node.parent_id in inside:
                inside.add(node.node_id)
                below.append(node)
        return below

    def document_structure(self, document_id: str) -> ToolResult:
        """Return the headings of a document, indented, with node ids. Raises NotFoundError."""
        tree = self._tree(document_id)
        sections = [node for node in tree.nodes if node.role == "section"]
        if not sections:
            return ToolResult("0", self._phrases.no_headings.format(name=tree.name), "empty")
        return ToolResult(f"{tree.name}: {len(sections)}", "\n".join(self._outline(sections)))

    def related_documents(self, document_id: str) -> ToolResult:
        """Return the documents that the library's graph joins to one, with what joins them. Raises NotFoundError."""
        tree = self._tree(document_id)
        names = {one.document_id: one.name for one in self._desk.storage.documents_within(self._desk.filters)}
        found = [(one, why) for one, why in self._desk.related(tree.document_id) if one in names][:_MOST_RELATED]
        if not found:
            return ToolResult("0", self._phrases.no_relatives, "empty")
        lines = [f"{names[one]} (document {one}, {why})" for one, why in found]
        return ToolResult(", ".join(names[one] for one, _ in found), "\n".join(lines))

    def relations(self, entity: str) -> ToolResult:
        """Return what stands beside a name in tables and forms, with the nodes that say so."""
        said = self._desk.said_of(entity)[:_MOST]
        if not said:
            return ToolResult("0", self._phrases.nothing_found, "empty")
        lines = [f"[{one.node_id}] {one.subject or one.document}: {one.label}: {one.value}" for one in said]
        nodes = [self._desk.node(one) for one in dict.fromkeys(one.node_id for one in said)][:_NEAR]
        return ToolResult(
            f"{len(said)}: {entity}", "\n".join(lines), hits=[(hit_of(one, entity), one) for one in nodes], worth=None
        )


def hit_of(stored: StoredNode, why: str) -> Hit:
    """Return a node that was found by name or by browsing as a hit; a section is meant with what it holds."""
    node = stored.node
    kind = "keyword" if node.text else "labels"
    snippet = " ".join((node.text or node.title).split())[:_SNIPPET]
    return Hit(
        node.node_id, stored.document_id, stored.document, stored.version, node.role, 0.0, 0, node.page,
        node.bbox, stored.path, snippet, why=[f"{kind}:{why}"],
    )  # fmt: skip


def _titled(stored: StoredNode, word: str, count: Callable[[str], int]) -> float:
    """Return how far a keyword titles a node: by most words of a title above it or its own, else inside one."""
    headings, terms = [stored.node.title, *stored.path[-1:]], _title_terms(word)
    titles = map(_title_terms, (stored.document.rsplit(".", 1)[0], *headings))
    best = max(len(terms & own) / max(1, len(terms | own)) for own in titles)  # Jaccard, 1901
    return best if best >= 0.5 else _INSIDE * any(map(count, headings))


def _title_terms(title: str) -> frozenset[str]:
    return frozenset(tokens(without_brackets(title)))


def _line_of(stored: StoredNode, count: Callable[[str], int]) -> int:
    """Return the line (from 1) of a node's text that holds a keyword first, 0 for its title."""
    return next((n for n, line in enumerate(stored.node.text.split("\n"), 1) if count(line)), 0)


def opened(stored: StoredNode) -> Evidence:
    """Return a node with its whole text as evidence."""
    return evidence_of(hit_of(stored, "opened"), stored.node, stored.node.text)


def node_of(desk: Desk, node_id: str) -> StoredNode | None:
    """Return a node, None when there is none inside the filters."""
    with suppress(NotFoundError):
        return desk.node(node_id)
    return None


def texts_of(desk: Desk, node_ids: Iterable[str]) -> list[Evidence]:
    """Return nodes with their whole texts; left out are those without one, and those outside the filters."""
    nodes = [node_of(desk, node_id) for node_id in node_ids]
    return [opened(one) for one in nodes if one is not None and one.node.text]


def _fitting(texts: Iterable[str], budget: int) -> int:
    """Return how many of the first texts take so many tokens."""
    return sum(used <= budget for used in accumulate(map(estimate_tokens, texts)))


def _with_summary(node: Node) -> str:
    return " — ".join(filter(None, (_heading(node), " ".join(node.summary.split())[:_LINE])))


def _heading(node: Node) -> str:
    return f"[{node.node_id}] {node.title}"


def _place(stored: StoredNode) -> str:
    page = f", p. {stored.node.page}" if stored.node.page else ""
    return " > ".join([stored.document, *stored.path]) + page
