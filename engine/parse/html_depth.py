"""How deep elements of a web page may stand in each other.

The tree builder of HTML looks through all open elements for many of the tags that it meets, so that time grows with the
square of the depth: two megabytes of nested tags took two minutes. As browsers do (Chromium: 512 levels), elements
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
# An element that a sibling of its own kind ends, and what it does not reach beyond.
_ENDED_BY_SIBLING = {
    "li": ({"li"}, {"ul", "ol", "menu"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "tr": ({"tr"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "p": ({"p"}, {"div", "td", "li", "body", "button", "table"}),
    "option": ({"option"}, {"select", "datalist"}),
    "tbody": ({"tbody", "thead", "tfoot"}, {"table"}),
}  # fmt: skip


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
        if not name or name in _VOID:
            continue
        drop = False
        if tag["end"]:
            if left_out[name]:
                left_out[name] -= 1
                drop = True
            elif open_now[name]:
                close(1 + stack[::-1].index(name))
        else:
            close(_ended(name, stack))
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


def _ended(name: str, stack: list[str]) -> int:
    """Return how many open elements, from the innermost on, the start of this one ends."""
    kinds, beyond = _ENDED_BY_SIBLING.get(name, (frozenset(), frozenset()))
    if kinds:
        for count, opened in enumerate(reversed(stack), 1):
            if opened in kinds:
                return count
            if opened in beyond:
                return 0
    return 0
