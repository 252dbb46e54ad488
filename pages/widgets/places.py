"""Where the pages lie, as Streamlit's links want it (absolute, whatever was started), and places in documents."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

from engine.model import Document

_FOLDER = Path(__file__).resolve().parents[1]
PAGES = sorted(path.stem for path in _FOLDER.glob("[a-z]*.py"))

# So much of what is quoted stands in an address, to be marked where it leads.
QUOTE_CHARACTERS = 600


def page_file(name: str) -> str:
    """Return the path of a page by its name, such as "chat"."""
    return str(_FOLDER / f"{name}.py")


def document_place(**given: object) -> dict[str, str]:
    """Return the query parameters of the Document page at a place; what is empty is left out."""
    return {name: str(value) for name, value in given.items() if value}


def document_address(**given: object) -> str:
    """Return the address of the Document page at a place, relative to any page."""
    return f"document?{urlencode(document_place(**given), quote_via=quote, safe='')}"


@dataclass(frozen=True, slots=True)
class Place:
    """What an address names: ``?doc=&version=&node=&page=&part=&cell=&quote=``; all may lack but doc or node."""

    document: Document
    version: int
    node_id: str | None
    page: int | None
    quote: str
    cell: str = ""
    part: int | None = None

    def parameters(self, **changes: str | int | None) -> dict[str, str]:
        """Return the query parameters of this place with some of them changed; None leaves one out."""
        old = self.version != self.document.version
        values: dict[str, str | int | None] = {
            "doc": self.document.document_id, "version": self.version if old else None, "node": self.node_id,
            "page": self.page, "cell": self.cell, "quote": self.quote, "part": self.part,
        }  # fmt: skip
        return document_place(**values | changes)
