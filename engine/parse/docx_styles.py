"""Word's styles: what a paragraph is, by its style's name and everything the style is based on; how it looks."""

from dataclasses import dataclass, replace
from typing import Any

from engine.language import compiled, patterns
from engine.model import Block
from engine.parse.ooxml import W, integer, is_on, value
from engine.structure.run_in import lead_of

# Word stores built-in styles under English names whatever its language; other programs store their own.
NAMES = {name: compiled(words) for name, words in patterns("document_parts")["styles"].items()}


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style with what it inherits. ``size`` is in points."""

    style_id: str
    num_id: str | None = None
    num_level: int | None = None
    bold: bool = False
    size: float | None = None
    heading: int | None = None
    title: bool = False
    contents: bool = False
    caption: bool = False
    code: bool = False


class Styles:
    """All styles of a document."""

    def __init__(self, root: Any | None) -> None:
        self._elements: dict[str, Any] = {}
        self._styles: dict[str, Style] = {}
        self._default = Style("")
        self.body_size = 10.0
        if root is None:
            return
        size = value(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr/{W}sz"))
        self.body_size = integer(size, 20) / 2
        for element in root.iterchildren(f"{W}style"):
            style_id = element.get(f"{W}styleId", "")
            self._elements.setdefault(style_id, element)
            if element.get(f"{W}type") == "paragraph" and element.get(f"{W}default") in {"1", "true", "on"}:
                self._default = self.of(style_id)

    def of(self, style_id: str | None) -> Style:
        """Return the style with this id, the default paragraph style for an unknown one."""
        if style_id is None or style_id not in self._elements:
            return self._default
        if style_id not in self._styles:
            self._styles[style_id] = self._resolved(style_id)
        return self._styles[style_id]

    def _resolved(self, style_id: str) -> Style:
        chain: list[Any] = []
        element = self._elements.get(style_id)
        while element is not None and element not in chain and len(chain) < 30:
            chain.append(element)
            element = self._elements.get(value(element.find(f"{W}basedOn")) or "")
        names = [(value(one.find(f"{W}name")) or one.get(f"{W}styleId", "")).lower() for one in chain]
        outline = _first(chain, f"{W}pPr/{W}outlineLvl")
        size = _first(chain, f"{W}rPr/{W}sz")
        num_level = _first(chain, f"{W}pPr/{W}numPr/{W}ilvl")
        return Style(
            style_id,
            num_id=_first(chain, f"{W}pPr/{W}numPr/{W}numId"),
            num_level=integer(num_level) if num_level is not None else None,
            bold=is_on(next((found for one in chain if (found := one.find(f"{W}rPr/{W}b")) is not None), None)),
            size=integer(size) / 2 if size else None,
            heading=_heading_level(names, integer(outline, 9) if outline is not None else None),
            # LibreOffice writes the title of a converted .doc in its style for headings of no level.
            title=any(NAMES["title"].match(name) for name in names[:2]) or names[0] == "heading",
            contents=NAMES["contents"].match(names[0]) is not None,
            caption=any(NAMES["caption"].search(name) for name in names),
            code=any(NAMES["code"].match(name) for name in names[:3]),
        )


def _first(chain: list[Any], path: str) -> str | None:
    return next((found for element in chain if (found := value(element.find(path))) is not None), None)


def _heading_level(names: list[str], outline: int | None) -> int | None:
    """Return 1 to 9. A style based on a heading is one, unless its outline level says body text (9)."""
    if outline is not None:
        return outline + 1 if outline < 9 else None
    return next((int(match["level"]) for name in names if (match := NAMES["heading"].match(name))), None)


def look(size: float, bold: bool) -> dict[str, Any]:
    """Return how text without a page looks, as :func:`engine.structure.headings.find_headings` takes it."""
    return {
        "size": size, "top": size, "bold": float(bold), "italic": False, "font": "", "color": 0,
        "lines": 1, "column": (0.0, 0.0), "gap": 0.0, "upright": True,
    }  # fmt: skip


def look_of(paragraph: Any, style: Style, default_size: float, text: str) -> dict[str, Any]:
    """Return the look of a paragraph that reads as ``text``, from its runs, else its style."""
    size, marks = 0.0, []
    for run in paragraph.iter(f"{W}r"):
        if run.find(f"{W}t") is None:
            continue
        bold, italic, line = (run.find(f"{W}rPr/{W}{name}") for name in "biu")
        mark = style.bold if bold is None else is_on(bold), is_on(italic), is_on(line)
        marks.append(("".join(part.text or " " for part in run.iter(f"{W}t", f"{W}tab")), mark))
        size = max(size, integer(value(run.find(f"{W}rPr/{W}sz"))) / 2)
    bold_all, _, underlined = (bool(marks) and all(mark[n] for _, mark in marks) for n in range(3))
    lead = {"lead": lead_of(text, marks), "underlined": underlined}
    return look(size or style.size or default_size, bold_all) | lead


def title_in(blocks: list[Block], noted: str) -> str:
    """Return the Title paragraph, else the title in the file's properties where the text bears it out."""
    borne_out = noted if noted and any(noted == block.text for block in blocks[:20]) else ""
    return next((block.text for block in blocks if block.evidence.get("title")), borne_out)


def below_title(blocks: list[Block]) -> list[Block]:
    """Return the blocks with the levels of headings under that of a title, if there is one."""
    if not any(block.evidence.get("title") for block in blocks):
        return blocks
    below = [block.kind == "heading" and not block.evidence.get("title") for block in blocks]
    return [replace(b, level=min((b.level or 1) + 1, 9)) if low else b for b, low in zip(blocks, below, strict=True)]
