"""Planning without a model (seed 003, 6.2.3): the search is chosen by the features of the question and the evidence.

- A question of several parts is asked once for each of them.
- Names that the best passages hold and the question does not are looked up: the next hop of a chain.
- What the evidence leaves open is searched for by words, then by meaning.
"""

import re
from collections.abc import Sequence

from engine.answer.agent.plan import Move
from engine.answer.agent.state import AgentState
from engine.answer.phrases import Phrases
from engine.answer.understand import understand
from engine.answer.understand.terms import content_terms, coverage
from engine.config import Settings
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

# So many of the best passages have their names looked up in a round, and so many names in all.
_BEAM = 4
_MOST_NAMES = 40
_NAMED = re.compile(r"(?<=[a-z,;] )[A-Z][\w.&-]+|\d")
# A part is looked for by itself where the best passages hold less of it.
_HELD = 0.9


class RulePlanner:
    """Decides one step at a time by rules; it decides none ``ahead``."""

    ahead: Sequence[Move] = ()

    def __init__(self, settings: Settings, phrases: Phrases) -> None:
        self._settings = settings
        self._phrases = phrases
        self._asked: set[str] = set()

    def next(self, state: AgentState) -> Move | None:
        """Return the first step that a rule proposes and that was not taken yet."""
        return self._compare(state) or self._follow_names(state) or self._search_for_open(state)

    def _compare(self, state: AgentState) -> Move | None:
        """Ask once for each part of a question, those left out that the best passages hold already."""
        parts = understand(state.question).parts
        held = frozenset(tokens(" ".join(hit.snippet + " ".join(hit.path) for hit in state.web.ranked()[:5])))
        for part in parts if len(parts) > 1 else ():
            if part not in self._asked and coverage(content_terms(part), held) < _HELD:
                self._asked.add(part)
                thought = self._phrases.agent_subject.format(name=part)
                return Move(thought, "fulltext_search", {"query": part})
        return None

    def _follow_names(self, state: AgentState) -> Move | None:
        strands = state.web.frontier(_BEAM)
        names = [name for name in state.web.names(strands) if name not in self._asked][:_MOST_NAMES]
        if not names:
            return None
        self._asked.update(names)
        places = ", ".join(dict.fromkeys([one.stored.document, *one.stored.path][-1] for one in strands))
        thought = self._phrases.agent_names.format(places=places, names=", ".join(names[:6]))
        return Move(thought, "keyword_search", {"keywords": names})

    def _search_for_open(self, state: AgentState) -> Move | None:
        """Search for what the evidence leaves open, in the way that the question's features ask for."""
        words = state.web.open_words()
        rest = ("" if is_cjk(state.question) else " ").join(words)
        for tool, query in ((self._preferred(state.question), rest), ("semantic_search", state.question)):
            if query and f"{tool}:{query}" not in self._asked:
                self._asked.add(f"{tool}:{query}")
                given = {"keywords": words[:5]} if tool == "keyword_search" else {"query": query}
                return Move(self._phrases.agent_open.format(terms=query), tool, given)
        return None

    def _preferred(self, question: str) -> str:
        """Return the search that fits a question (seed 003, 6.2.3)."""
        search = self._settings.search
        if search.default_strategy != "auto":
            return f"{search.default_strategy}_search"
        hints = search.strategy_hints
        if _NAMED.search(question) or any(re.search(one, question) for one in hints.keyword_patterns):
            return "keyword_search"
        if any(word in question for word in hints.semantic_triggers):
            return "semantic_search"
        return "fulltext_search"
