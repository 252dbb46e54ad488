"""What a question says that a table knows nothing of: no name, cell or text above it has the word or one like it."""

from __future__ import annotations

import re

from engine.answer.tables.matching import features
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.record_words import AGENTS, EVENTS_OF_NUMBERS, IDLE
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.word_families import alike, same_root
from engine.structure.sentences import is_cjk

# What the rows are need not be said in a list: "which plane", "how many of her credits".
_THING_ASKED = re.compile(
    r"\b(?:which|what|how many)(?: of (?:the|his|her|its|their))? [a-z]+\b", re.IGNORECASE
)
_OF_ANYTHING = (
    IDLE
    | EVENTS_OF_NUMBERS
    | AGENTS
    | features("still yet part belong credit role game match race event edition add up point pretax")
    | features("drop rise fall climb shrink grow")
)


def unknown_in(question: Question, source: TableSource) -> frozenset[str]:
    """Return the features of a question's words that stand nowhere in the table, above it or in its announcement."""
    known = source.known_features | source.announced
    return frozenset(
        f
        for f in question.names
        if f[0] not in "§#"
        and not f.isdigit()
        and not is_asking(f)
        and not ({f} | alike(f)) & known
        and not any(same_root(f, other) for other in known)
    )


def says_unknown(question: str, source: TableSource) -> bool:
    """True where a question says what the table knows nothing of; what is said of anything is left out.

    So is Chinese, whose pairs of characters are no words.
    """
    asked = Question(_THING_ASKED.sub(" ", question))
    return any(f not in _OF_ANYTHING and not is_cjk(f) for f in unknown_in(asked, source))
