"""How a paragraph of Word looks, for documents that use no heading styles."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.parse.docx_styles import Style
from engine.parse.ooxml import W, integer, is_on, value

TYPEWRITER = (
    "courier", "consolas", "menlo", "monaco", "lucida console", "source code", "dejavu sans mono", "jetbrains",
    "fira code", "fira mono", "cascadia", "liberation mono", "ubuntu mono", "roboto mono", "sf mono", "inconsolata",
)  # fmt: skip


class Look(NamedTuple):
    """How a paragraph looks: size in points, all bold, in a typewriter font."""

    size: float
    bold: bool
    typewriter: bool = False

    def evidence(self) -> dict[str, Any]:
        """Return the look as :func:`engine.structure.headings.find_headings` takes it: of text without a page."""
        return {
            "size": self.size, "top": self.size, "bold": float(self.bold), "italic": False, "font": "", "color": 0,
            "lines": 1, "column": (0.0, 0.0), "gap": 0.0, "pieces": 0, "upright": True,
        }  # fmt: skip


def look_of(paragraph: Any, style: Style, default_size: float) -> Look:
    """Return the look of a paragraph's text, from its runs, else its style."""
    bold, size, seen = True, 0.0, False
    fonts = set()
    for run in paragraph.iter(f"{W}r"):
        if run.find(f"{W}t") is None:
            continue
        seen = True
        fonts.add((value(run.find(f"{W}rPr/{W}rFonts"), f"{W}ascii") or style.font).lower())
        switch = run.find(f"{W}rPr/{W}b")
        bold = bold and (style.bold if switch is None else is_on(switch))
        size = max(size, integer(value(run.find(f"{W}rPr/{W}sz"))) / 2)
    typewriter = bool(fonts) and all(font.startswith(TYPEWRITER) for font in fonts)
    return Look(size or style.size or default_size, bold and seen, typewriter)
