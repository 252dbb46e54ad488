"""The shapes of a slide, groups opened, in the order of the file: the one that screen readers take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.parse.ooxml import MC, A, R, value
from engine.parse.pptx_text import P, paragraphs_of

MAX_GROUPS = 20
_KINDS = frozenset({"sp", "pic", "graphicFrame", "cxnSp"})


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of a slide; ``placeholder`` is its type ("" for content, None for none)."""

    kind: str
    element: Any
    placeholder: str | None
    text: str

    @property
    def alt(self) -> str:
        """The words that stand for a picture."""
        named = _named(self.element)
        return " ".join((named.get("descr") or named.get("title") or "").split())

    @property
    def picture(self) -> str:
        """The id of the relationship that leads to a picture, "" without one."""
        return value(self.element.find(f"{P}blipFill/{A}blip"), f"{R}embed") or ""


def shapes_of(tree: Any, depth: int = 0) -> Iterator[Shape]:
    """Yield the shapes that a slide shows, those in groups too; hidden ones are left out."""
    for element in tree if depth <= MAX_GROUPS else ():
        tag = element.tag
        if tag == f"{MC}AlternateContent":
            branches = (
                list(shapes_of(branch, depth + 1))
                for branch in element.iterchildren(f"{MC}Choice", f"{MC}Fallback")
            )
            yield from next(filter(None, branches), [])
        elif tag == f"{P}grpSp" and not _is_hidden(element):
            yield from shapes_of(element, depth + 1)
        elif tag.startswith(P) and tag.removeprefix(P) in _KINDS and not _is_hidden(element):
            place, body = next(element.iter(f"{P}ph"), None), element.find(f"{P}txBody")
            text = "" if body is None else "\n".join(paragraph.text for paragraph in paragraphs_of(body))
            yield Shape(tag.removeprefix(P), element, None if place is None else place.get("type", ""), text)


def _is_hidden(element: Any) -> bool:
    return _named(element).get("hidden") in {"1", "true"}


def _named(element: Any) -> Any:
    """Return the element with a shape's own name and description, an empty mapping without one."""
    return next(element.iter(f"{P}cNvPr"), {})  # its own comes before those inside it
