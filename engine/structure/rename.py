"""Titles that say nothing, and a model's names for them and for generated sections."""

import re
from collections.abc import Callable
from dataclasses import replace

from engine.language import compiled, patterns
from engine.model import Node, Tree, children_of
from engine.structure.terms import HAN, length_of

# Titles that only count ("Section 1", 第一部分, "1.", "Slide 3") or say nothing ("Untitled", 未命名).
_TITLES = patterns("document_parts")["headings"]
_COUNTED = compiled(
    _TITLES["counted"].replace("{numeral}", _TITLES["numeral"]).replace("{spelled}", _TITLES["spelled"])
)
_EMPTY = compiled(_TITLES["empty"])
LONGEST_NAME = 26.0
TEXT_LETTERS = 2000
_TITLED = re.compile(r"^(?:title|标题|題目|题目)\s*[:：]\s*", re.IGNORECASE)
_QUOTES = "\"'“”‘’「」『』《》*#` \t"


def is_meaningless(title: str) -> bool:
    """Tell whether a title only counts or says nothing about what follows."""
    title = title.strip()
    return len(title) <= 40 and bool(_COUNTED.match(title) or _EMPTY.match(title) or not any(map(str.isalnum, title)))


def with_meaning(title: str, phrase: str) -> str:
    """Return a meaningless title with a phrase that says what follows; its number, if it has one, stays in front."""
    title = title.strip()
    if _EMPTY.match(title) or not any(map(str.isalnum, title)):
        return phrase
    colon = ":" if title.isascii() and title[-1] not in ".:)]" else ""
    return f"{title}{colon} {phrase}"


def rename_generated(tree: Tree, name: Callable[[str], str | None]) -> Tree:
    """Return the tree with generated sections, and titles that said nothing, named by ``name``.

    ``name`` gets the start of the section's text, at most 2,000 letters, and returns a title or None. A title
    that :func:`checked_name` refuses changes nothing. Ids, texts and places stay; ``metadata["named_by"]`` is
    "model" where a title changed, and such a section is not named again.
    """
    children = children_of(tree.nodes)
    return replace(tree, nodes=[_renamed(node, children, name) for node in tree.nodes])


def _renamed(node: Node, children: dict[str | None, list[Node]], name: Callable[[str], str | None]) -> Node:
    original = node.metadata.get("original_title")
    wanted = node.role == "section" and (node.metadata.get("generated") or original)
    if not wanted or node.metadata.get("named_by") == "model":
        return node
    text = _text_below(node, children)
    found = checked_name(name(text) if text else None, text)
    if found is None:
        return node
    title = with_meaning(str(original), found) if original else found
    return replace(node, title=title, metadata={**node.metadata, "named_by": "model"})


def checked_name(name: str | None, text: str) -> str | None:
    """Return a model's title for a text, cleaned, or None when it does not serve.

    It must be one line of at most 26 full-width (65 other) characters that says something, in the language of
    the text; quotation marks, a leading "Title:" and a closing full stop are taken off.
    """
    line = _TITLED.sub("", (name or "").strip(_QUOTES + "\n")).strip(_QUOTES + ".。")
    if not line or "\n" in line or length_of(line) > LONGEST_NAME or not line.isprintable():
        return None
    if is_meaningless(line) or re.search(r"https?://|[<>{}|]", line):
        return None
    return line if is_chinese(line) == is_chinese(text) or line in text else None


def is_chinese(text: str) -> bool:
    """Tell whether a text is written in Chinese, Japanese or Korean more than in letters with spaces."""
    wide = sum(map(len, HAN.findall(text)))
    words = len(re.findall(r"[A-Za-zÀ-ɏА-я]+", text))
    return wide > words


def _text_below(node: Node, children: dict[str | None, list[Node]]) -> str:
    """Return the start of each leaf below a section, all together at most TEXT_LETTERS letters."""
    leaves: list[str] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.text and current.role in ("paragraph", "list", "caption", "table"):
            leaves.append(current.text)
        waiting += reversed(children.get(current.node_id, []))
    each = max(80, TEXT_LETTERS // max(1, len(leaves)))
    return "\n".join(leaf[:each] for leaf in leaves)[:TEXT_LETTERS]
