"""``indexes/<doc_id>/``: every index artefact of one document, for other programs (seed 002, section 3).

The records are those of :mod:`engine.export.rows`. ``coarse.hnsw`` and ``leaf.hnsw`` hold the vectors that this
library searches (of whole passages under their titles, not of the ``dense_text``); their labels are places in
``id_maps.json``, "coarse_vectors" and "leaf_vectors". A section that is one leaf has that leaf's vector
and words.
``bm25_coarse`` and ``bm25_leaf`` are bm25s folders over the library's own weighted terms, saturated once (BM25F, seed
002, 2 and 5.6). Such a folder is read with ``bm25s.BM25.load(folder, load_corpus=True)`` and asked with this library's
tokens: ``model.retrieve([[term for term, _ in engine.index.tokenize.query_terms(question)]])``. Beside the document's
folder lies the graph of its library, ``library.json``.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx
import numpy as np

from engine.config import Settings, Strategy
from engine.errors import StorageError
from engine.export.hnsw import write_hnsw
from engine.export.nodes import doc_id_of
from engine.export.rows import Row, page_idx, rows_of
from engine.index.graph_edges import graph_edges
from engine.index.strategies import records, strategy_of, strategy_views
from engine.model import LEAVES, Edge, Tree, children_of
from storage.base import IndexRecord, Storage
from storage.catalog.postings import build
from storage.catalog.sparse import K1, B, scores_alone


def write_bm25(folder: Path, records: Sequence[IndexRecord], corpus: Sequence[dict[str, str]]) -> None:
    """Write the index of some nodes (lucene variant) and their corpus rows, in the same order."""
    import bm25s

    postings = build((row, record.tokens) for row, record in enumerate(records))
    model = bm25s.BM25(method="lucene", k1=K1, b=B)
    data, rows, starts = np.empty(0, np.float32), np.empty(0, np.int32), np.zeros(1, np.int64)
    if postings:
        data, rows, starts = (scores_alone(postings), postings.keys[postings.rows].astype(np.int32), postings.starts)
    model.scores = {"data": data, "indices": rows, "indptr": starts, "num_docs": len(records)}
    model.vocab_dict = {term: column for column, term in enumerate(postings.terms)} if postings else {}
    model.nonoccurrence_array = None  # of other variants
    model.unique_token_ids_set = set(model.vocab_dict.values())
    model.save(folder, corpus=list(corpus), show_progress=False)


FOLDER, LIBRARY_GRAPH = "indexes", "library.json"
_TOLD_OF_TREE = ("document_id", "name", "version", "media_type", "pages")
_TOLD_OF_NODE = ("node_id", "parent_id", "role", "title", "summary", "bbox", "level")


def export_indexes(
    storage: Storage, document_id: str, version: int | None, model: str | None, settings: Settings,
    out: Path, of_library: networkx.MultiDiGraph,
) -> dict[str, Any]:  # fmt: skip
    """Write the artefacts of a stored version (None: the current one) and, beside them, the graph of its library.

    See :func:`write_indexes`. Raises NotFoundError, StorageError.
    """
    tree = storage.tree(document_id, version)
    graph = storage.graph(document_id, tree.version)
    keys = {node_id: key for node_id, key in graph.nodes(data="key") if key is not None}
    found = storage.snapshot().vectors(list(keys.values()), model) if model else {}
    vectors = {node_id: found[key] for node_id, key in keys.items() if key in found}
    facts = next(one for one in storage.versions(tree.document_id) if one.version == tree.version)
    made = write_indexes(tree, graph_edges(tree), vectors, model, settings, out, strategy_of(facts))
    _write_json(out / FOLDER / LIBRARY_GRAPH, networkx.node_link_data(of_library, edges="edges"))
    return made


def write_indexes(
    tree: Tree, edges: list[Edge], vectors: Mapping[str, np.ndarray], model: str | None, settings: Settings,
    out: Path, strategy: Strategy = "recursive",
) -> dict[str, Any]:  # fmt: skip
    """Write a document's artefacts below ``out`` and return the JSON of ``dropqa export indexes``.

    ``edges`` are those of its graph; ``vectors`` are the unit vectors that ``model`` gave its nodes, by node
    id. Raises StorageError when a file cannot be written.
    """
    doc_id = doc_id_of(tree.name)
    folder = out / FOLDER / doc_id
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = _Artefacts(tree, edges, vectors, model, settings, strategy).write(folder)
    except OSError as error:
        raise StorageError(f"{folder} cannot be written: {error}.") from error
    return {
        "document_id": tree.document_id,
        "doc_id": doc_id,
        "folder": str(folder),
        "files": [{"path": str(folder / name), "records": count} for name, count in files.items()],
    }


@dataclass
class _Artefacts:
    tree: Tree
    edges: list[Edge]
    vectors: Mapping[str, np.ndarray]
    model: str | None
    settings: Settings
    strategy: Strategy

    def __post_init__(self) -> None:
        found = records(self.tree, self.settings, self.strategy)
        self._records = {one.node_id: one for one in found}
        self._children = children_of(self.tree.nodes)

    def write(self, folder: Path) -> dict[str, int]:
        """Write every file and return the number of records in each."""
        rows, id_maps = rows_of(self.tree, self.edges)
        files: dict[str, int] = {}
        for name, listed in rows.items():
            lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in listed]
            (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")
            files[f"{name}.jsonl"] = len(lines)
        vector_ids = {}
        for kind in ("coarse", "leaf"):
            ids = self._write_vectors(folder / f"{kind}.hnsw", rows[f"dense_{kind}"])
            vector_ids[f"{kind}_vectors"], files[f"{kind}.hnsw"] = ids, len(ids)
        for kind in ("coarse", "leaf"):
            files[f"bm25_{kind}"] = self._write_words(folder / f"bm25_{kind}", rows[f"sparse_{kind}"])
        _write_json(folder / "id_maps.json", id_maps | vector_ids)
        _write_json(folder / "summary.json", self._summary())
        return {"summary.json": len(self.tree.nodes), **files, "id_maps.json": len(id_maps)}

    def _write_vectors(self, path: Path, dense: Sequence[Row]) -> list[str]:
        """Write an HNSW file over the records that have a vector and return their ids in its order."""
        ids = [(row["node_id"], self._spokesman(row.get("orig_node_id") or row["node_id"])) for row in dense]
        kept = {node_id: self.vectors[told_by] for node_id, told_by in ids if told_by in self.vectors}
        path.unlink(missing_ok=True)
        if kept:
            write_hnsw(path, np.stack([*kept.values()]), self.settings.ann)
        return [*kept]

    def _write_words(self, folder: Path, sparse: Sequence[Row]) -> int:
        """Write a bm25s folder over records and return their number."""
        nothing = IndexRecord("", [], None)
        known = [self._records.get(self._spokesman(row["id"]), nothing) for row in sparse]
        write_bm25(folder, known, [{"id": row["id"], "text": row["body"]} for row in sparse])
        return len(sparse)

    def _spokesman(self, node_id: str) -> str:
        """Return the node that is indexed for this one: the one leaf of a section that is not indexed itself."""
        leaves = [child for child in self._children.get(node_id, []) if child.role in LEAVES]
        return leaves[0].node_id if node_id not in self._records and len(leaves) == 1 else node_id

    def _summary(self) -> Row:
        """Return ``summary.json``: the document, what was written, and every node with what is embedded of it."""
        embedded = {
            view.node.node_id: view.index_text for view in strategy_views(self.tree, self.settings, self.strategy)
        }
        dimension = next(map(len, self.vectors.values()), None)
        tree = self.tree.to_dict()
        return {
            "doc_id": doc_id_of(self.tree.name),
            **{name: tree[name] for name in _TOLD_OF_TREE},
            "embedding": {"model": self.model, "dimension": dimension, "of": "index_text"},
            "nodes": [
                {name: told[name] for name in _TOLD_OF_NODE}
                | {"page_idx": page_idx(node), "index_text": embedded.get(node.node_id)}
                for node, told in zip(self.tree.nodes, tree["nodes"], strict=True)
            ],
        }


def _write_json(path: Path, content: Row) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2), "utf-8")
