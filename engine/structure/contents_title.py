"""The headings that announce a printed table of contents."""

from __future__ import annotations

import re

TITLE = re.compile(
    r"^(?:table\s+of\s+contents?|contents?|list\s+of\s+(?:figures|tables)|目\s*录|目\s*次|目\s*錄|inhalt(?:sverzeichnis)?"
    r"|table\s+des\s+mati[eè]res|sommaire|índice|contenido)$",
    re.IGNORECASE,
)


def is_contents_title(text: str) -> bool:
    """Tell whether a heading announces a table of contents."""
    return bool(TITLE.match(text.strip(" .:：")))
