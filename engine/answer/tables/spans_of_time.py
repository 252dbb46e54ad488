"""How long a period is that a text speaks of: a quarter and "three months ended" are the same, six months another."""

from __future__ import annotations

import re

_SPANS: tuple[tuple[re.Pattern[str], int], ...] = (
    (
        re.compile(
            r"\bquarters?\b|\b(?:three|3) months\b|\b(?:13|thirteen) weeks\b|季度|三个月", re.IGNORECASE
        ),
        3,
    ),
    (
        re.compile(
            r"\bhalf[- ]years?\b|\b(?:six|6) months\b|\b(?:26|twenty-six) weeks\b|半年|六个月", re.IGNORECASE
        ),
        6,
    ),
    (re.compile(r"\b(?:nine|9) months\b|\b(?:39|thirty-nine) weeks\b|九个月", re.IGNORECASE), 9),
    (
        re.compile(
            r"\b(?:twelve|12) months\b|\b(?:5[23]|fifty-(?:two|three)) weeks\b|十二个月|全年", re.IGNORECASE
        ),
        12,
    ),
)


def months_in(text: str) -> int | None:
    """Return how many months the one span is long that a text names; None where it names none or several."""
    found = [months for pattern, months in _SPANS if pattern.search(text)]
    return found[0] if len(found) == 1 else None


def of_other_span(question: str, name: str) -> bool:
    """True where a question and a column's name speak of periods of different lengths."""
    asked, told = months_in(question), months_in(name)
    return asked is not None and told is not None and asked != told
