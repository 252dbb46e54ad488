"""OpenDocument packages, read as those of Office are: names, the part that holds the document."""

from __future__ import annotations

from typing import Any

from engine.errors import UnreadableFileError
from engine.parse.limits import protected
from engine.parse.ooxml import Package, integer

OFFICE, STYLE, TEXT, TABLE, DRAW, FO, SVG, PRESENTATION, CHART = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}"
    for name in (
        "office", "style", "text", "table", "drawing", "xsl-fo-compatible", "svg-compatible",
        "presentation", "chart",
    )
)  # fmt: skip
HREF = "{http://www.w3.org/1999/xlink}href"


def content_of(package: Package, name: str, what: str) -> Any:
    """Return the root of the part that holds the document. Raises EncryptedFileError or UnreadableFileError."""
    if b"encryption-data" in (package.data("META-INF/manifest.xml") or b""):
        raise protected(name)
    root = package.xml("content.xml")
    if root is None or root.find(f"{OFFICE}body") is None:
        raise UnreadableFileError(
            f"{name} is an OpenDocument {what} without readable contents. Open it in the program that made it "
            "and save it again."
        )
    return root


def whole(text: str | None, default: int) -> int:
    """Return a count from an attribute, never negative."""
    return max(integer(text, default), 0)
