"""One search on its way through the stages; everything it leaves behind can be looked at afterwards.

The stages: understand the question, recall from the views (once more without the names of documents, where
it names some), fuse, look up what the question names, walk from the best nodes over their graphs (expand), rerank by
the texts and the priors, read the first texts (the reader that ships) and, where one is set up, ask a reranking model.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.config import Settings
from engine.errors import ProviderError, UsageError
from engine.model import SEARCH_MODES, Filters
from engine.providers.embedding import Embedder
from engine.providers.reading import Reader
from engine.providers.reranking import Reranker
from engine.retrieve.document_names import Naming, named_documents, properly_named, without_names
from engine.retrieve.everyday_words import formal_words
from engine.retrieve.expand import SEEDS, Step, expand
from engine.retrieve.financial_statements import look_up_statements
from engine.retrieve.fusion import Fused, fuse, trust_in_words
from engine.retrieve.keyword import pattern, substring
from engine.retrieve.model_rerank import by_model
from engine.retrieve.named import Named, look_up
from engine.retrieve.narrowing import Narrowed, narrowed
from engine.retrieve.notes import note
from engine.retrieve.query import MAX_LETTERS, Intent, Query, understand
from engine.retrieve.reader_rerank import by_reader
from engine.retrieve.rerank import Candidate, candidates, keep_named, rerank, within_one
from engine.retrieve.translation import in_script_of, translations
from storage.base import Scope, Scored, Snapshot, Storage, StoredNode

MAX_TOP_K = 1000
# So many of the best sparse hits tell how much of the question words account for.
BEST_MATCHES = 10
# The documents of so many of each view's best nodes may be those that the question names; a shorter one than this many
# nodes is about its name throughout.
NAMED_AMONG, LONG_DOCUMENT = 20, 30
# So many of the documents that are named, the best named, are looked into each.
MOST_NAMED = 8
# What a node gains for being in the document that is named, by a whole part of its name or a piece of one; where
# another document is named twice as well, a quarter of it.
IN_NAMED_DOCUMENT, IN_HALF_NAMED = 0.4, 0.2


@dataclass
class Run:
    """A search with what each stage made of it.

    ``asked`` is the question as it came, ``query`` what is looked for. ``dense`` and ``sparse`` are the views'
    rankings, ``fused`` their joint ranking, ``ranked`` the final one, longer than the ``depth`` that is asked for.
    ``in_named`` are the long documents that the question names, with what being in them is worth, ``label_scopes``
    those of any length in which its labels are looked up first. ``matched`` is the share of the question that the
    best hits by words hold; ``named`` what the question names; ``steps`` the ways over the graphs; ``timings``
    milliseconds by stage.
    """

    query: Query
    mode: str
    storage: Storage
    snapshot: Snapshot
    filters: Filters
    scope: Scope
    settings: Settings
    embedder: Embedder | None
    depth: int
    asked: str
    vector: np.ndarray | None = None
    dense: list[Scored] = field(default_factory=list)
    sparse: list[Scored] = field(default_factory=list)
    in_named: list[tuple[Scope, float]] = field(default_factory=list)
    label_scopes: list[Scope] = field(default_factory=list)
    matched: float = 1.0
    fused: list[Fused] = field(default_factory=list)
    named: list[Named] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    ranked: list[Candidate] = field(default_factory=list)
    dropped: list[Candidate] = field(default_factory=list)
    views: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    @property
    def model(self) -> str:
        """The embedding model's identity."""
        return self.embedder.name if self.embedder else ""

    def note(self, name: str, **values: object) -> None:
        """Add one of :mod:`engine.retrieve.notes`."""
        self.notes.append(note(self.query.text, name, **values))

    def lap(self, stage: str) -> None:
        """Note the time since the last stage."""
        now = time.perf_counter()
        self.timings[stage] = round((now - self._since) * 1000, 2)
        self._since = now


def run_search(
    query: str, *, storage: Storage, embedder: Embedder | None, settings: Settings, mode: str, regex: bool = False,
    filters: Filters = Filters(), depth: int = 10, also: Sequence[str] = (), reranker: Reranker | None = None,
    reader: Reader | None = None,
) -> Run:  # fmt: skip
    """Return the search, done: its first ``depth`` ranked nodes are what answers the question best.

    Modes: hybrid (meaning and words, weighed for each question), semantic, fulltext, keyword (exact;
    ``regex`` makes the query a pattern). ``also`` are other forms of words in the question; ``reader`` reads
    the first texts of a hybrid search, ``reranker`` has the last word over the best nodes.
    Where vectors are missing, what is missing stands in ``notes``; a semantic or hybrid search with no vectors at all
    searches by words and says so. Raises UsageError for an empty query, an unknown mode or a bad pattern,
    NotFoundError for an unknown document.
    """
    _check(mode, regex, depth)
    snapshot = storage.snapshot()
    understood = _understood(query, also, snapshot, settings if mode != "keyword" else None)
    if mode == "keyword":
        inside = Narrowed(query, filters, snapshot.scope(filters))
    else:
        inside = narrowed(understood.text, snapshot, filters)
    run = Run(
        understood, mode, storage, snapshot, inside.filters, inside.scope, settings, embedder, depth, query,
        notes=list(inside.notes),
    )  # fmt: skip
    run.lap("scope")
    if mode == "keyword":
        _by_keyword(run, query, regex)
    else:
        _recall(run)
        run.fused = _fuse(run)
        _rank(run)
        if reader is not None and mode == "hybrid":
            by_reader(run, reader)
        run.ranked = keep_named(run.ranked, run.named, run.depth)
        within_one(run.ranked)
        if reranker is not None:
            by_model(run, reranker)
    return run


def _check(mode: str, regex: bool, depth: int) -> None:
    if mode not in SEARCH_MODES:
        raise UsageError(f"There is no search mode {mode!r}; there are {', '.join(SEARCH_MODES)}.")
    if regex and mode != "keyword":
        raise UsageError("A pattern can only be searched in mode keyword.")
    if not 1 <= depth <= MAX_TOP_K:
        raise UsageError(f"The number of hits must be between 1 and {MAX_TOP_K}, not {depth}.")


def _understood(text: str, also: Sequence[str], snapshot: Snapshot, settings: Settings | None) -> Query:
    """The question taken apart, in the script and with its words in the language of the library's texts, too."""
    if settings is None or len(text) > MAX_LETTERS:
        return understand(text, also)
    query = understand(in_script_of(snapshot, text) if settings.retrieval.translate else text, also)
    return _in_words_of(query, snapshot, settings)


def _in_words_of(query: Query, snapshot: Snapshot, settings: Settings) -> Query:
    """The question with what the library's texts may say for its words."""
    return replace(
        query,
        translated=translations(query.text, snapshot) if settings.retrieval.translate else (),
        formal=formal_words(query.text, snapshot) if settings.retrieval.formal_words else (),
    )


def _recall(run: Run) -> None:
    run.vector = None if run.mode == "fulltext" else _query_vector(run)
    if run.vector is not None:
        run.dense = _dense(run, run.vector)
        run.views.append("dense")
        run.lap("dense")
    if run.mode != "semantic" or run.vector is None:
        run.sparse = _sparse(run)
        run.views.append("sparse")
        run.lap("sparse")
    _recall_in_named(run)
    if run.dense and run.sparse:
        best = [one.key for one in run.sparse[:BEST_MATCHES]]
        share = run.snapshot.matched_share
        run.matched = max(*share(run.query.terms, best), *share(run.query.translated, best))


def _recall_in_named(run: Run) -> None:
    """Where the question names long documents, ask again without their names, there and everywhere."""
    names = _namable(run)
    naming = named_documents(run.query.text, names)
    if naming is None:
        return
    scopes = {key: run.snapshot.scope(replace(run.filters, documents=(key,))) for key in naming.documents}
    run.label_scopes = [scopes[key] for key in _best_named(naming)]
    long = {key: names[key] for key, scope in scopes.items() if scope.size >= LONG_DOCUMENT}
    # Unless a short one is meant: "the WARN report" is no other report.
    if any(naming.documents[key] == 1 for key in long) and (naming := named_documents(run.query.text, long)):
        _recall_without_names(run, naming, scopes, long)


def _namable(run: Run) -> dict[str, str]:
    """The names, by id, of the documents that the question may mean."""
    best = [*run.dense[:NAMED_AMONG], *run.sparse[:NAMED_AMONG]]
    first = run.snapshot.nodes(list(dict.fromkeys(one.key for one in best)))
    names = {one.document_id: one.document for one in first}
    if not run.filters.documents:
        least = 1 if run.query.intent.labels else LONG_DOCUMENT
        names |= properly_named(run.query.text, run.snapshot, least)
    return names


def _recall_without_names(run: Run, naming: Naming, scopes: Mapping[str, Scope], names: Mapping[str, str]) -> None:
    best = _best_named(naming)
    most = {key: IN_NAMED_DOCUMENT if key in naming.whole else IN_HALF_NAMED for key in best}
    run.in_named = [(scopes[key], most[key] * naming.documents[key] ** 2) for key in best]
    run.query = _in_words_of(without_names(run.query, naming), run.snapshot, run.settings)
    if told := [names[key] for key in best if key in naming.whole]:  # "minutes" in a name need not be what is asked
        run.note("in_named", names=", ".join(told))
    if run.vector is not None and run.embedder is not None:
        run.vector = _embedded(run.query, run.embedder)
        run.dense = _dense(run, run.vector)
    if "sparse" in run.views:
        run.sparse = _sparse(run)
    run.lap("named")


def _best_named(naming: Naming) -> list[str]:
    return sorted(naming.documents, key=lambda key: -naming.documents[key])[:MOST_NAMED]


def _dense(run: Run, vector: np.ndarray) -> list[Scored]:
    k = max(run.settings.retrieval.k_dense, run.depth)
    found = _best([run.snapshot.dense_search(vector, k, scope, run.model) for scope in _scopes(run)])
    least = run.settings.search.semantic.relevance_threshold if run.mode == "semantic" else -1.0
    return [one for one in found if one.score >= least]


def _sparse(run: Run) -> list[Scored]:
    k = max(run.settings.retrieval.k_sparse, run.depth)
    if not run.query.terms:
        return []
    found = _best([run.snapshot.sparse_search(run.query.sparse_terms, k, scope) for scope in _scopes(run)])
    least = run.settings.search.fulltext.min_rank if run.mode == "fulltext" else 0.0
    return [one for one in found if one.score >= least * found[0].score]


def _scopes(run: Run) -> list[Scope]:
    """Everywhere, and in each document that is named: its nodes need not be among the best of all."""
    return [run.scope, *(scope for scope, _ in run.in_named)]


def _best(rankings: Sequence[list[Scored]]) -> list[Scored]:
    if len(rankings) == 1:
        return rankings[0]
    scores = {one.key: one.score for ranking in rankings for one in ranking}
    return [Scored(key, scores[key]) for key in sorted(scores, key=lambda key: (-scores[key], key))]


def _fuse(run: Run, others: Sequence[int] = ()) -> list[Fused]:
    retrieval = run.settings.retrieval
    beside = [*(one.key for one in run.sparse), *others]
    cosines = {} if run.vector is None else _cosines(run.vector, run, beside)
    spread, trust = run.embedder.spread if run.embedder else None, trust_in_words(run.matched)
    fused = fuse(
        run.dense, run.sparse, retrieval.fusion, spread=spread, cosines=cosines, full=retrieval.k_sparse, trust=trust,
        others=others,
    )  # fmt: skip
    return _with_named(fused, run.in_named)


def _cosines(vector: np.ndarray, run: Run, others: Sequence[int]) -> dict[int, float]:
    """The cosines of the other nodes (keys) that the dense view did not find and that have a vector."""
    missing = dict.fromkeys(others)
    for one in run.dense:
        missing.pop(one.key, None)
    vectors = run.snapshot.vectors(list(missing), run.model)
    return {key: float(own @ vector) for key, own in vectors.items()}


def _with_named(fused: list[Fused], in_named: Sequence[tuple[Scope, float]]) -> list[Fused]:
    """Give the nodes of the documents that are named what that is worth."""
    if not in_named:
        return fused
    gains = np.zeros(len(fused))
    keys = np.asarray([one.key for one in fused], np.int64)
    for scope, gain in in_named:
        gains[scope.contains(keys)] = gain
    gained = [
        one._replace(score=one.score + gain, by_document=gain) for one, gain in zip(fused, gains.tolist(), strict=True)
    ]
    return sorted(gained, key=lambda one: (-one.score, one.key))


def _rank(run: Run) -> None:
    retrieval = run.settings.retrieval
    found = candidates(run.fused, _head(run), run.query)
    run.lap("nodes")
    if run.mode == "hybrid":
        if others := _others(run, found):
            run.fused = _fuse(run, others)
            found = candidates(run.fused, _head(run, others), run.query)
        run.lap("expand")
    head = retrieval.k_rerank if run.sparse or run.named else 0
    run.ranked = rerank(found, run.query, retrieval.fusion, head, matched=run.matched, named=run.named, steps=run.steps)
    run.lap("rerank")


def _others(run: Run, found: Sequence[Candidate]) -> list[int]:
    """The nodes that take part beside those of the views: what the question names, what the graphs bring."""
    if run.query.intent != Intent() or run.query.phrases:
        run.named = look_up(run.query, run.snapshot, run.scope, run.label_scopes, run.asked)
    if run.settings.retrieval.fusion.statement:
        scopes = [scope for scope, _ in run.in_named] or [run.scope]
        run.named += look_up_statements(run.query, run.snapshot, scopes)
    seeds = [one.stored for one in found[:SEEDS]]
    run.steps = expand(seeds, run.storage, run.settings.retrieval.expansion, run.scope)
    return list(dict.fromkeys([*(k for one in run.named for k in one.keys), *(s.key for s in run.steps)]))


def _head(run: Run, others: Sequence[int] = ()) -> list[StoredNode]:
    """The nodes that may be shown: some more than asked for, because sections give way to their leaves."""
    head = run.fused[: max(run.depth + run.depth // 2, run.settings.retrieval.k_rerank)]
    return run.snapshot.nodes(list(dict.fromkeys([*(one.key for one in head), *others])))


def _query_vector(run: Run) -> np.ndarray | None:
    if run.embedder is None or not run.settings.search.semantic.enabled:
        run.note("no_embedder")
        return None
    have, want = run.snapshot.coverage(run.embedder.name, run.scope)
    if not have:
        if want:
            run.note("no_vectors", want=want)
        return None
    if have < want:
        run.note("vectors_missing", missing=want - have, want=want)
    try:
        return _embedded(run.query, run.embedder)
    except ProviderError as error:
        run.note("embedder_failed", error=error)
        return None
    finally:
        run.lap("embed")


def _embedded(query: Query, embedder: Embedder) -> np.ndarray:
    """The vector of a question, halfway to that of the question with its formal words."""
    vector = embedder.query(query.text)
    if not query.formal:
        return vector
    formal = dict.fromkeys(word for one in query.formal for word in one.said)
    both: np.ndarray = vector + embedder.query(f"{query.text} {' '.join(formal)}")
    return both / np.float32(np.linalg.norm(both))


def _by_keyword(run: Run, query: str, regex: bool) -> None:
    settings = run.settings.search.keyword
    count = pattern(query, settings) if regex else substring(query, settings)
    most = max(run.depth, settings.max_results)
    keys = run.snapshot.keyword_search(lambda text: count(text) > 0, most, run.scope)
    run.views.append("keyword")
    run.lap("keyword")
    stored = run.snapshot.nodes(keys)
    counts = {one.key: max(1, count(one.node.title) + count(one.node.text)) for one in stored}
    most = max(counts.values(), default=1)
    ordered = sorted(counts, key=lambda key: (-counts[key], key))[: run.depth]
    run.fused = [Fused(key, counts[key] / most, None, None, None, None) for key in ordered]
    run.ranked = candidates(run.fused, stored, run.query)
