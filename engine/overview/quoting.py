"""Quotations, word for word: of a place, of the head of a document, of what mentions a word."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from engine.answer.check.locate import narrow, sentences_of
from engine.answer.check.marks import harmless
from engine.answer.events import OnEvent, Token
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.answer.tables.cite import cite_cell
from engine.answer.understand.terms import content_terms
from engine.enrich.cell_places import CellRef
from engine.errors import UsageError
from engine.model import Answer, Evidence, Filters, Hit, Node, SearchResult, TraceStep, Tree
from engine.overview.places import Place
from engine.retrieve.pack import pack
from engine.retrieve.sources import Sources
from engine.retrieve.tree_evidence import TreeEvidence
from storage.base import Storage

# So many leaves of each document are quoted, and so many lines of a list or table.
MOST_LEAVES, MOST_LINES = 40, 12
# The head of a document is so many short texts.
MOST_HEAD, LONGEST_HEAD = 5, 400
_PROSE = ("paragraph", "list", "caption")
# Below these lines of a mail its text begins.
_FIELDS = re.compile(r"(?:From|To|Date): ")
# So many passages that mention a word are counted, documents with them listed and documents quoted from.
MOST_COUNTED, MOST_LISTED, MOST_QUOTED = 1000, 30, 12
_BUDGET = 1500
# Searches the library.
Search = Callable[..., SearchResult]


def quote_place(place: Place, found: Sequence[tuple[Tree, Sequence[Node]]], phrases: Phrases, tell: OnEvent) -> Answer:
    """Quote what stands at a place in some documents, each under its name where there are several."""
    found = [(tree, nodes[:MOST_LEAVES]) for tree, nodes in found]
    evidence = evidence_of(found)
    sources = Sources(evidence)
    lines, index = [phrases.quoted_words], 0
    for tree, nodes in found:
        lines += ["", *([f"{harmless(tree.name)}:", ""] if len(found) > 1 else [])]
        for node in nodes:
            lines += _lines(place, node, sources, evidence[index], index, phrases)
            index += 1
    names = [tree.name for tree, _ in found]
    said = phrases.step_place.format(label=place.printed, names=", ".join(names))
    return told(lines, _read(said, documents=names), sources, tell)


def quote_head(tree: Tree, phrases: Phrases, tell: OnEvent) -> Answer | None:
    """Quote the head of a document; None where it begins with something else."""
    head = head_of(tree)
    if not head:
        return None
    sources = Sources(head)
    lines = [phrases.at_the_head.format(name=harmless(tree.name)), ""]
    for index, item in enumerate(head):
        lines.append(f"- {quotable(item.text or item.title, item.hit.role)} [{sources.add(index, 0, len(item.text))}]")
    step = _read(phrases.step_head.format(name=tree.name), document=tree.name)
    return told(lines, step, sources, tell)


def _read(said: str, **what: object) -> TraceStep:
    return TraceStep(0, "action", said, "get_node_content", what)


def head_of(tree: Tree) -> list[Evidence]:
    """Return the nodes at the head of a document as evidence; none where it begins with something else."""
    make = TreeEvidence(tree)
    head: list[Evidence] = []
    for node in tree.nodes[1:]:
        # A mail's subject is its first section's title; a second section begins the text.
        if node.role == "section" and head and not node.metadata.get("generated"):
            break
        if node.title or (node.role in _PROSE and 0 < len(node.text) <= LONGEST_HEAD):
            head.append(make.of(node))
        if len(head) == MOST_HEAD or _FIELDS.match(node.text):
            break
    return head


def evidence_of(found: Sequence[tuple[Tree, Sequence[Node]]]) -> list[Evidence]:
    """Return nodes of some documents as evidence."""
    return [item for tree, nodes in found for item in map(TreeEvidence(tree).of, nodes)]


def told(lines: Sequence[str], step: TraceStep, sources: Sources, tell: OnEvent) -> Answer:
    """Return lines as an answer that one step found, both told to whoever listens."""
    text = "\n".join(lines)
    tell(step)
    tell(Token(text))
    return Answer(text, "direct", "high", True, sources.citations, reasoning_steps=1, reasoning_trace=[step])


def _lines(place: Place, node: Node, sources: Sources, item: Evidence, index: int, phrases: Phrases) -> list[str]:
    """Return the lines of an answer for one node: its cells, its title, or its text, line by line where it has rows."""
    if cells := place.cells(node):
        return list(_cell_lines(cells, item, sources))
    if not item.text:
        return [f"- {quotable(item.title)} [{sources.add(index, 0, 0)}]"] if item.title else []
    stretches = [(0, len(item.text))]
    if item.hit.role in ("list", "table", "image"):
        stretches = [match.span() for match in re.finditer(r"\S[^\n]*", item.text)]
    lines = [
        f"- {quotable(item.text[start:end])} [{sources.add(index, start, end)}]"
        for start, end in stretches[:MOST_LINES]
    ]
    if len(stretches) > MOST_LINES:
        lines.append(phrases.more_lines.format(count=len(stretches) - MOST_LINES))
    return lines


def _cell_lines(cells: Sequence[CellRef], item: Evidence, sources: Sources) -> Iterator[str]:
    for cell in cells:
        if (citation := cite_cell(cell, item)) is not None:
            headers = ", ".join(filter(None, (cell.row_header, cell.column_header)))
            yield f"- {cell.address} ({headers}): {cell.text} [{sources.add_cell(citation)}]"


def mentioning(
    term: str, storage: Storage, search: Search, filters: Filters, phrases: Phrases, tell: OnEvent
) -> Answer | None:
    """Return which documents within filters hold a term, with a quotation from each; None where none does."""
    pattern, hits = _as_a_word(term), list[Hit]()
    with suppress(UsageError):
        if content_terms(term):
            hits = search(pattern, mode="keyword", regex=True, filters=filters, top_k=MOST_COUNTED).hits
    if not hits:
        return None
    counts = Counter(hit.document_id for hit in hits)
    told_best = sorted(hits, key=lambda hit: hit.role != "paragraph")
    first = {hit.document_id: hit for hit in reversed(told_best)}
    order = sorted(counts, key=lambda key: (-counts[key], first[key].document))
    evidence = [item for key in order[:MOST_QUOTED] for item in pack([first[key]], storage, _BUDGET)[:1]]
    sources, quotations = Sources(evidence), dict[str, str]()
    for index, item in enumerate(evidence):
        quotations[item.hit.document_id] = ": " + _quotation(pattern, term, index, item, sources)
    lines = [
        f"- {harmless(first[key].document)} ({phrases.passages.format(count=counts[key])}){quotations.get(key, '')}"
        for key in order
    ]
    searched = len(storage.documents_within(filters))
    lead = phrases.mentioning.format(count=len(counts), total=searched, term=harmless(term))
    step = TraceStep(0, "action", phrases.step_search.format(query=term), "keyword_search", {"keywords": [term]}, lead)
    return told([lead, "", *listed(lines, phrases)], step, sources, tell)


def listed(lines: Sequence[str], phrases: Phrases) -> Sequence[str]:
    """Return the first of some lines, and how many more there are."""
    more = len(lines) - MOST_LISTED
    return [*lines[:MOST_LISTED], phrases.and_more.format(count=more)] if more > 0 else lines


def _as_a_word(term: str) -> str:
    """Return the pattern of a term that is no part of a longer word; Chinese has no edges of words."""
    pattern = r"\s+".join(re.escape(word) for word in term.split())
    left = r"(?<![A-Za-z0-9])" if re.match(r"[A-Za-z0-9]", term) else ""
    right = r"(?![A-Za-z0-9])" if re.search(r"[A-Za-z0-9]$", term) else ""
    return left + pattern + right


def _quotation(pattern: str, term: str, index: int, item: Evidence, sources: Sources) -> str:
    match = re.search(pattern, item.text, re.IGNORECASE)
    at = match.start() if match else 0
    sentences = sentences_of(item.text, item.hit.role)
    found = next((one for one in sentences if one.start <= at < one.end), sentences[0] if sentences else None)
    if found is None:
        return f"[{sources.add(index, 0, 0)}]"
    start, end = narrow(found.start, found.end, item.text, content_terms(term))
    return f"{quotable(item.text[start:end])} [{sources.add(index, start, end)}]"
