"""Pack found nodes into the evidence that an answer may use, within a budget of tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from engine.index.tokenize import query_terms
from engine.model import Evidence, Filters, Hit, Node, SearchResult
from engine.retrieve.announced import list_of
from engine.retrieve.snippet import Passage, Sought
from engine.retrieve.subject import subject_of
from engine.retrieve.window import WIDENED_HITS, around, form_of, parents_for_children
from storage.base import Storage, StoredNode

LATIN_LETTERS_A_TOKEN = 4
# A single node never takes more than this share of the budget.
LARGEST_SHARE = 0.5
# A stretch of fewer tokens says nothing: what does not fit whole then stays out.
LEAST_TOKENS = 20
# So much is shown of a list too long to be shown whole: more of its rows tell no more of the question.
MOST_ROWS = 500
# So many leaves stand for a section; for one that the question names by its label, more.
FIRST_LEAVES, NAMED_LEAVES = 2, 8
# So many tables are looked through for an item that a question names in full.
MORE_TABLES = 20
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
    search: Callable[..., SearchResult],
    storage: Storage,
    query: str,
    filters: Filters,
    budget: int,
    window: int,
) -> Retrieved:
    """Search for a question and pack what was found; ``search`` is that of the library. Raises as it does."""
    result = search(query, filters=filters)

    @cache  # an answer asks again whenever it has found more
    def tables(question: str) -> Sequence[Evidence]:
        if filters.roles:
            return ()
        only = replace(filters, roles=("table",))
        return pack(search(question, filters=only, top_k=MORE_TABLES).hits, storage, MORE_TABLES * budget)

    return Retrieved(result, pack(result.hits, storage, budget, query, window), tables)


def pack(
    hits: Sequence[Hit], storage: Storage, budget: int, question: str = "", window: int = 1
) -> list[Evidence]:
    """Return the hits' nodes with their texts, best first, until ``budget`` tokens are used.

    A section stands for its first leaves that were not found themselves, one that the question names for
    more of them. With the ``question`` a hit brings its neighbours, up to ``window`` on either side, where they
    make it answer better, and a section most of whose paragraphs were found comes whole. A text longer than its
    share of the budget is cut to the stretch that holds most of the question, a table keeps its header; what
    remains still stands word for word in the node. What announces a list brings its items, an item what announces it.
    """
    terms = dict(query_terms(question))
    sought = Sought(terms) if terms else None
    packed: list[Evidence] = []
    seen = {hit.node_id for hit in hits if hit.role not in ("section", "document")}
    whole = parents_for_children(hits, storage) if question else {}
    places: dict[str, tuple[str, int]] = {}
    subjects: dict[tuple[str, int], str] = {}
    rows = Counter[tuple[str | int, ...]]()
    left = budget
    for place, hit in enumerate(hits):
        nodes = [stored.node for stored in _nodes_of(hit, storage, seen)]
        document = hit.document_id, hit.version
        if question and place < WIDENED_HITS:
            if document not in subjects:
                subjects[document] = subject_of(hit, storage)
            listed = list_of(hit, storage)
            places.update((one.node_id, (listed[0].node_id, n)) for n, one in enumerate(listed) if n)
            brought = listed if hit.node_id not in places else listed[:1]
            beside = [
                *whole.get(hit.node_id, ()),
                *(around(hit, storage, sought, window) if sought else ()),
                *brought,
                *form_of(hit, storage),
            ]
            nodes += _new(beside, seen)
        for node in nodes:
            room, least = int(min(left, budget * LARGEST_SHARE)), LEAST_TOKENS if packed else 1
            if node.role == "table" and tokens_of(node.text) > room:
                room = min(room, MOST_ROWS - rows[(*document, *hit.path)])
            for text in _cut(node, room, sought, least):
                left -= tokens_of(text)
                rows[(*document, *hit.path)] += tokens_of(text) if len(text) < len(node.text) else 0
                spans = list(node.metadata.get("spans") or [])
                table = node if node.role == "table" else None
                packed.append(Evidence(
                    _placed(hit, node), text, node.title, node.cell, spans, table, None, subjects.get(document, "")
                ))  # fmt: skip
        if left <= 0:
            break
    return [replace(item, announced=places.get(item.hit.node_id)) for item in packed]


def _new(nodes: Sequence[Node], seen: set[str]) -> Iterator[Node]:
    for node in nodes:
        if node.node_id not in seen:
            seen.add(node.node_id)
            yield node


def tokens_of(text: str) -> int:
    """Estimate a text's tokens: a Chinese character is about one, four Latin letters are one."""
    wide = sum(character >= "\u2e80" for character in text)
    return wide + (len(text) - wide) // LATIN_LETTERS_A_TOKEN + 1


def _nodes_of(hit: Hit, storage: Storage, seen: set[str]) -> list[StoredNode]:
    found = storage.find_node(hit.node_id, hit.version)
    if hit.role not in ("section", "document"):
        return [found]
    graph = storage.graph(hit.document_id, hit.version)
    most = NAMED_LEAVES if any(reason.startswith("labels:") for reason in hit.why) else FIRST_LEAVES
    leaves: list[StoredNode] = []
    for _, child, kind in graph.out_edges(hit.node_id, data="kind"):
        node = graph.nodes[child]["node"]
        if kind == "child" and node.role in _CARRIERS and node.text and child not in seen:
            seen.add(child)
            leaves.append(storage.find_node(child, hit.version))
    return leaves[:most]


def _placed(hit: Hit, node: Node) -> Hit:
    if hit.node_id == node.node_id:
        return hit
    return replace(hit, node_id=node.node_id, role=node.role, page=node.page, bbox=node.bbox)


def _cut(node: Node, budget: int, sought: Sought | None, least: int) -> list[str]:
    """The node's text, or the stretches of it that fit: a table's header and its best rows, the best of a text.

    Nothing is cut to fewer than ``least`` tokens.
    """
    text = node.text
    if not text or budget <= 0:
        return []
    if tokens_of(text) <= budget:
        return [text]
    if budget < least:
        return []
    header = _header(node, budget)
    letters = _letters(text, budget - tokens_of(header))
    if sought:
        best = Passage(text[len(header) :], "", sought).snippet(letters).strip("\n")
        if node.role == "table" and not (best := _whole_rows(best, text)):
            return []  # a header without rows
        return [part for part in (header.strip("\n"), best) if part]
    kept = text[: _letters(text, budget)]
    ends = [kept.rfind(mark) for mark in ("\n", "。", ". ", "；", "; ")]
    return [kept[: max(ends) + 1] if max(ends) > len(kept) // 2 else kept]


def _whole_rows(stretch: str, text: str) -> str:
    """Return a stretch of a table's text without what begins or ends inside of a row."""
    lines, at = stretch.splitlines(), text.find(stretch)
    whole = lines[bool(at and text[at - 1 : at] != "\n") :]
    end = text[at + len(stretch) :][:1]
    return "\n".join(whole[:-1] if end not in ("", "\n") else whole)


def _header(node: Node, budget: int) -> str:
    """The first line of a table, where it is short."""
    line = node.text[: node.text.find("\n") + 1] if node.role == "table" else ""
    return line if tokens_of(line) * 4 < budget else ""


def _letters(text: str, budget: int) -> int:
    """How many letters of a text are worth so many tokens."""
    letters = max(budget, 1)
    while letters < len(text) and tokens_of(text[: letters + 50]) <= budget:
        letters += 50
    return letters
