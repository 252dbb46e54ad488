"""OpenDocument packages: names, lengths, and the styles that say what a paragraph or a list level is.

The parts are read as those of Office packages are: without entities, document types or network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from engine.errors import EncryptedFileError, UnreadableFileError
from engine.parse.ooxml import DC, Package

OFFICE, STYLE, TEXT, TABLE, DRAW, FO, SVG, NUMBER, PRESENTATION, CHART = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}"
    for name in (
        "office", "style", "text", "table", "drawing", "xsl-fo-compatible", "svg-compatible", "datastyle",
        "presentation", "chart",
    )
)  # fmt: skip
HREF = "{http://www.w3.org/1999/xlink}href"
MATHML = "{http://www.w3.org/1998/Math/MathML}"
MAX_PARENTS = 20
_LENGTH = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(cm|mm|in|pt|pc|px)\s*$")
_POINTS = {"cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
_ESCAPED = re.compile(r"_([0-9a-f]{1,5})_")


def points(length: str | None) -> float | None:
    """Return a length such as ``2.5cm`` in points, None when it is missing or of no known unit."""
    match = _LENGTH.match(length or "")
    return float(match[1]) * _POINTS[match[2]] if match else None


def is_encrypted(package: Package) -> bool:
    """Tell whether parts of the package are encrypted."""
    return b"encryption-data" in (package.data("META-INF/manifest.xml") or b"")


def content_of(package: Package, name: str, what: str) -> Any:
    """Return the root of the part that holds the document.

    Raises EncryptedFileError when it is encrypted, UnreadableFileError when it is missing or no XML.
    """
    if is_encrypted(package):
        raise EncryptedFileError(
            f"{name} is protected by a password. Remove the protection and add it again."
        )
    root = package.xml("content.xml")
    if root is None or root.find(f"{OFFICE}body") is None:
        raise UnreadableFileError(
            f"{name} is an OpenDocument {what} without readable contents. Open it in the program that made it "
            "and save it again."
        )
    return root


def stated_title(package: Package) -> str:
    """Return the title in the file's properties, "" without one."""
    meta = package.xml("meta.xml")
    found = None if meta is None else meta.find(f".//{DC}title")
    return "" if found is None else " ".join((found.text or "").split())


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How a level of a list is marked: a number format, or a bullet (``form`` is then "")."""

    form: str = ""
    bullet: str = ""
    prefix: str = ""
    suffix: str = ""
    shown_levels: int = 1
    start: int = 1


@dataclass(slots=True)
class Styles:
    """The styles of a document by family and name, and its list styles by name and level (from 1)."""

    named: dict[tuple[str, str], Any] = field(default_factory=dict)
    lists: dict[str, dict[int, ListLevel]] = field(default_factory=dict)
    outline: dict[int, ListLevel] = field(default_factory=dict)

    def lineage(self, name: str | None, family: str = "paragraph") -> list[Any]:
        """Return a style and those that it builds on, nearest first."""
        found: list[Any] = []
        while name and len(found) < MAX_PARENTS:
            style = self.named.get((family, name))
            if style is None:
                break
            found.append(style)
            name = style.get(f"{STYLE}parent-style-name")
        return found

    def names(self, name: str | None, family: str = "paragraph") -> list[str]:
        """Return the names of a style and its parents as people see them, in lower case."""
        shown = [name or ""]
        for style in self.lineage(name, family):
            shown.append(style.get(f"{STYLE}display-name") or style.get(f"{STYLE}name") or "")
            shown.append(style.get(f"{STYLE}parent-style-name") or "")
        return [_ESCAPED.sub(_unescaped, text).casefold() for text in shown if text]

    def first(self, name: str | None, attribute: str, family: str = "paragraph") -> str | None:
        """Return an attribute of a style or of the nearest parent that has it."""
        for style in self.lineage(name, family):
            if (value := style.get(attribute)) is not None:
                return str(value)
        return None

    def property(self, name: str | None, attribute: str, family: str) -> str | None:
        """Return a formatting property of a style or of the nearest parent that has it."""
        for style in self.lineage(name, family):
            for properties in style:
                if (value := properties.get(attribute)) is not None:
                    return str(value)
        return None


def styles_of(*roots: Any | None) -> Styles:
    """Return the styles of the parts; the document's own automatic styles go last and win."""
    styles = Styles()
    for root in roots:
        if root is None:
            continue
        for style in root.iter(f"{STYLE}style"):
            styles.named[style.get(f"{STYLE}family", ""), style.get(f"{STYLE}name", "")] = style
        for element in root.iter(f"{TEXT}list-style"):
            styles.lists[element.get(f"{STYLE}name", "")] = _levels(element)
        for element in root.iter(f"{TEXT}outline-style"):
            styles.outline = _levels(element)
    return styles


def _levels(style: Any) -> dict[int, ListLevel]:
    levels: dict[int, ListLevel] = {}
    for element in style:
        level = whole(element.get(f"{TEXT}level"), 0)
        if not 1 <= level <= 10:
            continue
        if element.tag in {f"{TEXT}list-level-style-number", f"{TEXT}outline-level-style"}:
            levels[level] = ListLevel(
                form=element.get(f"{STYLE}num-format", ""),
                prefix=element.get(f"{STYLE}num-prefix", ""),
                suffix=element.get(f"{STYLE}num-suffix", ""),
                shown_levels=min(whole(element.get(f"{TEXT}display-levels"), 1), level),
                start=whole(element.get(f"{TEXT}start-value"), 1),
            )
        else:
            levels[level] = ListLevel(bullet=element.get(f"{TEXT}bullet-char", "•"))
    return levels


def whole(text: str | None, default: int) -> int:
    """Return a count from an attribute, never negative."""
    try:
        return max(int(text), 0) if text else default
    except ValueError:
        return default


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code < 0x110000 else ""
