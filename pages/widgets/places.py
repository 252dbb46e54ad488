"""Where the pages lie, as Streamlit's links want it: absolute, so that it does not matter what was started."""

from pathlib import Path

PAGES = Path(__file__).resolve().parents[1]


def page_file(name: str) -> str:
    """Return the path of a page by its name, such as "chat"."""
    return str(PAGES / f"{name}.py")
