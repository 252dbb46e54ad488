"""Widen what was found by what stands around it, where that answers better (seed 004, 3.5).

A passage cut out of its text may lack the sentence before or after that makes it an answer. So the
neighbours of a hit are tried, nearest first; one is kept only when the widened block holds clearly more of the
question than the hit alone. Where most paragraphs of a short section were found, the section is taken whole
(the parent for its children).

A list or short table and the sentence that announces it: "The tenant shall:" says nothing without its items.

Many formats store every item as a paragraph of its own, so that a search finds the one or the other.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from networkx import DiGraph

from engine.model import PROSE, Hit, Node
from engine.retrieve.expand import children_in, neighbours, prose_in_graph
from engine.retrieve.snippet import Passage, Sought
from engine.structure.sentences import is_cjk, is_fragment, is_item, split_sentences
from engine.structure.terms import length_of
from storage.base import Storage

# The widened block must hold so much more of the question, as a share of all its words.
BETTER = 0.1
WIDENED_HITS = 5
# Short lines on either side of one that was found, each of so many letters at most.
SHORT_LINES, SHORT_LETTERS = 8, 80


def beside(graph: DiGraph, node: Node, path: Sequence[str], sought: Sought | None, window: int) -> list[Node]:
    """Return what a text is understood with, of the nodes beside it."""
    near = around(graph, node, path, sought, window) if sought else []
    return [*_broken_off(graph, node), *near, *_short_lines(graph, node), *_led_to(graph, node)]


def around(graph: DiGraph, node: Node, path: Sequence[str], sought: Sought, window: int) -> list[Node]:
    """Return those of ``window`` siblings on either side of a hit that make it answer better, in reading order."""
    context = "\n".join(path)
    best = _coverage(node.text, context, sought)
    kept: list[Node] = []
    for other in sorted(neighbours(graph, node.node_id, window), key=lambda one: abs(one.position - node.position)):
        if other.role not in PROSE or not other.text:
            continue
        block = "\n".join(one.text for one in sorted([node, *kept, other], key=lambda one: one.position))
        score = _coverage(block, context, sought)
        if score >= best + BETTER:
            best = score
            kept.append(other)
    return sorted(kept, key=lambda one: one.position)


def _broken_off(graph: DiGraph, node: Node) -> list[Node]:
    """Return the paragraphs beside one that are of one sentence with it: a page or column parts them."""
    near = [one for one in neighbours(graph, node.node_id, 1) if one.role in PROSE and one.text]
    order = ((node, one) if one.position > node.position else (one, node) for one in near)
    return [one for one, (first, then) in zip(near, order, strict=True) if _runs_on(first.text, then.text)]


def _runs_on(text: str, following: str) -> bool:
    """True where a text ends within a sentence that the following one goes on with."""
    if not is_fragment(split_sentences(text)[-1].text) or announces(text) or is_item(following):
        return False
    return following[0].islower() or (is_cjk(text[-1]) and is_cjk(following[0]) and not is_fragment(following))


def _short_lines(graph: DiGraph, node: Node) -> list[Node]:
    """Return the short lines beside one that was found and is no sentence: of a form, a slide, a list of terms.

    Which of them answers no word may tell: "who was admitted" is said by the line of the name, when by another one.
    """
    if not _heads(node):
        return []
    beside = neighbours(graph, node.node_id, SHORT_LINES)
    before = takewhile(_is_short_line, (one for one in beside if one.position < node.position))
    return [*reversed(list(before)), *takewhile(_is_short_line, _behind(node, beside))]


def _led_to(graph: DiGraph, node: Node) -> list[Node]:
    """Return what stands behind a text that says little without: under a line that heads it, or announced by a colon.

    Of what is announced the first text or table, whatever its length, or the texts of the sections below; a table also
    behind a short text.
    """
    behind = _behind(node, neighbours(graph, node.node_id, _LED))
    roles, announcing = [one.role for one in behind], announces(node.text)
    if announcing and set(roles) <= {"section"}:
        return _texts_of(behind, graph)[: 2 * _LED]
    if _heads(node):
        return list(takewhile(lambda one: one.text and not _heads(one), behind))
    tabled = roles[:1] == ["table"] and len(node.text) <= _LEAD_LETTERS
    return behind[:1] if announcing or tabled else []


def _texts_of(sections: Sequence[Node], graph: DiGraph) -> list[Node]:
    return [one for section in sections for one in children_in(graph, section.node_id) if one.text]


def _behind(node: Node, siblings: Sequence[Node]) -> list[Node]:
    return [one for one in siblings if one.position > node.position]


def _heads(node: Node) -> bool:
    return _is_short_line(node) and is_fragment(node.text)


def _is_short_line(node: Node) -> bool:
    return node.role in PROSE and 0 < len(node.text) <= SHORT_LETTERS and "\n" not in node.text


def parents_for_children(hits: Sequence[Hit], storage: Storage, parent_size: float) -> dict[str, list[Node]]:
    """Return by node id of a section's best hit the section's other paragraphs, where most of them were found.

    Sections of more than ``parent_size`` Chinese characters are left out; letters of other scripts count less.
    """
    whole: dict[str, list[Node]] = {}
    for section, graph, known in _sections_of(hits, storage):
        texts = [node for node in children_in(graph, section) if node.role in PROSE]
        short = sum(length_of(node.text) for node in texts) <= parent_size
        if short and len(known) >= 2 and 2 * len(known) > len(texts):
            whole[known[0]] = [node for node in texts if node.node_id not in known]
    return whole


def _sections_of(hits: Sequence[Hit], storage: Storage) -> Iterator[tuple[str, DiGraph, list[str]]]:
    """Yield the sections right above hits that are prose: the id, its graph, the ids of its hits."""
    found: dict[tuple[str, int, str], tuple[DiGraph, list[str]]] = {}
    for hit in hits:
        placed = prose_in_graph(hit, storage)
        if placed is not None and (parent := placed[1].parent_id):
            place = hit.document_id, hit.version, parent
            found.setdefault(place, (placed[0], []))[1].append(hit.node_id)
    for (_, _, parent), (graph, known) in found.items():
        if graph.nodes[parent]["node"].role == "section":
            yield parent, graph, known


def _coverage(text: str, context: str, sought: Sought) -> float:
    """The share of the question's words, by weight, in a text and the titles above it."""
    passage = Passage(text, context, sought)
    return sought.worth(passage.terms | passage.above)


MOST_ITEMS = 30
# A longer table is no enumeration.
SHORT_TABLE = 1200
# So many texts stand under a line that heads them; a text of so many letters leads to the table below it.
_LED, _LEAD_LETTERS = 4, 400
_ANNOUNCES = re.compile(r"[:：]\s*$|\b(?:as follows|the following)\.?\s*$|(?:如下|下列各?项)。?\s*$", re.IGNORECASE)


def announces(text: str) -> bool:
    """True when a text ends in words that something is to follow: a colon, "as follows", 如下."""
    return bool(_ANNOUNCES.search(text))


def list_of(graph: DiGraph, node: Node) -> list[Node]:
    """Return the list that a hit announces or is an item of: the announcing node, then the items in order.

    A short table right behind the announcing node stands for its list. At most :data:`MOST_ITEMS` items; empty where
    there is no such list.
    """
    if (parent := node.parent_id or "") not in graph:
        return []
    siblings = children_in(graph, parent)
    first = siblings.index(node)
    while first > 0 and _belongs(siblings[first]):
        first -= 1
    announcing, *behind = siblings[first : first + 1 + MOST_ITEMS]
    if not announces(announcing.text) or _belongs(announcing):
        return []
    items = [*filter(_is_short_table, behind[:1])] or list(takewhile(_belongs, behind))
    return [announcing, *items] if items and node in (announcing, *items) else []


def _is_short_table(node: Node) -> bool:
    return node.role == "table" and len(node.text) <= SHORT_TABLE


def _belongs(node: Node) -> bool:
    return node.role == "list" or (node.role == "paragraph" and is_item(node.text))
