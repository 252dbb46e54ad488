"""Pack found nodes into the evidence that an answer may use, within a budget of tokens."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from math import log

import networkx

from engine.config import RetrievalSettings
from engine.errors import NotFoundError
from engine.index.tokenize import query_terms
from engine.model import PROSE, Evidence, Filters, Hit, Node, SearchResult
from engine.providers.llm import estimate_tokens
from engine.retrieve.expand import children_in, found_in_graph, prose_in_graph
from engine.retrieve.snippet import READ_LETTERS, Passage, Sought
from engine.retrieve.tree_evidence import evidence_of
from engine.retrieve.window import SHORT_TABLE, WIDENED_HITS, beside, list_of, parents_for_children
from storage.base import Storage

# A single node never takes more than this share of the budget.
LARGEST_SHARE = 0.5
# A stretch of fewer tokens says nothing: what does not fit whole then stays out.
LEAST_TOKENS = 20
# So much is shown of a list too long to be shown whole: more of its rows tell no more of the question.
MOST_ROWS = 500
# Of a longer table so many rows are shown that hold nearly as much of the question as its best one, with those beside.
BEST_ROWS, NEARLY = 6, 0.6
# Where less than a tenth of the rows do, all of these, each with so many on either side.
FEW_ROWS, BESIDE_ROWS = 10, 2
# So many leaves stand for a section; for one that the question names by its label, more.
FIRST_LEAVES, NAMED_LEAVES = 2, 8
# So many tables are looked through for an item that a question names in full.
MORE_TABLES = 20
# What a document is about as a whole stands at its head: a discharge summary names its patient once, at the top, a
# contract its parties; "the patient's diagnosis" is answered further down. So many nodes and characters of it are read.
_HEAD_NODES, _HEAD_CHARACTERS = 4, 400
WIDENING = RetrievalSettings()
_SUMMARY_LETTERS = 200
_CARRIERS = ("paragraph", "list", "table", "image", "caption", "code", "equation")


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a question found, and the part of it that was packed for the answer.

    ``tables`` looks for more tables by a question, where an answer may stand in one that the others crowded out.
    """

    result: SearchResult
    evidence: list[Evidence]
    tables: Callable[[str], Sequence[Evidence]] = lambda question: ()


def retrieved(
    search: Callable[..., SearchResult], storage: Storage, query: str, filters: Filters, budget: int,
    widening: RetrievalSettings, search_tables: Callable[..., SearchResult] | None = None, beside: int = 0,
) -> Retrieved:  # fmt: skip
    """Search for a question and pack what was found; ``search`` is that of the library. Raises as it does.

    ``search_tables`` is one that costs less, for tables alone. ``beside`` tokens go with each text.
    """
    look = search_tables or search
    result = search(query, filters=filters)

    @cache  # an answer asks again whenever it has found more
    def tables(question: str) -> Sequence[Evidence]:
        if filters.roles:
            return ()
        only = replace(filters, roles=("table",))
        return pack(look(question, filters=only, top_k=MORE_TABLES).hits, storage, MORE_TABLES * budget)

    evidence = pack(result.hits, storage, budget, query, widening, beside)
    return Retrieved(result, evidence, tables)


def pack(
    hits: Sequence[Hit], storage: Storage, budget: int, question: str = "", widening: RetrievalSettings = WIDENING,
    beside: int = 0,
) -> list[Evidence]:  # fmt: skip
    """Return the hits' nodes with their texts, best first, until ``budget`` tokens are used, ``beside`` each text some.

    A section stands for its first leaves that were not found themselves, one that the question names for
    more of them. With the ``question`` a hit brings its neighbours where they make it answer better, and a section
    most of whose paragraphs were found comes whole, as ``widening`` says. A text longer than its
    share of the budget is cut to the stretch that holds most of the question, a table keeps its header; what
    remains still stands word for word in the node. What announces a list brings its items, an item what announces it.
    """
    terms = query_terms(question)
    packing = _Packing(budget, beside, Sought(terms) if terms else None)
    order = cache(partial(_reading_order, storage))
    first = reversed(hits[:WIDENED_HITS] if question else [])  # of those of a document the best one counts
    subjects = {(hit.document_id, hit.version): subject_of(hit, storage) for hit in first}
    places: dict[str, tuple[str, int]] = {}
    for hit, listed, nodes in _widened(hits, storage, question, packing.sought, widening):
        document = hit.document_id, hit.version
        places.update((one.node_id, (listed[0].node_id, n)) for n, one in enumerate(listed) if n)
        for node in nodes:
            packing.add(hit, node, subjects.get(document, ""), order(*document).get(node.node_id, 0))
        if packing.left <= 0:
            break
    return [
        replace(item, announced=places.get(item.hit.node_id), above=_summaries_above(item.hit, storage))
        for item in packing.packed
    ]


def _summaries_above(hit: Hit, storage: Storage) -> list[tuple[str, str]]:
    """Return titles and summaries of what a hit stands in, the outermost first (seed 003, 4.4.2).

    Those that a model wrote: others are sentences of the text, which would take a quarter of the room.
    """
    told: list[tuple[str, str]] = []
    found = found_in_graph(hit, storage)
    while found is not None and found[1].parent_id in found[0]:
        found = found[0], found[0].nodes[found[1].parent_id]["node"]
        if found[1].metadata.get("summary_method"):
            summary = " ".join(found[1].summary.split())
            cut = f"{summary[: _SUMMARY_LETTERS - 1]}…" if len(summary) > _SUMMARY_LETTERS else summary
            told.insert(0, (found[1].title, cut))
    return told


class _Packing:
    """Evidence within a budget of tokens, as it is packed; each text goes in once."""

    def __init__(self, budget: int, beside: int, sought: Sought | None) -> None:
        self.packed: list[Evidence] = []
        self.left = budget
        self.sought = sought
        self._largest, self._beside = budget * LARGEST_SHARE, beside
        self._rows = Counter[tuple[str | int, ...]]()
        self._told: set[tuple[str | int, ...]] = set()

    def add(self, hit: Hit, node: Node, subject: str, position: int) -> None:
        """Pack a node that a hit brought, or what of its text fits."""
        document = hit.document_id, hit.version
        room, least = int(min(self.left, self._largest)), LEAST_TOKENS if self.packed else 1
        brought = hit.role in PROSE and len(node.text) > SHORT_TABLE
        if node.role == "table" and (brought or estimate_tokens(node.text) > room):
            room = min(room, MOST_ROWS - self._rows[(*document, *hit.path)])
        text = _cut(node, room, self.sought, least)
        if not text or (*document, text) in self._told:  # notes on many cells, or feet of slides, say the same
            return
        self._told.add((*document, text))
        self.left -= estimate_tokens(text) + self._beside
        self._rows[(*document, *hit.path)] += estimate_tokens(text) if len(text) < len(node.text) else 0
        if hit.node_id != node.node_id:
            hit = replace(hit, node_id=node.node_id, role=node.role, page=node.page, bbox=node.bbox)
        self.packed.append(evidence_of(hit, node, text, subject, position))


def _widened(
    hits: Sequence[Hit], storage: Storage, question: str, sought: Sought | None, widening: RetrievalSettings
) -> Iterator[tuple[Hit, list[Node], list[Node]]]:
    """Yield each hit with its list (see ``list_of``) and its nodes with what stands around them, each node once."""
    seen = {hit.node_id for hit in hits if hit.role not in ("section", "document")}
    if not question:
        yield from ((hit, [], _nodes_of(hit, storage, seen)) for hit in hits)
        return
    whole = parents_for_children(hits, storage, widening.parent_size)
    items: set[str] = set()
    for place, hit in enumerate(hits):
        nodes = _nodes_of(hit, storage, seen)
        placed = prose_in_graph(hit, storage)
        listed = _list_of(hit, placed, place < WIDENED_HITS)
        items.update(one.node_id for one in listed[1:])
        near = listed if hit.node_id not in items else listed[:1]
        if placed and place < WIDENED_HITS:
            near = [*whole.get(hit.node_id, ()), *near, *beside(*placed, hit.path, sought, widening.window)]
        yield hit, listed, [*nodes, *_new(near, seen)]


def _list_of(hit: Hit, placed: tuple[networkx.DiGraph, Node] | None, first: bool) -> list[Node]:
    """Return the list that a hit announces or, if it is one of the ``first``, is an item of."""
    listed = list_of(*placed) if placed else []
    return listed if first or (listed and listed[0].node_id == hit.node_id) else []


def _new(nodes: Sequence[Node], seen: set[str]) -> Iterator[Node]:
    for node in nodes:
        if node.node_id not in seen:
            seen.add(node.node_id)
            yield node


def _nodes_of(hit: Hit, storage: Storage, seen: set[str]) -> list[Node]:
    """The node of a hit, of a caption with its table; or the first leaves of a section, whose leaves count as seen."""
    if hit.role not in ("section", "document"):
        node = storage.find_node(hit.node_id, hit.version).node
        named = (
            storage.find_node(node.parent_id, hit.version).node if node.role == "caption" and node.parent_id else node
        )
        return [node, *_new([named] if named.role == "table" else [], seen)]
    below = children_in(storage.graph(hit.document_id, hit.version), hit.node_id)
    leaves = _new([node for node in below if node.role in _CARRIERS and node.text], seen)
    most = NAMED_LEAVES if any(reason.startswith("labels:") for reason in hit.why) else FIRST_LEAVES
    return list(leaves)[:most]


def _reading_order(storage: Storage, document_id: str, version: int) -> dict[str, int]:
    try:
        return {node_id: place for place, node_id in enumerate(storage.graph(document_id, version))}
    except NotFoundError:  # without a graph what was found is told in the order of its ranks
        return {}


def _cut(node: Node, budget: int, sought: Sought | None, least: int) -> str:
    """The node's text, or what of it fits: a table's header and best rows, the best of a text; none below ``least``."""
    text = node.text
    if estimate_tokens(text) <= budget:
        return text
    if budget < least:
        return ""
    if sought and node.role == "table":
        return cut_table(node, budget, sought)
    return Passage(text, "", sought).snippet(_letters(text, budget)) if sought else beginning(text, budget)


def beginning(text: str, budget: int) -> str:
    """Return what of a text fits in so many tokens, to the end of a line or sentence where one is not far."""
    kept = text[: _letters(text, budget)]
    ends = [kept.rfind(mark) for mark in ("\n", "。", ". ", "；", "; ")]
    return kept[: max(ends) + 1] if len(kept) < len(text) and max(ends) > len(kept) // 2 else kept


def cut_table(node: Node, budget: int, sought: Sought) -> str:
    """Return a table's header and under it, as one text, the rows that hold most of the question and some beside them.

    What few rows hold tells them apart: a name counts more than a word of the header or of a note.
    """
    lines = node.text[:READ_LETTERS].splitlines()
    header = header_line(node)
    header = header if 4 * estimate_tokens(header) < budget else ""
    first, room = (lines.index(header) + 1 if header else 0), budget - estimate_tokens(header)
    kept: list[int] = []
    for place in _by_worth(lines, first, sought):
        if (room := room - estimate_tokens(lines[place])) < 0:
            break
        kept.append(place)
    return "\n".join(filter(None, [header, *(lines[place] for place in sorted(kept))])) if kept else ""


def _by_worth(lines: Sequence[str], first: int, sought: Sought) -> list[int]:
    """The lines from ``first`` on: those that hold nearly as much of the question as the best, then those near them.

    Where few lines do, they all come, and only those right beside them: the room may be needed for another part.
    """
    worth = _worth(lines, sought)
    order = sorted(range(first, len(lines)), key=lambda i: (-worth[i], i))
    chosen = [i for i in order if worth[i] >= NEARLY * worth[order[0]]]
    telling = len(chosen) * FEW_ROWS <= len(lines)
    chosen = chosen if telling else chosen[:BEST_ROWS]
    apart = {i: min(abs(i - one) for one in chosen) for i in set(order) - set(chosen)}
    return [*chosen, *sorted((i for i in apart if not telling or apart[i] <= BESIDE_ROWS), key=lambda i: (apart[i], i))]


def _worth(lines: Sequence[str], sought: Sought) -> list[float]:
    """Return how much of a question each line holds; what few lines hold counts more."""
    held = [sought.held_by(line) for line in lines]
    rows = Counter(chain.from_iterable(held))
    return [sum(sought.weight(term) * log(1 + len(lines) / rows[term]) for term in one) for one in held]


def header_line(node: Node) -> str:
    """Return the line of a table's text that names its columns: the last one of its header, "" where it has none."""
    rows = int(node.metadata.get("header_rows") or 0)
    return "".join(node.text.split("\n", rows)[:rows][-1:])


def _letters(text: str, budget: int) -> int:
    """How many letters of a text are worth so many tokens."""
    letters = max(budget, 1)
    while letters < len(text) and estimate_tokens(text[: letters + 50]) <= budget:
        letters += 50
    return letters


def subject_of(hit: Hit, storage: Storage) -> str:
    """Return the title of a hit's document and the text before its first section; "" where the document is gone."""
    found = found_in_graph(hit, storage)
    if found is None:
        return ""
    graph, node = found
    while node.parent_id in graph:
        node = graph.nodes[node.parent_id]["node"]
    texts = [node.title, *_head(graph, node)]
    return "\n".join(text for text in texts if text)[:_HEAD_CHARACTERS]


def _head(graph: networkx.DiGraph, root: Node) -> list[str]:
    """Return the texts before the first section, or in the one that is the whole document before the next.

    Where no section follows they are the text itself.
    """
    first = children_in(graph, root.node_id)[:_HEAD_NODES]
    titles = []
    if [one.role for one in first].count("section") == 1 and first[0].role == "section":
        titles = [first[0].title]
        first = children_in(graph, first[0].node_id)[:_HEAD_NODES]
    at = next((i for i, one in enumerate(first) if one.role == "section"), 0)
    return [*titles, *(one.text for one in first[:at] if one.role in PROSE)]
