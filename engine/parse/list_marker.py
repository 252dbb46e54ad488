"""What list items begin with: bullets and numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.structure.numbering import numbering_of

_BULLET = re.compile(r"([•●▪■◦○□▶➢➤✓✔❖◆◇★※‣⁃·∙]|[-*+–—](?=\s))\s*(?=\S)")
_MARKERS = frozenset({"decimal", "number", "paren", "circled", "chinese", "chinese_paren"})


class Marker(NamedTuple):
    """What a list item begins with, as it stands there, and the text after it."""

    label: str
    rest: str
    ordered: bool


def bullet(text: str) -> Marker | None:
    """Return the bullet that a line begins with, if it does."""
    match = _BULLET.match(text)
    return Marker(match[1], text[match.end() :], False) if match else None


def list_marker(text: str) -> Marker | None:
    """Return the bullet or number that makes a line a list item, if it has one."""
    if marker := bullet(text):
        return marker
    found = numbering_of(text)
    if found is None or found.kind not in _MARKERS or found.depth > 1 or not found.rest:
        return None
    if text[len(found.label)] not in ".、)）．" and found.family == "decimal":
        return None
    return Marker(text[: len(text) - len(found.rest)].strip(), found.rest, True)
