"""Articles of laws and contracts (第三条, Article 3, § 3, 3.1 Delivery): where one begins, and which leaves it has.

Only the first paragraph of an article bears its number; those after it mean little without it, and it means little
without them. A text with fewer than three of them has none: what looks like one is a reference.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.language import compiled, composed, patterns
from engine.model import LEAVES, Node, children_of
from engine.structure.numbering import CHINESE, value_of

FEWEST_ARTICLES = 3
# What is printed on each page stands behind the last article, and in none.
_RUNNING = ("header", "footer")
_OPENING = compiled(composed(patterns("references")["article"], {"chinese": CHINESE}))


class Article(NamedTuple):
    """The leaf that bears the number (120 and 1 for 第一百二十条之一, 3 and 1 for 3.1), and the leaves after it."""

    number: tuple[int, ...]
    opening: Node
    rest: tuple[Node, ...]


def article_number(text: str) -> tuple[int, ...] | None:
    """Return the number of the article that a text begins, None where it begins none."""
    match = _OPENING.match(text)
    if match is None:
        return None
    parts = (match["n"], match["after"]) if match["n"] else (match["word"] or match["decimal"]).split(".")
    return tuple(value_of(part) for part in parts if part)


def article_name(text: str) -> str:
    """Return how an article that a text begins is called, as it is written there; "" where a bare 3.1 numbers it."""
    match = _OPENING.match(text)
    return match[0].strip() if match and not match["decimal"] else ""


def name_articles(nodes: Sequence[Node]) -> None:
    """Note in the metadata of the leaves of each article that has a name how it is called ("article")."""
    for article in articles_of(children_of(nodes)):
        if name := article_name(article.opening.text):
            for node in (article.opening, *article.rest):
                node.metadata["article"] = name


def articles_of(children: Mapping[str | None, Sequence[Node]]) -> list[Article]:
    """Return the articles in reading order from nodes by parent; one ends with the next, or the next heading."""
    found: list[tuple[tuple[int, ...], list[Node]]] = []
    for group in children.values():
        inside = False
        for node in group:
            number = article_number(node.text) if node.role == "paragraph" else None
            if number:
                found.append((number, [node]))
                inside = True
            elif inside := inside and node.role in LEAVES and node.metadata.get("kind") not in _RUNNING:
                found[-1][1].append(node)
    if len(found) < FEWEST_ARTICLES:
        return []
    return [Article(number, nodes[0], tuple(nodes[1:])) for number, nodes in found]
