"""What a search is asked and gives."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from engine.model.tree import BBox, Node, Role
from engine.model.values import Value

SearchMode = Literal["hybrid", "semantic", "fulltext", "keyword"]
SEARCH_MODES: tuple[str, ...] = get_args(SearchMode)


@dataclass(frozen=True, slots=True)
class Filters(Value):
    """What a search may return. Empty means everything; lists are "any of".

    ``documents``, ``topics`` and ``collections`` are ids or names; ``version`` is a version number, None the
    current one; ``section`` matches section titles on a node's path by substring, without case; ``pages`` is a first
    and a last page (1-based, both included), of which a node must touch one; ``levels`` are heading levels;
    ``units`` are canonical names ("%", "USD"); ``has_numbers`` asks for nodes with figures (or without);
    ``col_types`` are types of a table's columns ("number", "date", "percent").
    """

    documents: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    section: str | None = None
    version: int | None = None
    pages: tuple[int, int] | None = None
    levels: tuple[int, ...] = ()
    units: tuple[str, ...] = ()
    chart_types: tuple[str, ...] = ()
    has_numbers: bool | None = None
    col_types: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """True when nothing is filtered."""
        return self == Filters()

    @classmethod
    def of(cls, given: object) -> Filters:
        """Build the filters from an object that has each by its name, those that are lists in the singular."""
        lists = {f.name: f.name.removesuffix("s") for f in dataclasses.fields(cls) if f.default == ()}
        plain = ("section", "version", "pages", "has_numbers")
        values: dict[str, Any] = {name: tuple(getattr(given, one)) for name, one in lists.items()}
        return cls(**values, **{name: getattr(given, name) for name in plain})


@dataclass(frozen=True, slots=True)
class Hit(Value):
    """One found node, with the ranks and scores that brought it here; shape of ``contracts.md``."""

    node_id: str
    document_id: str
    document: str
    version: int
    role: Role
    score: float
    rank: int
    page: int | None
    bbox: BBox | None
    path: list[str]
    snippet: str
    signals: dict[str, float | None] = field(default_factory=dict)
    ranks: dict[str, int | None] = field(default_factory=dict)
    why: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Condensed(Value):
    """What a found text says on the question, in a language model's words (seed 001); empty where it says nothing."""

    key_facts: list[str] = field(default_factory=list)
    summary: str = ""
    relevance_note: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult(Value):
    """The hits of one search, with timings by stage in milliseconds.

    ``views`` says which views took part ("dense", "sparse", "keyword"); ``notes`` says what was
    missing, such as embeddings that are still being computed. Where a model reranks or condenses, ``condensed`` are
    its words by node id, and ``text`` is all of it as other agents read it.
    """

    query: str
    mode: str
    hits: list[Hit]
    timings_ms: dict[str, float]
    views: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    condensed: dict[str, Condensed] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Evidence(Value):
    """A node's text as it is packed for an answer, with its anchor.

    ``text`` is the node's own text or a stretch of it, word for word. ``spans`` is the node's
    ``metadata["spans"]``: the pages and boxes of a node that continues in another column or page. ``table`` is
    the node itself where it is a table: operators compute with its cells. ``announced`` is set for an item of a
    list: the node id of the text that announces the list, and the item's place in it (1-based). ``subject`` is what
    the document is about as a whole, where that is known: its title and the text at its head. ``position`` is the
    node's place in its document, ``article`` what the article of a law or contract is called that it belongs to.
    ``condensed`` is what a model that answers is shown in place of the text, if any. ``doubted``: text recognition is
    not sure of a line of the text. ``above`` are titles and summaries of what it stands in, the outermost first.
    """

    hit: Hit
    text: str
    title: str = ""
    cell: str | None = None
    spans: list[dict[str, Any]] = field(default_factory=list)
    table: Node | None = None
    announced: tuple[str, int] | None = None
    subject: str = ""
    position: int = 0
    article: str = ""
    condensed: Condensed = Condensed()
    doubted: bool = False
    above: list[tuple[str, str]] = field(default_factory=list)

    @property
    def path(self) -> list[str]:
        """The titles of the sections above, and the article at the end where there is one."""
        return [*self.hit.path, self.article] if self.article else self.hit.path
