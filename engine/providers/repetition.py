"""A model that says one thing again and again until its room is used up, as small ones do now and then."""

from __future__ import annotations

# That many of the last letters, so often within so many before them; looked for whenever so many new ones have come.
_SAID, _TIMES, _WITHIN, _EVERY = 80, 12, 6000, 400


class Repetition:
    """Tells of a text that comes in pieces whether it has begun to repeat itself only."""

    def __init__(self) -> None:
        self._recent, self._new = "", 0

    def seen_in(self, piece: str) -> bool:
        """Take the next piece and return whether what came last has come a dozen times, word for word."""
        self._recent, self._new = (self._recent + piece)[-_WITHIN:], self._new + len(piece)
        if self._new < _EVERY:
            return False
        self._new = 0
        return self._recent.count(self._recent[-_SAID:]) >= _TIMES
