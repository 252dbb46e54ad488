"""What stands in an OpenDocument paragraph: words, notes, comments, frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.parse.odf_package import DRAW, OFFICE, TEXT, whole

MAX_DEPTH = 60
MAX_SPACES = 1000
_FRAMES = frozenset(
    f"{DRAW}{name}" for name in ("frame", "custom-shape", "g", "rect", "ellipse", "text-box", "caption")
)
_SILENT = frozenset({
    f"{TEXT}tracked-changes", f"{OFFICE}annotation-end", f"{TEXT}ruby-text", f"{TEXT}script",
    f"{TEXT}table-of-content", f"{TEXT}soft-page-break", f"{OFFICE}binary-data",
})  # fmt: skip
FormulaIn = Callable[[Any], str]
# Unicode's sign for an object among words stands where a frame does.
_PLACE = "\ufffc"
_NOTES = {f"{TEXT}note": "note", f"{OFFICE}annotation": "comment"}


class Note(NamedTuple):
    """A footnote, endnote or comment: which of them, its mark as shown, its element."""

    kind: str
    mark: str
    element: Any


@dataclass
class Inline:
    """A paragraph's words, ``\\v`` for line breaks, and what hangs on it, in order."""

    parts: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    frames: list[Any] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words with runs of white space as one blank and line breaks kept."""
        lines = "".join(part for part in self.parts if part != _PLACE).split("\v")
        return "\n".join(shown for line in lines if (shown := " ".join(line.split())))


def read_inline(paragraph: Any, formula_in: FormulaIn | None = None) -> Inline:
    """Return what a paragraph or heading holds; a formula that ``formula_in`` finds in a frame is a word of it."""
    inline = Inline()
    _gather(paragraph, inline, 0)
    if formula_in is not None and inline.frames:
        _set_formulas(inline, formula_in)
    return inline


def _set_formulas(inline: Inline, formula_in: FormulaIn) -> None:
    """Put formulas in the places that were kept for frames."""
    frames, inline.frames = inline.frames, []
    places = iter(frames)
    for index, part in enumerate(inline.parts):
        frame = next(places, None) if part == _PLACE else None
        if frame is None:
            continue
        inline.parts[index] = ""
        if text := formula_in(frame):
            inline.parts[index] = text
            inline.formulas.append(text)
        else:
            inline.frames.append(frame)


def _gather(element: Any, inline: Inline, depth: int) -> None:
    if depth > MAX_DEPTH:
        inline.parts += element.itertext()
        return
    if element.text:
        inline.parts.append(element.text)
    for child in element:
        _take(child, inline, depth)
        if child.tail:
            inline.parts.append(child.tail)


def _take(child: Any, inline: Inline, depth: int) -> None:
    tag = child.tag
    if tag == f"{TEXT}s":
        inline.parts.append(" " * min(whole(child.get(f"{TEXT}c"), 1), MAX_SPACES))
    elif tag == f"{TEXT}tab":
        inline.parts.append("\t")
    elif tag == f"{TEXT}line-break":
        inline.parts.append("\v")
    elif tag in _NOTES:
        inline.notes.append(_note(child))
    elif tag in _FRAMES:
        inline.parts.append(_PLACE)
        inline.frames.append(child)
    elif tag not in _SILENT and isinstance(tag, str):
        _gather(child, inline, depth + 1)


def _note(element: Any) -> Note:
    if element.tag == f"{OFFICE}annotation":
        return Note("comment", "", element)
    kind = "endnote" if element.get(f"{TEXT}note-class") == "endnote" else "footnote"
    mark = element.findtext(f"{TEXT}note-citation") or ""
    body = element.find(f"{TEXT}note-body")
    return Note(kind, mark.strip(), element if body is None else body)
