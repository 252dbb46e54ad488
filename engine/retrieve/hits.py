"""What a finished search found: ranked nodes with the reasons for each."""

import time

from engine.model import BBox, Hit, Node, SearchResult
from engine.retrieve.query import Query
from engine.retrieve.rerank import Candidate
from engine.retrieve.run import Run
from engine.retrieve.snippet import SNIPPET_LETTERS, Passage
from engine.structure.terms import fold

MAX_TERMS = 6


def result_of(run: Run, query: str, started: float, explain: bool = True) -> SearchResult:
    """Return the hits of a run, as :func:`hits_of`; ``started`` is when it began (``time.perf_counter``)."""
    hits = hits_of(run, explain)
    run.lap("explain")
    run.timings["total"] = round((time.perf_counter() - started) * 1000, 2)
    return SearchResult(query, run.mode, hits, run.timings, run.views, run.notes)


def hits_of(run: Run, explain: bool = True) -> list[Hit]:
    """Return the first ``run.depth`` nodes of the final ranking as hits, with snippets and reasons to ``explain``."""
    return [_hit(run, rank, one, explain) for rank, one in enumerate(run.ranked[: run.depth], 1)]


def _hit(run: Run, rank: int, one: Candidate, explain: bool) -> Hit:
    stored, node, fused = one.stored, one.stored.node, one.fused
    exact = run.mode == "keyword"
    score, rerank = round(max(0.0, one.score), 4), one.together
    if one.judged is not None:
        score = rerank = one.judged
    views = {"dense": fused.dense, "sparse": fused.sparse}
    signals = {**views, "tree_prior": one.tree_prior, "intent": one.intent, "rerank": rerank}
    ranks = {"dense": fused.dense_rank, "sparse": fused.sparse_rank, "keyword": rank if exact else None}
    why = ["exact"] if exact else reasons(run.query, one) if explain else []
    return Hit(
        node.node_id, stored.document_id, stored.document, stored.version, node.role, score, rank,
        *place_of(node, one.passage), stored.path, _snippet(run, one) if explain else "", signals, ranks, why,
    )  # fmt: skip


def _snippet(run: Run, one: Candidate) -> str:
    """The sentences that hold most; of exact search the best line with those around it, not too long."""
    if run.mode != "keyword":
        return one.passage.snippet()
    count, text, at = run.settings.search.keyword.context_lines, one.passage.text, one.passage.best_at
    before, after = text[:at].split("\n"), text[at:].split("\n")
    start = at - len("\n".join(before[-1 - count :]))
    end = at + len("\n".join(after[: 1 + count]))
    return text[start:end].strip() if end - start <= SNIPPET_LETTERS else one.passage.snippet()


def reasons(query: Query, one: Candidate) -> list[str]:
    """Return reasons such as ``terms:cloud,revenue``, ``title:cloud``, ``phrase:"net sales"``, ``meaning:#3``."""
    why = []
    if one.fused.sparse_rank is not None:
        why += _named("terms", one.passage.terms) + _named("title", one.passage.above)
        why += _named("translated", one.passage.translated)
    if query.phrases:
        folded = fold(one.stored.node.text)
        why += [f'phrase:"{phrase}"' for phrase in query.phrases if phrase in folded]
    if one.fused.dense_rank is not None:
        why.append(f"meaning:#{one.fused.dense_rank}")
    return why + one.why


def _named(kind: str, terms: set[str]) -> list[str]:
    """The longest terms, without those that are parts of another."""
    longest = sorted(terms, key=lambda term: (-len(term), term))
    named = [term for i, term in enumerate(longest) if not any(term in other for other in longest[:i])]
    return [f"{kind}:" + ",".join(named[:MAX_TERMS])] if named else []


def place_of(node: Node, passage: Passage) -> tuple[int | None, BBox | None]:
    """Return the page (from 1) and the box of a node's part that holds most of the question; None where unknown."""
    spans = node.metadata.get("spans")
    if not spans or passage.text != node.text or not all("chars" in span for span in spans):
        return node.page, node.bbox
    at, end = passage.best_at, 0
    for span in spans:
        end += span["chars"]
        if at < end:
            break
    x0, y0, x1, y1 = span["bbox"]
    return span["page"], (x0, y0, x1, y1)
