"""Articles that are asked for by their number: 专利法第二条规定了什么, "What does clause 3.1 of the lease say?".

They are quoted whole, paragraph by paragraph, from each document that is meant. Of a question for something in an
article (合同第二条的违约金是多少) the paragraphs that speak of it are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from engine.answer.events import OnEvent, Token
from engine.answer.evidence import TreeEvidence
from engine.answer.extractive import quotable
from engine.answer.marks import harmless
from engine.answer.phrases import Phrases
from engine.answer.sources import Sources
from engine.answer.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.index.views import LEAVES
from engine.model import Answer, Evidence, Node, TraceStep, Tree, children_of
from engine.overview.asking import GENERIC, QUOTES
from engine.structure.articles import article_number, articles_of
from engine.structure.numbering import CHINESE, value_of

# So many documents are quoted, and so many leaves of each.
MOST_DOCUMENTS, MOST_LEAVES = 5, 40
# An article speaks of what is asked when it holds this share of the words.
COVERED = 0.5
_LABEL = re.compile(
    rf"(?P<article>第\s?[{CHINESE}\d]{{1,6}}\s?[条條](?:之[{CHINESE}]{{1,2}})?)(?:的?第\s?(?P<paragraph>[{CHINESE}\d]{{1,3}})\s?款)?"
    r"|(?P<named>(?:\b(?:article|section|clause)\s+|§\s?)\d{1,3}(?:\.\d{1,3}){0,3})\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:what|which|does|do|did|is|are|the|text|wording|contents?|says?|states?|stated|provides?|provided|contains?|"
    r"about|in|of|under|by|to|according|show|me|quote|cite|please|tell|give|read|full|exact|out|write|written|"
    r"stipulates?|requires?|regulates?|governs?)\b"
    r"|规定|規定|约定|約定|载明|写明|内容|內容|原文|全文|条文|條文|法条|[这该本此](?:法律?|条例|协[议定]|章程|办法|细则)"
    r"|什么|什麼|哪些|怎么|怎麼|怎样|如何|请问?|給我|给我|列出|引用|显示|具体|主要|一下|[是讲講说說写寫有了的啥看都吗呢里中]",
    re.IGNORECASE,
)
_ITEM = re.compile(
    rf"\s*(?:[（(](?:[{CHINESE}]{{1,3}}|\d{{1,2}}|[a-z])[）)]|(?:\d{{1,2}}|[a-z])[.、)]\s)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class AskedArticle:
    """What a question asks for: an article, as written, its number, a paragraph (款, from 1), and what else it says."""

    label: str
    number: tuple[int, ...]
    paragraph: int | None
    rest: str


def asked_article(question: str) -> AskedArticle | None:
    """Return the one article whose text a question asks for; None where it names none or several."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    found = list(_LABEL.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    number = article_number(match["article"] or match["named"])
    if number is None:
        return None
    paragraph = value_of(match["paragraph"]) if match["paragraph"] else None
    return AskedArticle(match[0], number, paragraph, f"{text[: match.start()]} {text[match.end() :]}")


def quote(
    asked: AskedArticle, trees: Sequence[Tree], phrases: Phrases, tell: OnEvent, *, whole: bool
) -> Answer | None:
    """Quote the article from the documents (trees) that the question means; None where none of them has it.

    Of a question that asks for something in the article the leaves that speak of it are quoted, where the article holds
    most of the question's other words; with ``whole`` such a question is left to others.
    """
    found: list[tuple[Tree, list[Node]]] = []
    more = False
    for tree, words in _meant(asked.rest, trees):
        leaves = _leaves(asked, tree)[:MOST_LEAVES]
        if words:
            leaves, more = [] if whole else _speaking_of(words, leaves), True
        if leaves:
            found.append((tree, leaves))
    found = found[:MOST_DOCUMENTS]
    if not found:
        return None
    evidence: list[Evidence] = []
    for tree, leaves in found:
        make = TreeEvidence(tree)
        evidence += [make.of(leaf) for leaf in leaves]
    sources = Sources(evidence)
    lines, index = [phrases.quoted_words], 0
    for tree, leaves in found:
        lines += ["", *([f"{harmless(tree.name)}:", ""] if len(found) > 1 else [])]
        for leaf in leaves:
            for start, end in _stretches(leaf):
                n = sources.add(index, start, end)
                lines.append(f"- {quotable(leaf.text[start:end])} [{n}]")
            index += 1
    names = [tree.name for tree, _ in found]
    step = TraceStep(
        0, "action", phrases.step_article.format(label=asked.label, names=", ".join(names)), "get_node_content",
        {"documents": names},
    )  # fmt: skip
    text = "\n".join(lines)
    tell(step)
    tell(Token(text))
    return Answer(
        text, "direct", "medium" if more else "high", True, sources.citations,
        reasoning_steps=1, reasoning_trace=[step],
    )  # fmt: skip


def _meant(rest: str, trees: Sequence[Tree]) -> list[tuple[Tree, dict[str, float]]]:
    """Return the documents that the rest of a question means, each with the words that it says beside their names.

    One whose name or title stands there whole is meant rather than one that has a word of it, and that one rather than
    the others.
    """
    ranked: dict[int, list[tuple[Tree, dict[str, float]]]] = {}
    for tree in trees:
        names = _names(tree)
        left = _plain(rest)
        whole = [name for name in sorted(names, key=len, reverse=True) if name in left]
        for name in whole:
            left = left.replace(name, " ")
        words = content_terms(_ASKS.sub(" ", GENERIC.sub(" ", _ASKS.sub(" ", left))))
        own = set(content_terms(" ".join(names)))
        rank = 2 if whole else 1 if own & set(words) else 0
        ranked.setdefault(rank, []).append((tree, {word: words[word] for word in words if word not in own}))
    return ranked[max(ranked)] if ranked else []


def _speaking_of(words: Mapping[str, float], leaves: Sequence[Node]) -> list[Node]:
    """Return the leaves of an article that hold the most of the words; none where it lacks too many of them."""
    shares = [coverage(dict(words), tokens(leaf.text)) for leaf in leaves]
    held = coverage(dict(words), [term for leaf in leaves for term in tokens(leaf.text)])
    if held < COVERED:
        return []
    return [leaf for leaf, share in zip(leaves, shares, strict=True) if share >= max(shares) / 2 > 0]


def _names(tree: Tree) -> list[str]:
    """Return what a document is called: the stem of its file's name, and its title."""
    return [name for one in (PurePath(tree.name).stem, tree.nodes[0].title) if len(name := _plain(one)) > 1]


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(rf"[_\-\s{QUOTES}]+", " ", folded).split())


def _leaves(asked: AskedArticle, tree: Tree) -> list[Node]:
    """Return the leaves of the article, or of the one paragraph (款) of it that is asked for."""
    children = children_of(tree.nodes)
    for article in articles_of(children, LEAVES):
        if article.number == asked.number:
            return _paragraph([article.opening, *article.rest], asked.paragraph)
    for node in tree.nodes:
        if node.role == "section" and article_number(node.title) == asked.number:
            return _paragraph(list(_below(node, children)), asked.paragraph)
    return []


def _below(node: Node, children: dict[str | None, list[Node]]) -> Iterator[Node]:
    for child in children.get(node.node_id, []):
        if child.role in LEAVES and child.text:
            yield child
        yield from _below(child, children)


def _paragraph(leaves: list[Node], number: int | None) -> list[Node]:
    """Return the leaves of a paragraph by its number from 1; items, （一） or a list, belong to the one before them."""
    if number is None:
        return leaves
    begins = [i for i, leaf in enumerate(leaves) if leaf.role == "paragraph" and not _ITEM.match(leaf.text)]
    if number > len(begins):
        return []
    return leaves[begins[number - 1] : (*begins, len(leaves))[number]]


def _stretches(leaf: Node) -> list[tuple[int, int]]:
    """Return what is quoted of a leaf, as offsets: each line of a list, else all of it."""
    if leaf.role != "list":
        return [(0, len(leaf.text))]
    return [match.span() for match in re.finditer(r"\S[^\n]*", leaf.text)]
