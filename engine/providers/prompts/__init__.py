"""The prompts, one text file each."""

from functools import lru_cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@lru_cache(maxsize=32)
def prompt(name: str) -> str:
    """Return a prompt by its file's name."""
    return (_FOLDER / f"{name}.txt").read_text("utf-8").strip()
