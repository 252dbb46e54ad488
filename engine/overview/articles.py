"""Articles that are asked for by their number: 专利法第二条规定了什么, "What does clause 3.1 of the lease say?"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from engine.index.views import LEAVES
from engine.model import Node, Tree, children_of
from engine.overview.named_place import NamedPlace
from engine.structure.articles import article_number, articles_of
from engine.structure.numbering import CHINESE, value_of

_LABEL = re.compile(
    rf"(?P<article>第\s?[{CHINESE}\d]{{1,6}}\s?[条條](?:之[{CHINESE}]{{1,2}})?)(?:的?第\s?(?P<paragraph>[{CHINESE}\d]{{1,3}})\s?款)?"
    r"|(?P<named>(?:\b(?:article|section|clause)\s+|§\s?)\d{1,3}(?:\.\d{1,3}){0,3})\b",
    re.IGNORECASE,
)
_ITEM = re.compile(
    rf"\s*(?:[（(](?:[{CHINESE}]{{1,3}}|\d{{1,2}}|[a-z])[）)]|(?:\d{{1,2}}|[a-z])[.、)]\s)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NamedArticle(NamedPlace):
    """An article by its number, or one paragraph (款, from 1) of it."""

    number: tuple[int, ...]
    paragraph: int | None
    several = True

    def nodes(self, tree: Tree) -> list[Node]:
        """Return the leaves of the article, or of the paragraph."""
        children = children_of(tree.nodes)
        for article in articles_of(children, LEAVES):
            if article.number == self.number:
                return _paragraph([article.opening, *article.rest], self.paragraph)
        for node in tree.nodes:
            if node.role == "section" and article_number(node.title) == self.number:
                return _paragraph(list(_below(node, children)), self.paragraph)
        return []


def asked_article(question: str) -> NamedArticle | None:
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
    return NamedArticle(match[0], f"{text[: match.start()]} {text[match.end() :]}", number, paragraph)


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
