"""Where the pages lie, as Streamlit's links want it (absolute, whatever was started), and places in documents."""

from pathlib import Path
from urllib.parse import quote, urlencode

_FOLDER = Path(__file__).resolve().parents[1]
PAGES = sorted(path.stem for path in _FOLDER.glob("[a-z]*.py"))


def page_file(name: str) -> str:
    """Return the path of a page by its name, such as "chat"."""
    return str(_FOLDER / f"{name}.py")


def document_place(**given: object) -> dict[str, str]:
    """Return the query parameters of the Document page at a place; what is empty is left out."""
    return {name: str(value) for name, value in given.items() if value}


def document_address(**given: object) -> str:
    """Return the address of the Document page at a place, relative to any page."""
    return f"document?{urlencode(document_place(**given), quote_via=quote, safe='')}"
