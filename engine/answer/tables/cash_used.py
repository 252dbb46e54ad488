"""Cash that goes out: what a question means by "burned the most cash" in a row that prints it below zero.

In a row "Cash provided by (used in) operating activities" the most cash is used where the number is the lowest; in
one of nothing but "Cash used in operating activities" where it is the highest.
"""

from __future__ import annotations

import re

_USED = re.compile(
    r"\b(?:burn(?:s|ed|t|ing)?|uses?|used|using|consum(?:e|es|ed|ing)|drain(?:s|ed|ing)?|spen[dt]s?|eat(?:s|en)?|ate)\b"
    r"(?= (?:up )?(?:the |its |their )?(?:most|least|more|less|highest|largest|lowest|smallest)\b)"
    r"|\b(?:cash|money) (?:was |were )?(?:burn(?:ed|t)|used|consumed|drained|spent)\b|(?:用掉|烧掉|花掉"
    r"|流出)的?(?:现金|钱)",
    re.IGNORECASE,
)
_BOTH_WAYS = re.compile(r"\b(?:provided|from|generated|inflows?)\b|流量净额|产生", re.IGNORECASE)
_OUT_ONLY = re.compile(r"\bused\b|\boutflows?\b|流出", re.IGNORECASE)


def asks_cash_used(question: str, name: str) -> bool:
    """True where cash that is used is asked for, and the row of this name prints it as a negative number."""
    out_only = _OUT_ONLY.search(name) is not None and _BOTH_WAYS.search(name) is None
    return _USED.search(question) is not None and not out_only
