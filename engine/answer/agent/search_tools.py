"""Three searches (seed 003, 6.2.2): by exact words, by words, by meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from engine.answer.agent.names import agreement, title_terms
from engine.answer.agent.tool_phrases import ENGLISH, ToolPhrases
from engine.answer.agent.tools import Desk, Tool, ToolResult, schema
from engine.errors import UsageError
from engine.index.tokenize import query_terms
from engine.model import Hit
from engine.retrieve.keyword import pattern
from storage.base import StoredNode

Found = tuple[Hit, StoredNode]
_NEAR = 8
_BEARERS = 50
_A_KEYWORD = 3
# A full look at every text is dear; only so many keywords get one when the index finds none.
_LOOKED_UP = 4
_SNIPPET = 240
_MOST = 50


def search_tools(desk: Desk, phrases: ToolPhrases = ENGLISH) -> list[Tool]:
    """Return the three searches over a desk."""
    top_k = {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "default": desk.settings.agent.tools.search_top_k,
    }
    query = {"type": "string", "description": "what to search for"}

    def by_mode(mode: str) -> object:
        def run(query: str, top_k: int) -> ToolResult:
            result = desk.search(query, mode=mode, top_k=top_k)
            return _told([(hit, desk.node(hit.node_id)) for hit in result.hits], phrases)

        return run

    return [
        Tool("keyword_search", "search",
             "Find passages that hold or are titled by exact names, terms or numbers; several keywords at once.",
             "按关键词精确查找段落（名称、术语、数字），可一次给出多个关键词。",
             schema(["keywords"], keywords={"type": "array", "items": {"type": "string"}},
                    mode={"type": "string", "enum": ["exact", "regex", "fuzzy"], "default": "exact"},
                    case_sensitive={"type": "boolean", "default": False}),
             lambda **params: keyword_search(desk, phrases=phrases, **params)),
        Tool("fulltext_search", "search", "Search by several words (BM25).", "按多个词进行全文检索（BM25）。",
             schema(["query"], query=query, top_k=top_k), by_mode("fulltext")),  # type: ignore[arg-type]
        Tool("semantic_search", "search", "Search by meaning, when the documents may use other words.",
             "按语义检索，适合文档用词可能不同的问题。",
             schema(["query"], query=query, top_k=top_k), by_mode("semantic")),  # type: ignore[arg-type]
    ]  # fmt: skip


def keyword_search(
    desk: Desk, keywords: list[str], mode: str, case_sensitive: bool, phrases: ToolPhrases = ENGLISH
) -> ToolResult:
    """Return the passages that are titled by, or hold, each of the keywords. Raises UsageError for a bad pattern."""
    wanted = list(dict.fromkeys(word.strip() for word in keywords if word.strip()))
    if not wanted:
        raise UsageError(phrases.keywords_empty)
    found: dict[str, Found] = {}
    silent: list[str] = []
    scans = _LOOKED_UP
    for word in wanted:
        if mode == "regex":
            stored = _by_pattern(desk, word, case_sensitive)
        else:
            stored = _bearers(desk, word, case_sensitive, exact=mode == "exact")
            if not stored and mode == "exact" and len(wanted) <= _LOOKED_UP and scans:
                scans -= 1
                stored = _by_pattern(desk, re.escape(word), case_sensitive)
        if not stored:
            silent.append(word)
        for one in stored[: _A_KEYWORD if len(wanted) > 1 else _NEAR]:
            found.setdefault(one.node.node_id, (hit_of(one, word), one))
    result = _told(list(found.values())[:_MOST], phrases, named_only=True)
    if silent and len(silent) <= _LOOKED_UP:
        note = phrases.not_found.format(words=", ".join(silent))
        return ToolResult(
            result.summary, f"{result.text} {note}".strip(), result.quality, result.hits, result.worth
        )
    return result


def hit_of(stored: StoredNode, why: str, score: float = 0.0) -> Hit:
    """Return a node that was found by name or by browsing as a hit."""
    node = stored.node
    snippet = " ".join((node.text or node.title).split())[:_SNIPPET]
    return Hit(
        node.node_id, stored.document_id, stored.document, stored.version, node.role, score, 0, node.page,
        node.bbox, stored.path, snippet, why=[f"keyword:{why}"],
    )  # fmt: skip


def _bearers(desk: Desk, word: str, case_sensitive: bool, exact: bool) -> list[StoredNode]:
    """Return the nodes titled by a keyword, then those that hold it, each in the order of the sparse view."""
    hits = desk.snapshot.sparse_search(query_terms(word), _BEARERS if exact else _NEAR, desk.scope)
    nodes = [one for one in desk.snapshot.nodes([hit.key for hit in hits]) if one.node.text]
    terms = title_terms(word)
    titled = [one for one in nodes[:_NEAR] if _titled(one, terms)]
    known = {one.key for one in titled}
    looked_for = _fold(word, case_sensitive)
    holding = [
        one
        for one in nodes
        if one.key not in known and (not exact or looked_for in _fold(one.node.text, case_sensitive))
    ]
    return sorted(titled, key=lambda one: -_titled(one, terms)) + holding


def _titled(stored: StoredNode, terms: frozenset[str]) -> float:
    titles = [stored.document.rsplit(".", 1)[0], *stored.path[-1:], stored.node.title]
    best = max(agreement(terms, title_terms(title)) for title in titles)
    return best if best >= 0.5 else 0.0


def _by_pattern(desk: Desk, expression: str, case_sensitive: bool) -> list[StoredNode]:
    settings = desk.settings.search.keyword.model_copy(update={"case_sensitive": case_sensitive})
    count = pattern(expression, settings)
    keys = desk.snapshot.keyword_search(lambda text: count(text) > 0, _NEAR, desk.scope)
    return [one for one in desk.snapshot.nodes(keys) if one.node.text]


def _fold(text: str, case_sensitive: bool) -> str:
    normal = unicodedata.normalize("NFKC", text)
    return normal if case_sensitive else normal.casefold()


def _told(found: Sequence[Found], phrases: ToolPhrases, named_only: bool = False) -> ToolResult:
    documents = len({hit.document_id for hit, _ in found})
    if not found:
        return ToolResult("0", phrases.nothing_found, "empty")
    best, _ = found[0]
    summary = f"{len(found)} / {documents}: {' > '.join([best.document, *best.path])}"
    return ToolResult(summary, "", "good", list(found), None if named_only else 0.8)
