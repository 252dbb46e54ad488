"""Names of documents made from names of files: safe to show, to log and to compare, never used to open one."""

import re
import unicodedata

MAX_LENGTH = 200
NAMELESS = "unnamed"
# Marks and formats that reorder or hide text; joiners (U+200C, U+200D) stay: scripts and emoji need them.
_HIDDEN = re.compile(
    r"[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_DRIVE = re.compile(r"^(?:[A-Za-z]:[/\s]*)+")
_SUFFIX = re.compile(r"\.[^./\s]{1,16}$")


def clean_name(name: str) -> str:
    """Return a relative path (NFC, MAX_LENGTH at most) without what hides or reorders text; never empty."""
    text = unicodedata.normalize("NFC", name).replace("\\", "/")
    kinds = ((c, unicodedata.category(c)) for c in _HIDDEN.sub("", text))
    text = "".join(" " if kind == "Cc" else c for c, kind in kinds if kind != "Cs")
    text = _DRIVE.sub("", text.strip())
    parts = [" ".join(part.split()) for part in text.split("/")]
    parts = [part for part in parts if part.strip(". ")]
    return _shortened("/".join(parts)) or NAMELESS


def _shortened(path: str) -> str:
    if len(path) <= MAX_LENGTH:
        return path
    base = path.rpartition("/")[2]
    suffix = match.group() if (match := _SUFFIX.search(base)) else ""
    if len(base) <= MAX_LENGTH:
        return path[-MAX_LENGTH:].lstrip("/ ")
    return base[: MAX_LENGTH - len(suffix)].rstrip() + suffix
