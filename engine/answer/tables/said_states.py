"""What a question says of the state or kind of works in other words than their notes do.

"Not finished yet" is "Post-production" in a filmography, "still shooting" is "Filming", "shorts" are those noted as
"Short film", 没拍完 is 后期制作. Each becomes the texts of the one column that hold it.
"""

from __future__ import annotations

import re

from engine.answer.tables.said_results import SaidTexts
from engine.answer.tables.typed_table import TypedTable

_PRODUCED = r"finished|completed?|done|released|out|ready"
# What a question says, and how the cell of such a row begins.
_STATES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(said), re.compile(cell, re.IGNORECASE))
    for said, cell in (
        (r"\b(?:finished|completed) but (?:not|never) (?:yet )?(?:released|shown|out)\b(?: yet)?"
         r"|已完成(?:但)?(?:未|没有?)上映",
         r"completed\b|已完成"),
        (rf"(?:\bnot|n['’]t|\bnever) (?:yet )?(?:been )?(?:{_PRODUCED})\b(?: yet)?|\bunfinished\b|\bunreleased\b"
         r"|\bstill (?:being (?:made|edited)|to come|in the works)\b|(?:没有?|未|尚未|还没)(?:拍完|完成|上映|播出)",
         r"(?:post|pre)[- ]?production|filming|in (?:production|development)|announced|upcoming|unreleased|scheduled"
         r"|后期制作|拍摄中|筹备|待映|待播"),
        (r"\bstill (?:shooting|filming|being (?:shot|filmed)|on the set)\b|\bbeing (?:shot|filmed)\b|(?:还在"
         r"|正在)拍摄?",
         r"filming|shooting|in production|principal photography|拍摄中|正在拍摄"),
        (r"\bshorts\b|\bshort (?:films|movies|ones)\b|短片", r"short(?: film| subject| movie)?\b|短片"),
        (r"\b(?:was|were|is|are|went|go(?:es)?) (?:not|n['’]t) credited\b|\bwithout (?:a )?credit\b|未署名",
         r"uncredited|未署名"),
        (r"\b(?:made )?for (?:the )?(?:tv|television)\b|\b(?:tv|television) (?:films|movies)\b|电视电影",
         r"(?:tv|television|made[- ]for[- ](?:tv|television)) (?:film|movie)|电视电影"),
        (r"\bas a guest\b|\bguest (?:roles?|parts?|spots?)\b|客串", r"guest\b|客串"),
        (r"\b(?:voice (?:roles?|parts?)|(?:lent|lend|gave) (?:his|her|their) voice|voiced)\b|配音", r"voice\b"
         r"|\(voice\)|配音"),
    )
)  # fmt: skip


def state_said(table: TypedTable, text: str) -> SaidTexts | None:
    """Return the notes that a question (lower case) means, or None where no column or more than one holds such."""
    for said, cell in _STATES:
        match = said.search(text)
        if match is None:
            continue
        held = {
            column.index: texts
            for column in table.columns
            if (texts := _texts_of(table, column.index, cell, match[0]))
        }
        if len(held) == 1:
            index, texts = held.popitem()
            return SaidTexts(index, texts, *match.span())
    return None


def _texts_of(table: TypedTable, column: int, cell: re.Pattern[str], said: str) -> tuple[str, ...]:
    """Return the texts of a column that say the state; none where one says it in the question's own words."""
    texts = dict.fromkeys(table.text(row.index, column) for row in table.records)
    if any(text.casefold() == said for text in texts):
        return ()
    return tuple(text for text in texts if cell.match(text))
