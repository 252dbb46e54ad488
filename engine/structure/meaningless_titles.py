"""Titles that only count ("Section 1", 第一部分, "1.", "Slide 3") or say nothing ("Untitled", 未命名)."""

from __future__ import annotations

from engine.language import compiled, patterns

_TITLES = patterns("document_parts")["headings"]
_COUNTED = compiled(
    _TITLES["counted"].replace("{numeral}", _TITLES["numeral"]).replace("{spelled}", _TITLES["spelled"])
)
_EMPTY = compiled(_TITLES["empty"])


def is_meaningless(title: str) -> bool:
    """Tell whether a title only counts or says nothing about what follows."""
    title = title.strip()
    return len(title) <= 40 and bool(
        _COUNTED.match(title) or _EMPTY.match(title) or not any(map(str.isalnum, title))
    )


def with_meaning(title: str, phrase: str) -> str:
    """Return a meaningless title with a phrase that says what follows; its number, if it has one, stays in front."""
    title = title.strip()
    if _EMPTY.match(title) or not any(map(str.isalnum, title)):
        return phrase
    colon = ":" if title.isascii() and title[-1] not in ".:)]" else ""
    return f"{title}{colon} {phrase}"
