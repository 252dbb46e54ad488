"""Questions that only a number answers: "How heavy is the scanner?", 阀门多重, and whether a text tells any."""

from __future__ import annotations

import re

# "How long" and "how much" are answered by "until the end" and "free of charge", too.
_ASKED = re.compile(
    r"\bhow (?:heavy|tall|high|wide|deep|far|fast|big|large|old|thick|many)\b|\bhow much (?:do|does|did) .*\bweigh"
    r"|多(?:重|高|宽|深|远|快|厚)|多少[个名位人台件辆家种次天年月米斤吨倍]",
    re.IGNORECASE,
)
# The digits of a code ("MX5") tell nothing.
_TOLD = re.compile(
    r"(?<![A-Za-z\d-])\d|[一二两三四五六七八九十百千万半几数双]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen"
    r"|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|single|sole"
    r"|both|only|no|none|once|twice|several|many|few|pair|couple|third|quarter)s?\b",
    re.IGNORECASE,
)


def asks_quantity(question: str) -> bool:
    """Tell whether a question asks for a measure or a count."""
    return bool(_ASKED.search(question))


def tells_quantity(text: str) -> bool:
    """Tell whether a text has any number, in digits or in words."""
    return bool(_TOLD.search(text))
