"""Names without their dates, and names that are nothing but a date: "Year ended December 31, 2019"."""

from __future__ import annotations

import re

from engine.answer.tables.matching import years_in

# The days on which periods end shift from year to year; marks of footnotes are no part of a name.
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    r"(?<!\w)['’]\d\d\b|\b\d\d?([/.-])\d\d?\1(?:\d\d){1,2}\b"
    rf"|\b(?:\d\d? )?{_MONTH}(?:[-–/]|\s?['’])(?:\d\d){{1,2}}\b|\b\d\d?[ -]{_MONTH}[ ,-]{{1,2}}\d\d\b"
    rf"|\b{_MONTH}(?: ?\d\d?\b)?|\b(?:year|period|quarter|month)[ -]ends?\b"
    rf"|\b\d\d? (?={_MONTH})|\b(?:FY|CY|F)\s?['’]?\d\d(?:\d\d)?\b"
    r"|(?:19|20)\d\d(?:[/-]\d\d\b)?年?|\b5[23] weeks|\(\w{1,2}\)|\b(?:(?:un)?audited|restated)\d?\b"
    r"|\b(?:for|as|at|of|on|the|fiscal|financial|years?|ended|ending|3[01])\b",
    re.IGNORECASE,
)


def undated(name: str) -> str:
    """Return a name without its dates: of the columns of one kind in several years the same is left."""
    return " ".join(re.findall(r"\w+|[%$€£¥]", _DATE.sub(" ", name.casefold())))


def is_only_period(text: str) -> bool:
    """True for a text that names one year or day of it and says nothing else."""
    return len(years_in(text)) == 1 and not re.search(r"[^\W\d_]{2}", undated(text))
