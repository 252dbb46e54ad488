"""Places in documents that a question names: an article, a page, a slide, a sheet, a cell. What stands there is quoted.

A question for the place alone gets all that stands there, from the document that is meant; of a question for something
there (合同第二条的违约金是多少, "What was the revenue on page 12?") the paragraphs that speak of it are quoted.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import ClassVar, Literal

from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.events import OnEvent, Token
from engine.answer.evidence import TreeEvidence
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.answer.tables.cells import CellRef
from engine.answer.tables.cite import cite_cell
from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.model import Answer, Evidence, Node, TraceStep, Tree
from engine.overview.asking import GENERIC, KINDS, QUOTES

# So many documents are quoted, so many leaves of each, and so many lines of a list or table.
MOST_DOCUMENTS, MOST_LEAVES, MOST_LINES = 5, 40, 12
# A place speaks of what is asked when it holds this share of the words.
COVERED = 0.5
ASKS = re.compile(
    r"\b(?:what|which|does|do|did|is|are|the|text|wording|contents?|says?|states?|stated|provides?|provided|contains?|"
    r"about|in|of|under|by|to|according|show|me|quote|cite|please|tell|give|read|full|exact|out|write|written|"
    r"stipulates?|requires?|regulates?|governs?|values?|there|lists?|shows?|shown|displays?|depicts?|illustrates?|presents?|"
    r"see|seen|look|looks|like)\b"
    r"|规定|規定|数值|值|约定|約定|载明|写明|内容|內容|原文|全文|条文|條文|法条|[这该本此](?:法律?|条例|协[议定]|章程|办法|细则)"
    r"|什么|什麼|哪些|怎么|怎麼|怎样|如何|请问?|給我|给我|列出|引用|显示|展示|描述|表示|可以|看出|看到|具体|主要|一下|[是讲講说說写寫有了的啥看都吗呢里中]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamedPlace(ABC):
    """A place that a question names: ``label`` is it as written, ``rest`` what the question says beside it."""

    label: str
    rest: str
    # Whether it is quoted from several documents where none is named.
    several: ClassVar[bool] = False

    @abstractmethod
    def nodes(self, tree: Tree) -> list[Node]:
        """Return the nodes that stand there, in reading order; none where the document has no such place."""

    def usual_in(self, tree: Tree) -> bool:
        """Tell whether the document is of the kind that has such places: slides are in presentations."""
        return True

    def words(self, tree: Tree) -> str:
        """Return what the question says to name the place beside its label: the title of a sheet."""
        return ""

    def missing(self, tree: Tree, phrases: Phrases) -> str:
        """Return what to say of a named document without the place; "" leaves the question to others."""
        return ""

    def cells(self, node: Node) -> list[CellRef]:
        """Return the cells of a table that are meant; none where all of it is."""
        return []


def quote(
    place: NamedPlace, trees: Sequence[Tree], phrases: Phrases, tell: OnEvent, *, whole: bool
) -> Answer | None:
    """Quote a place from the documents (trees) that the question means; None where none of them has it.

    Of a question for something there the nodes that speak of it are quoted, where they hold most of its other words;
    with ``whole`` such a question is left to others. A place that several documents have, of which none is named, is
    asked back for, where ``place.several`` does not hold.
    """
    found: list[tuple[Tree, list[Node]]] = []
    asks_more = False
    named, meant = _meant(place, trees)
    for tree, words in meant:
        nodes = place.nodes(tree)[:MOST_LEAVES]
        if words:
            nodes, asks_more = [] if whole else _speaking_of(words, nodes), True
        if nodes:
            found.append((tree, nodes))
    if not named:
        found = [one for one in found if place.usual_in(one[0])] or found
    if len(found) > 1 and not named and not place.several:
        names = ", ".join(harmless(tree.name) for tree, _ in found[:MOST_DOCUMENTS])
        return _unanswered(phrases.which_document.format(label=harmless(place.label), names=names), tell)
    if not found:
        told = [text for tree, _ in meant if named and (text := place.missing(tree, phrases))]
        return _unanswered(told[0], tell) if len(told) == 1 else None
    return _quoted(place, found[:MOST_DOCUMENTS], phrases, tell, "medium" if asks_more else "high")


def _unanswered(text: str, tell: OnEvent) -> Answer:
    tell(Token(text))
    return Answer(text, "direct", "low", False, [])


def _quoted(
    place: NamedPlace,
    found: Sequence[tuple[Tree, list[Node]]],
    phrases: Phrases,
    tell: OnEvent,
    confidence: Literal["high", "medium"],
) -> Answer | None:
    evidence: list[Evidence] = []
    for tree, nodes in found:
        make = TreeEvidence(tree)
        evidence += [make.of(node) for node in nodes]
    sources = Sources(evidence)
    lines, index = [phrases.quoted_words], 0
    for tree, nodes in found:
        lines += ["", *([f"{harmless(tree.name)}:", ""] if len(found) > 1 else [])]
        for node in nodes:
            lines += _lines(place.cells(node), sources, evidence[index], index, phrases)
            index += 1
    names = [tree.name for tree, _ in found]
    step = TraceStep(
        0, "action", phrases.step_place.format(label=place.label, names=", ".join(names)), "get_node_content",
        {"documents": names},
    )  # fmt: skip
    text = "\n".join(lines)
    tell(step)
    tell(Token(text))
    return Answer(
        text, "direct", confidence, True, sources.citations, reasoning_steps=1, reasoning_trace=[step]
    )


def _lines(
    cells: Sequence[CellRef], sources: Sources, item: Evidence, index: int, phrases: Phrases
) -> list[str]:
    """Return the lines of an answer for one node: its cells, its title, or its text, line by line where it has rows."""
    if cells:
        cited = ((cell, cite_cell(cell, item)) for cell in cells)
        told = [(cell, sources.add_cell(citation)) for cell, citation in cited if citation is not None]
        return [
            f"- {cell.address} ({', '.join(filter(None, (cell.row_header, cell.column_header)))}): {cell.text} [{n}]"
            for cell, n in told
        ]
    if not item.text:
        return [f"- {quotable(item.title)} [{sources.add_title(index)}]"] if item.title else []
    stretches = [(0, len(item.text))]
    if item.hit.role in ("list", "table"):
        stretches = [match.span() for match in re.finditer(r"\S[^\n]*", item.text)]
    lines = [
        f"- {quotable(item.text[start:end])} [{sources.add(index, start, end)}]"
        for start, end in stretches[:MOST_LINES]
    ]
    if len(stretches) > MOST_LINES:
        lines.append(phrases.more_lines.format(count=len(stretches) - MOST_LINES))
    return lines


def _meant(place: NamedPlace, trees: Sequence[Tree]) -> tuple[bool, list[tuple[Tree, dict[str, float]]]]:
    """Return the documents that a question means, each with the words that it says beside their names.

    One whose name or title stands there whole is meant rather than one that has a word of it, and that one rather than
    the others; first comes whether any is named.
    """
    ranked: dict[int, list[tuple[Tree, dict[str, float]]]] = {}
    for tree in trees:
        names = _names(tree)
        left = _plain(place.rest)
        whole = [name for name in sorted(names, key=len, reverse=True) if name in left]
        for name in whole:
            left = left.replace(name, " ")
        words = content_terms(ASKS.sub(" ", GENERIC.sub(" ", ASKS.sub(" ", left))))
        own = set(content_terms(" ".join(names)))
        suffix = PurePath(tree.name).suffix.lower()
        kind = any(suffix in suffixes and said.search(place.rest) for said, suffixes in KINDS)
        rank = 2 if whole else 1 if kind or own & set(words) else 0
        own |= set(content_terms(place.words(tree)))
        ranked.setdefault(rank, []).append((tree, {word: words[word] for word in words if word not in own}))
    return (max(ranked) > 0, ranked[max(ranked)]) if ranked else (False, [])


def _speaking_of(words: Mapping[str, float], nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes of a place that hold the most of the words; none where it lacks too many of them."""
    held = [tokens(node.text or node.title) for node in nodes]
    if coverage(dict(words), [term for one in held for term in one]) < COVERED:
        return []
    shares = [coverage(dict(words), one) for one in held]
    return [node for node, share in zip(nodes, shares, strict=True) if share >= max(shares) / 2 > 0]


def _names(tree: Tree) -> list[str]:
    """Return what a document is called: its file's name, with and without the ending, and its title."""
    called = (tree.name, PurePath(tree.name).stem, tree.nodes[0].title)
    return [name for one in called if len(name := _plain(one)) > 1]


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(rf"[_\-\s{QUOTES}]+", " ", folded).split())
