"""How the library is searched, and the web beside it (:mod:`engine.config`)."""

from re import Pattern
from typing import Any, Literal

from pydantic import Field

from engine.settings_section import AddressSettings, Section

_NAMED: Any = (r"\d{4}年", r"[一-龥]{2,4}[项目|系统|平台]", r"[A-Z][a-z]+[A-Z]")


class KeywordSettings(Section):
    """Exact and pattern search; ``context_lines`` are shown before and after the line that matches."""

    case_sensitive: bool = False
    max_results: int = Field(50, ge=1)
    context_lines: int = Field(2, ge=0)


class FulltextSettings(Section):
    """Full-text search; ``min_rank`` is the least score of a hit, as a share of the best one's."""

    min_rank: float = Field(0.1, ge=0)


class SemanticSettings(Section):
    """Vector search: ``enabled`` for questions, ``top_k`` where the agent does not say how many.

    ``relevance_threshold`` is the least cosine of a hit where meaning alone is searched. It differs by model: the one
    that ships gives more than 0.7 to nearly everything, others less to what is relevant. So it is 0 unless it is set.
    """

    enabled: bool = True
    relevance_threshold: float = Field(0, ge=0, le=1)
    top_k: int = Field(5, ge=1)


class StrategyHints(Section):
    """Patterns by which the search mode is chosen (seed 003, 6.2.3)."""

    keyword_patterns: tuple[Pattern[str], ...] = Field(_NAMED)
    semantic_triggers: tuple[str, ...] = ("什么", "怎么", "为什么", "有哪些", "如何")


class SearchSettings(Section):
    """The three searches and how one is chosen."""

    default_strategy: Literal["auto", "keyword", "fulltext", "semantic"] = "auto"
    keyword: KeywordSettings = KeywordSettings()
    fulltext: FulltextSettings = FulltextSettings()
    semantic: SemanticSettings = SemanticSettings()
    strategy_hints: StrategyHints = StrategyHints()


class WebSearchSettings(AddressSettings):
    """What searches the web where the documents do not tell, with ``agent.enable_web_search``.

    ``searxng`` is an instance at ``api_base``, whose settings allow JSON; its key is for a proxy before it. ``tavily``
    is that service, by its key; an ``api_base`` is another address of it. The question, or what a model makes of it, is
    sent there.
    """

    provider: Literal["searxng", "tavily"] = "searxng"
    max_results: int = Field(5, ge=1, le=20)
    timeout: float = Field(10, gt=0, le=120)

    @property
    def configured(self) -> bool:
        """True where the service has what it takes: an address, or the key."""
        return bool(self.api_base if self.provider == "searxng" else self.api_key)
