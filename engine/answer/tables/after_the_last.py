"""What is due after the last year that a table names: "due after 2028" is the row "Thereafter".

So is "2029 and thereafter". A question is written with the name that the table prints; where the table goes on
beyond the year that is said, it is left as it is.
"""

from __future__ import annotations

import re

from engine.answer.tables.matching import years_in
from engine.answer.tables.table_source import TableSource

_AFTER = re.compile(
    r"\b(?:(?:after|beyond|later than|subsequent to)(?: the)?(?: end of)?(?: fiscal)?(?: year)?"
    r"|(?:from|since)(?= ?(?:19|20)\d\d (?:on|onwards?)\b)) ?(?P<year>(?:19|20)\d\d)(?: onwards?| on)?\b"
    r"|(?P<year_zh>(?:19|20)\d\d)年?(?:之后|以后|及以后|以后年度|后)(?:年度)?"
)
_REST = re.compile(
    r"^(?:(?P<from>(?:19|20)\d\d)年?\s*(?:and|及|&)?\s*)?(?:thereafter|beyond|later|after|(?:之|以)后(?:年度|各年)?|后续年度)$"
    r"|^(?:after|beyond) (?P<last>(?:19|20)\d\d)$",
    re.IGNORECASE,
)


def in_words_of_rest(question: str, source: TableSource) -> str:
    """Return a question of what comes after a year with the name of the table's row or column for all later years."""
    match = _AFTER.search(question)
    if match is None:
        return question
    table = source.table
    for names in ([row.leaf for row in table.rows], [c.name.rsplit(" / ", 1)[-1] for c in table.columns]):
        rest = [(name, found) for name in names if (found := _REST.match(name.strip(" .:")))]
        if len(rest) != 1:
            continue
        name, found = rest[0]
        years = {int(year) for other in names if other != name for year in years_in(other)}
        last = max(years, default=int(found["last"] or 0) or int(found["from"] or 1) - 1)
        said = int(match["year"] or match["year_zh"])
        begins = int(found["from"]) if found["from"] else last + 1
        if begins == said + 1:
            return question[: match.start()] + name + question[match.end() :]
    return question
