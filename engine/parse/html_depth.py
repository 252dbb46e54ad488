"""How deep elements of a web page may stand in each other.

The time that the tree builder takes grows with the square of the depth. As browsers do (Chromium: 512 levels), elements
below a certain depth are not opened; their text stays.
"""

from __future__ import annotations

import re
from collections import Counter

MAX_OPEN = 500
_TAG = re.compile(
    r"<!--(?:.*?-->|.*)"  # what is not ended goes on to the end of the page, as in browsers
    r"|<(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)\b(?:.*?</(?P=raw)\b|.*)"
    r"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*)",
    re.I | re.S,
)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
# Elements that one of their own kind ends: they are never open in each other.
_ENDED_BY_SIBLING = frozenset("li dt dd tr td th p option tbody thead tfoot".split())


def bounded(page: str) -> str:
    """Return the page; where more elements stand in each other than that, without the tags of the innermost ones."""
    kept: list[str] = []
    taken = 0
    stack: list[str] = []
    open_now: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for tag in _TAG.finditer(page):
        name = (tag["name"] or "").lower()
        if not name or name in _VOID or name in _ENDED_BY_SIBLING:
            continue
        if not tag["end"] and len(stack) < MAX_OPEN:
            stack.append(name)
            open_now[name] += 1
        elif not tag["end"] or left_out[name]:
            left_out[name] += -1 if tag["end"] else 1
            kept.append(page[taken : tag.start()])
            taken = page.find(">", tag.end()) + 1 or len(page)
        elif open_now[name]:
            inside = len(stack) - 1 - stack[::-1].index(name)
            open_now.subtract(stack[inside:])
            del stack[inside:]
    return "".join(kept) + page[taken:]
