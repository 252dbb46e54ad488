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

    def close(count: int) -> None:
        for _ in range(count):
            open_now[stack.pop()] -= 1

    for tag in _TAG.finditer(page):
        name = (tag["name"] or "").lower()
        if not name or name in _VOID or name in _ENDED_BY_SIBLING:
            continue
        drop = False
        if tag["end"]:
            if left_out[name]:
                left_out[name] -= 1
                drop = True
            elif open_now[name]:
                close(1 + stack[::-1].index(name))
        else:
            if drop := len(stack) >= MAX_OPEN:
                left_out[name] += 1
            else:
                stack.append(name)
                open_now[name] += 1
        if drop:
            kept.append(page[taken : tag.start()])
            end = page.find(">", tag.end())
            taken = end + 1 if end >= 0 else len(page)
    return "".join(kept) + page[taken:] if kept else page
