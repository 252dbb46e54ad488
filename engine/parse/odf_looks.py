"""How OpenDocument paragraphs look, for documents that use no heading styles."""

from __future__ import annotations

from typing import Any

from engine.parse.docx_headings import TYPEWRITER, Look
from engine.parse.odf_package import FO, STYLE, TEXT, Styles, points

DEFAULT_SIZE = 12.0
_BOLD = frozenset({"bold", "600", "700", "800", "900"})


def look_of(paragraph: Any, styles: Styles) -> Look:
    """Return the look of a paragraph's words: that of its spans, else of its style."""
    own = str(paragraph.get(f"{TEXT}style-name") or "")
    size = points(styles.property(own, f"{FO}font-size", "paragraph")) or DEFAULT_SIZE
    weight = styles.property(own, f"{FO}font-weight", "paragraph") in _BOLD
    bold, sizes, fonts = True, [], set()
    for element in paragraph.iter(f"{TEXT}p", f"{TEXT}h", f"{TEXT}span", f"{TEXT}a"):
        words = (element.text or "") + "".join(child.tail or "" for child in element)
        if element.tag == f"{TEXT}a" or not words.strip():
            continue
        name = str(element.get(f"{TEXT}style-name") or "") if element.tag == f"{TEXT}span" else ""
        stated = styles.property(name, f"{FO}font-weight", "text") if name else None
        bold = bold and (weight if stated is None else stated in _BOLD)
        sizes.append((points(styles.property(name, f"{FO}font-size", "text")) if name else None) or size)
        font = styles.property(name, f"{STYLE}font-name", "text") if name else None
        fonts.add((font or styles.property(own, f"{STYLE}font-name", "paragraph") or "").casefold())
    typewriter = bool(fonts) and all(font.startswith(TYPEWRITER) for font in fonts)
    centred = styles.property(own, f"{FO}text-align", "paragraph") == "center"
    return Look(max(sizes, default=size), bold and bool(sizes), centred, typewriter)
