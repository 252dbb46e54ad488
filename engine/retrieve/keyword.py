"""Exact search: a node is found when its text holds the words, or matches the pattern, as they stand."""

import time
from collections.abc import Callable

from engine.errors import UsageError
from engine.index.tokenize import tokens
from engine.search_settings import KeywordSettings
from engine.structure.terms import fold

PATTERN_SECONDS = 5.0


def substring(words: str, settings: KeywordSettings) -> Callable[[str], int]:
    """Return a function that counts the words in a text; NFKC, and without case unless the settings say so.

    Runs of space count as one on both sides, so that a line break in a document hides nothing.
    """
    if settings.case_sensitive:
        needle = " ".join(words.split())
        return lambda text: " ".join(text.split()).count(needle)
    needle = fold(words)
    if needle.isascii():
        # Most texts do not hold the needle's first word in any form: look cheaply before folding.
        first = needle.split()[0]
        return lambda text: fold(text).count(needle) if not text.isascii() or first in text.lower() else 0
    return lambda text: 0 if text.isascii() else fold(text).count(needle)


def whole_words(words: str, settings: KeywordSettings) -> Callable[[str], int]:
    """Return a function as :func:`substring` does for what stands there in whole words and numbers: 15 is no 2015."""
    count, wanted = substring(words, settings), tokens(words)

    def counted(text: str) -> int:
        if not (found := count(text)) or not wanted or not fold(words).isascii():
            return found
        said, many = tokens(text), len(wanted)
        return sum(said[at : at + many] == wanted for at in range(len(said) - many + 1))

    return counted


def pattern(expression: str, settings: KeywordSettings, seconds: float = PATTERN_SECONDS) -> Callable[[str], int]:
    """Return a function that counts a regular expression's matches in a text.

    Raises UsageError for a bad expression; the function raises it when the matching, over all texts,
    takes more than ``seconds``, as a pattern with nested repetitions may.
    """
    import regex

    try:
        compiled = regex.compile(expression, 0 if settings.case_sensitive else regex.IGNORECASE)
    except regex.error as error:
        raise UsageError(f"The pattern {expression!r} is not a regular expression: {error}.") from error
    deadline = time.monotonic() + seconds

    def count(text: str) -> int:
        left = deadline - time.monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            return sum(1 for _ in compiled.finditer(text, timeout=left))
        except TimeoutError as error:
            raise UsageError(
                f"The pattern {expression!r} takes longer than {seconds:.0f} s on this library. "
                "Make it simpler: avoid repetitions inside repetitions."
            ) from error

    return count
