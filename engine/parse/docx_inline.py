"""What a Word paragraph shows: insertions count, deletions, hidden text and the codes of fields do not."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.parse.html_text import collapsed
from engine.parse.ooxml import DIAGRAM, EMU_PER_POINT, MC, PIC, WP, A, C, M, R, V, W, integer, is_on, value

LONGEST_CHANGE = 500
_OFFICE = "{urn:schemas-microsoft-com:office:office}"
_WPS_BOX = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}txbx"
# Private code points and codes of Wingdings and Symbol that stand for common signs.
_SYMBOLS = {
    "F0FE": "☑", "F0A8": "☐", "F06F": "☐", "F0FD": "☒", "F078": "☒", "F0FC": "✓", "F0FB": "✗", "F0B7": "•", "F0A7": "▪",
    "F0E0": "→", "F0DF": "←", "F04A": "☺", "F0B0": "°", "F0B1": "±", "F0B4": "×", "F0A3": "≤", "F0B3": "≥", "F061": "α",
    "F062": "β", "F067": "γ", "F064": "δ", "F06D": "μ", "F070": "π", "F073": "σ", "F044": "Δ", "F057": "Ω", "F0A5": "∞",
}  # fmt: skip


@dataclass(slots=True)
class Inline:
    """One paragraph's contents. ``notes`` are (kind, id), ``pictures`` (id of the relationship, facts).

    ``changes`` are those that Word tracks, taken as accepted: ``{"author", "inserted"}`` or ``{"author", "deleted"}``.
    ``hidden``: there is text that Word does not show.
    """

    parts: list[str] = field(default_factory=list)
    equations: list[str] = field(default_factory=list)
    pictures: list[tuple[str | None, dict[str, Any]]] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    changes: list[dict[str, str]] = field(default_factory=list)
    only_math: bool = True
    hidden: bool = False

    @property
    def text(self) -> str:
        """The text with line breaks as ``\\n`` and runs of blanks joined."""
        return collapsed(part.replace("\n", "\v") for part in self.parts)


class InlineReader:
    """Reads paragraphs one after the other; fields may run on from one to the next."""

    def __init__(self) -> None:
        self._fields: list[bool] = []  # those that are open: whether their result has begun
        self._inline = Inline()

    def read(self, paragraph: Any) -> Inline:
        """Return the contents of a paragraph."""
        self._inline = Inline()
        self._children(paragraph)
        return self._inline

    def _children(self, element: Any) -> None:
        for child in element:
            if handler := _HANDLERS.get(child.tag):
                handler(self, child)

    def _run(self, run: Any) -> None:
        if is_on(run.find(_VANISH)):
            self._inline.hidden |= run.find(f"{W}t") is not None
        else:
            self._children(run)

    def _changed(self, element: Any) -> None:
        """Take a change as accepted, and note what it was."""
        start = len(self._inline.parts)
        kept = element.tag in _INSERTED
        if kept:
            self._children(element)
        words = self._inline.parts[start:] if kept else (t.text or "" for t in element.iter(*_DELETED))
        if text := collapsed(words)[:LONGEST_CHANGE]:
            change = {"author": element.get(f"{W}author", ""), "inserted" if kept else "deleted": text}
            self._inline.changes.append(change)

    def _say(self, text: str) -> None:
        if text and all(self._fields):
            self._inline.parts.append(text)
            self._inline.only_math &= text.isspace()

    def _break(self, element: Any) -> None:
        self._say("\n" if element.get(f"{W}type", "textWrapping") == "textWrapping" else " ")

    def _symbol(self, element: Any) -> None:
        code = element.get(f"{W}char", "").upper()
        number = int(code, 16) if re.fullmatch("[0-9A-F]{1,5}", code) else 0
        number -= 0xF000 if 0xF020 < number < 0xF07F else 0
        if code in _SYMBOLS or 0x20 < number < 0xD800:
            self._say(_SYMBOLS.get(code) or chr(number))

    def _field_mark(self, element: Any) -> None:
        kind = element.get(f"{W}fldCharType")
        if kind == "begin":
            self._say(_form_value(element.find(f"{W}ffData")))
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _math(self, element: Any) -> None:
        if text := element.text:
            self._inline.equations.append(text)
            before = self._inline.parts[-1][-1:] if self._inline.parts else ""
            self._inline.parts.append(f" {text}" if before.isalnum() else text)

    def _note(self, element: Any) -> None:
        kind = element.tag.removeprefix(W).removesuffix("Reference")
        self._inline.notes.append((kind, element.get(f"{W}id", "")))

    def _content(self, element: Any) -> None:
        for base in element.iterchildren(f"{W}rubyBase", f"{W}sdtContent"):
            self._children(base)

    def _alternate(self, element: Any) -> None:
        branch = element.find(f"{MC}Choice")
        self._children(element if branch is None else branch)

    def _drawing(self, element: Any) -> None:
        holder = next((child for child in element if child.tag in {f"{WP}inline", f"{WP}anchor"}), None)
        if holder is None:
            return
        alt = _described(holder.find(f"{WP}docPr"))
        pictures = list(holder.iter(f"{PIC}pic"))
        for picture in pictures:
            blip = next(picture.iter(f"{A}blip"), None)
            shown = alt or _described(next(picture.iter(f"{PIC}cNvPr"), None))
            size = holder.find(f"{WP}extent") if len(pictures) == 1 else next(picture.iter(f"{A}ext"), None)
            sides = (None if size is None else integer(size.get(side)) for side in ("cx", "cy"))
            wide, high = (None if side is None else round(side / EMU_PER_POINT, 1) for side in sides)
            relationship = None if blip is None else blip.get(f"{R}embed") or blip.get(f"{R}link")
            self._inline.pictures.append((relationship, {"alt": shown, "width": wide, "height": high}))
        self._inline.charts += [i for chart in holder.iter(f"{C}chart") if (i := chart.get(f"{R}id"))]
        self._inline.diagrams += [i for diagram in holder.iter(DIAGRAM) if (i := diagram.get(f"{R}dm"))]
        for box in holder.iter(_WPS_BOX):
            self._inline.boxes += box.iterchildren(f"{W}txbxContent")

    def _vml(self, element: Any) -> None:
        for image in element.iter(f"{V}imagedata"):
            if relationship := image.get(f"{R}id"):
                alt = image.getparent().get("alt") or image.get(f"{_OFFICE}title") or ""
                facts = {"alt": " ".join(alt.split()), "width": None, "height": None}
                self._inline.pictures.append((relationship, facts))
        for box in element.iter(f"{V}textbox"):
            self._inline.boxes += box.iterchildren(f"{W}txbxContent")


def _form_value(form: Any | None) -> str:
    """Return what a check box or a list in a form of old kind is set to; "" for others, whose text stands there."""
    box, choice = (None if form is None else form.find(f"{W}{name}") for name in ("checkBox", "ddList"))
    if box is not None:
        state = box.find(f"{W}checked")
        return "☒" if is_on(box.find(f"{W}default") if state is None else state) else "☐"
    entries = [] if choice is None else choice.findall(f"{W}listEntry")
    at = 0 if choice is None else integer(value(choice.find(f"{W}result")))
    return (value(entries[at]) or "") if 0 <= at < len(entries) else ""


def _described(element: Any | None) -> str:
    """Return the words that stand for a picture."""
    words = "" if element is None else element.get("descr") or element.get("title") or ""
    return " ".join(words.split())


_VANISH = f"{W}rPr/{W}vanish"
_INSERTED = frozenset({f"{W}ins", f"{W}moveTo"})
_DELETED = (f"{W}delText", f"{W}t")
_Handler = Callable[[InlineReader, Any], None]
_BY_NAME: dict[str, _Handler] = {
    "r": InlineReader._run,
    "t": lambda reader, element: reader._say(element.text or ""),
    "tab ptab": lambda reader, _: reader._say(" "),
    "cr": lambda reader, _: reader._say("\n"),
    "noBreakHyphen": lambda reader, _: reader._say("-"),
    "br": InlineReader._break,
    "sym": InlineReader._symbol,
    "fldChar": InlineReader._field_mark,
    "footnoteReference endnoteReference commentReference": InlineReader._note,
    "ruby sdt": InlineReader._content,
    "drawing": InlineReader._drawing,
    "pict object": InlineReader._vml,
    "fldSimple hyperlink smartTag customXml dir bdo rubyBase": InlineReader._children,
    "ins moveTo del moveFrom": InlineReader._changed,
}
_HANDLERS = {f"{W}{name}": handler for names, handler in _BY_NAME.items() for name in names.split()} | {
    f"{MC}AlternateContent": InlineReader._alternate, f"{M}oMath": InlineReader._math,
    f"{M}oMathPara": InlineReader._children,
}  # fmt: skip
