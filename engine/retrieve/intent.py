"""What a question asks for beside its words: a place, a kind of node, an operation (seed 002, 6.1, 6.2).

Everything here is told from the question alone, in Chinese and English, and is only ever a preference or a
promise to look: what a question names (a label) is looked up and never lost on the way.
"""

import re
from dataclasses import dataclass, field

from engine.enrich.figures import chart_facts
from engine.enrich.labels import Label
from engine.enrich.references import references_in
from engine.language import compiled, patterns

MOST_LABELS = 5

_DATA = patterns("intent")


def _any(english: str, chinese: str) -> re.Pattern[str]:
    return compiled(rf"\b(?:{english})\b|{chinese}")


_ROLE_WORDS = {role: _any(*words) for role, words in _DATA["roles"].items()}
_OPERATIONS = {name: _any(*words) for name, words in _DATA["operations"].items()}
_LITERATURE = _any(*_DATA["literature"])


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question asks for.

    ``labels`` are places it names ("Figure 3b", 第三章), ``of_a_work`` the keys of those that it says are a certain
    work's (《公司法》第十条); ``roles`` the kinds of node, ``chart_type`` that of chart it speaks of; ``operations``
    what it wants (COMPARE, RANK, TREND, PERCENT, SUM, AVERAGE, LOOKUP); ``literature`` whether works that are cited.
    """

    labels: tuple[Label, ...] = ()
    of_a_work: frozenset[str] = frozenset()
    roles: frozenset[str] = field(default_factory=frozenset)
    operations: frozenset[str] = field(default_factory=frozenset)
    literature: bool = False
    chart_type: str = ""


def intent_of(text: str) -> Intent:
    """Return what a question asks for beside its words."""
    references = references_in(text, elsewhere=True)
    labels = tuple({one.label.key: one.label for one in references}.values())[:MOST_LABELS]
    return Intent(
        labels=labels,
        of_a_work=frozenset(one.label.key for one in references if one.elsewhere),
        roles=frozenset(role for role, words in _ROLE_WORDS.items() if words.search(text)),
        operations=frozenset(name for name, words in _OPERATIONS.items() if words.search(text)),
        literature=bool(_LITERATURE.search(text)),
        chart_type=chart_facts(text).get("chart_type", ""),
    )
