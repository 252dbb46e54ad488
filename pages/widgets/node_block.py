"""A node as plain values that the browser draws: heading, paragraph, list, table, picture, caption, code."""

import re
from typing import Any

from engine.model import Node
from pages.widgets.table_grid import table_of

BLOCK_CHARACTERS = 20_000
LOW_CONFIDENCE = 0.8
MARKS = ("note", "number", "author", "changes", "quote", "generated", "hidden", "chart")
_BULLET = re.compile(
    r"(?:[•◦▪‣·●○■□–—*-]|\(?(?:\d{1,3}|[A-Za-z]{1,4}|[一二三四五六七八九十]{1,3})[.)、）])\s+"
    r"|(?:[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十\d]{1,4}）)\s*"
)


def block_of(node: Node, *, quote: str = "", cell: str = "", picture: str = "") -> dict[str, Any]:
    """Return a node as plain values: id, role, text, and what its role needs besides.

    A section has its ``level``, a list its ``items`` as [depth, marker, text], a table what
    ``table_grid.table_of`` gives, a picture its address ``source`` (``picture``), ``text`` in its place and the lines
    that were ``read`` in it, by cells.
    ``marks`` says what else is known: a note's kind and author, tracked changes, a quotation, a title that was made up.
    ``doubtful`` lists what text recognition was not sure of, in percent. ``quote`` and ``cell`` say what of a table was
    cited.
    """
    block: dict[str, Any] = {"id": node.node_id, "role": node.role, "text": node.text[:BLOCK_CHARACTERS]}
    if len(node.text) > BLOCK_CHARACTERS:
        block["text"] += " …"
    block |= _remarks(node)
    if node.role == "section":
        block |= {"text": node.title, "level": min(max(node.level or node.depth, 1), 6)}
    elif node.role == "list":
        block["items"] = _items(str(block["text"]))
    elif node.role == "table" and node.metadata.get("rows"):
        block["table"] = table_of(node, quote=quote, cell=cell)
        block["text"] = ""
    elif node.role == "image":
        block |= {"text": _told_of_picture(node), "source": picture}
        block["read"] = [line.split(" | ") for line in str(node.metadata.get("ocr_text") or "").splitlines()]
    return block


def _remarks(node: Node) -> dict[str, Any]:
    """What is known of a node beside its text: its marks, and lines that may have been read wrongly."""
    facts = node.metadata
    marks = {key: facts[key] for key in MARKS if facts.get(key)}
    doubtful = [
        (line["text"], int(100 * line["confidence"]))
        for line in facts.get("ocr_lines") or []
        if line["confidence"] < LOW_CONFIDENCE
    ]
    return {name: found for name, found in (("marks", marks), ("doubtful", doubtful)) if found}


def _told_of_picture(node: Node) -> str:
    told = (node.metadata.get(key) for key in ("description", "alt", "caption", "ocr_text"))
    return next((str(one) for one in (node.text, *told) if one), "")


def _items(text: str) -> list[list[Any]]:
    items: list[list[Any]] = []
    marked = any(_BULLET.match(line.strip()) for line in text.split("\n"))
    for line in text.split("\n"):
        bare = line.strip()
        found = _BULLET.match(bare)
        depth = min((len(line) - len(line.lstrip(" "))) // 2, 8)
        marker = found[0].strip() if found else "" if marked else "•"
        items.append([depth, marker, bare[found.end() :] if found else bare])
    return items
