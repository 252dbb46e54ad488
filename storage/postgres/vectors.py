"""The vectors in pgvector: one a text and model, an HNSW graph a model, and which nodes they belong to.

A vector costs the graph milliseconds. So it is made of many vectors at once, when there are enough of them; those that
come later wait, are compared one by one, and are taken into it by upkeep.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from storage.catalog.dense import DenseSearch
from storage.catalog.embeddings import Embeddings
from storage.catalog.state import Generations
from storage.catalog.vectors import ModelVectors, Names, text_hash
from storage.postgres.catalog import PostgresCatalog, PostgresWrite

# Longer vectors are indexed in 16 bits a number, still longer ones not at all: then all are compared.
MOST_INDEXED, MOST_HALF = 2000, 4000
_INDEXED = 10_000  # vectors of a model from which on it has an index; fewer are compared as fast
_FED = 200  # vectors taken into an index at a time
# Bytes that building an index takes: a vector, a number of it, a link of it; for more than the most it takes the disk.
_VECTOR, _NUMBER, _LINK, _MOST_BYTES = 256, 4, 36, 4 << 30
_HEADER = 4  # bytes before the numbers of a vector: how many they are, and nothing
_LONG_AGO = "now() - interval '10 minutes'"  # whoever took a text then cannot embed it
_NEXT_GENERATION = "UPDATE meta SET value = value + 1 WHERE name = 'generation' RETURNING value"
_AHEAD = 4  # so many times more texts are looked at than asked for: others may be having them embedded


class PostgresVectors:
    """Keeps and finds vectors (see :class:`storage.catalog.dense.Vectors` and ``Neighbours`` there)."""

    def __init__(self, catalog: PostgresCatalog, m: int = 16, ef_construction: int = 100) -> None:
        self._catalog = catalog
        self._links, self._shape = m, f"m = {m:d}, ef_construction = {max(ef_construction, 2 * m):d}"

    def index(self) -> bool:
        """Take waiting vectors into a model's index, or make one of many vectors; False when nothing is left to do."""
        models = self._catalog.read(
            "SELECT m.id, m.dimension, coalesce(i.indisvalid, FALSE) FROM model m"
            " LEFT JOIN pg_index i ON i.indexrelid = to_regclass('embedding_near_' || m.id) WHERE m.dimension <= ?",
            (MOST_HALF,),
        )
        return any(self._feed(id_) if there else self._make(id_, dimension) for id_, dimension, there in models)

    def _feed(self, model_id: int) -> bool:
        some = "SELECT id FROM embedding WHERE model_id = ? AND waiting ORDER BY id LIMIT ?"
        with self._catalog.transaction(durable=False) as write:
            statement = f"UPDATE embedding SET waiting = FALSE WHERE id IN ({some})"
            return write.execute(statement, (model_id, _FED)).rowcount > 0

    def _make(self, model_id: int, dimension: int) -> bool:
        (count,) = self._catalog.read("SELECT count(*) FROM embedding WHERE model_id = ?", (model_id,))[0]
        if count < _INDEXED:
            return False
        kind, each = _kind(dimension), _VECTOR + _NUMBER * dimension + _LINK * self._links
        using = f"hnsw ((vector::{kind}({dimension})) {kind}_ip_ops) WITH ({self._shape})"
        on = f"{using} WHERE model_id = {model_id} AND NOT waiting"
        return self._catalog.make_index(f"embedding_near_{model_id}", "embedding", on, min(count * each, _MOST_BYTES))

    def remembered(self, model_id: int, hashes: Sequence[bytes]) -> dict[bytes, int]:
        """Return the ids of the vectors of texts that there are, by the texts' hashes."""
        select = "SELECT hash, id FROM embedding WHERE model_id = ? AND hash = ANY(?)"
        found = self._catalog.read(select, (model_id, list(hashes)))
        return {bytes(digest): id_ for digest, id_ in found}

    def add(
        self, write: PostgresWrite, model_id: int, vectors: Mapping[bytes, np.ndarray], generation: int,
        links: Sequence[tuple[int, bytes]],
    ) -> None:  # fmt: skip
        """Add vectors by the hashes of their texts, and link names to the vectors of hashes."""
        there = self.remembered(model_id, list(vectors))  # whoever else adds some waits for this transaction
        if new := [digest for digest in vectors if digest not in there]:
            statement = "COPY embedding (model_id, hash, vector, waiting) FROM STDIN (FORMAT BINARY)"
            waiting = self._catalog.read("SELECT to_regclass('embedding_near_' || ?) IS NOT NULL", (model_id,))[0][0]
            with write.connection.cursor() as cursor, cursor.copy(statement) as copy:
                copy.set_types(["int4", "bytea", "bytea", "bool"])
                for digest in new:
                    copy.write_row((model_id, digest, _packed(vectors[digest]), waiting))
        write.execute(
            "INSERT INTO link (model_id, name, embedding_id, generation)"
            " SELECT ?, x.name, e.id, ? FROM unnest(?::bigint[], ?::bytea[]) x (name, hash)"
            " JOIN embedding e ON e.model_id = ? AND e.hash = x.hash"
            " ON CONFLICT (model_id, name) DO UPDATE SET embedding_id = excluded.embedding_id,"
            " generation = excluded.generation",
            (model_id, generation, [name for name, _ in links], [digest for _, digest in links], model_id),
        )

    def fetch(self, model: ModelVectors, names: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the names, of these, that have a vector, and their vectors, float32 (n, dimension)."""
        found = self._catalog.read(
            "SELECT l.name, e.vector FROM link l JOIN embedding e ON e.id = l.embedding_id"
            " WHERE l.model_id = ? AND l.name = ANY(?)",
            (model.id, np.unique(names).tolist()),
            binary=True,
        ) if len(names) else []  # fmt: skip
        values = _unpacked([vector for _, vector in found], model.dimension)
        return np.fromiter((name for name, _ in found), np.int64, len(found)), values

    def scored(self, model: ModelVectors, names: np.ndarray, query: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the names, of these, that have a vector, and the inner products of these with a query."""
        found = self._catalog.read(
            "SELECT l.name, -(e.vector <#> ?::vector) FROM link l JOIN embedding e ON e.id = l.embedding_id"
            " WHERE l.model_id = ? AND l.name = ANY(?)",
            (_written(query), model.id, names.tolist()),
            binary=True,
        )
        scores = np.fromiter((score for _, score in found), np.float32, len(found))
        return np.fromiter((name for name, _ in found), np.int64, len(found)), scores

    def of_texts(self, model: ModelVectors, hashes: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        """Return the vectors that there are of texts, by the texts' hashes."""
        select = "SELECT hash, vector FROM embedding WHERE model_id = ? AND hash = ANY(?)"
        found = self._catalog.read(select, (model.id, list(hashes)), binary=True)
        values = _unpacked([vector for _, vector in found], model.dimension)
        return {bytes(digest): vector for (digest, _), vector in zip(found, values, strict=True)}

    def held(self, model: ModelVectors) -> Names:
        """Return which nodes and parts can be found: all that have a vector."""
        return model.linked

    def nearest(self, model: ModelVectors, query: np.ndarray, count: int) -> np.ndarray | None:
        """Return the names of about the nearest ``count`` texts, best first; None where there is no index."""
        if model.dimension > MOST_HALF:
            return None
        kind = f"{_kind(model.dimension)}({model.dimension})"
        far = f"vector::{kind} <#> ?::{kind}"
        half = f"(SELECT id, {far} AS far FROM embedding WHERE model_id = {model.id} AND {{}} ORDER BY {far} LIMIT ?)"
        found = self._catalog.read(
            f"SELECT l.name, near.far FROM ({half.format('NOT waiting')} UNION ALL {half.format('waiting')}) near"
            f" JOIN link l ON l.model_id = {model.id} AND l.embedding_id = near.id",
            (*[_written(query)] * 2, count) * 2,
        )
        found.sort(key=lambda row: row[1])  # the server takes the index's order, which is relaxed, for one
        return np.fromiter((name for name, _ in found), np.int64, len(found))


def _kind(dimension: int) -> str:
    return "vector" if dimension <= MOST_INDEXED else "halfvec"


def _packed(vector: np.ndarray) -> bytes:
    """Return a vector as pgvector receives it."""
    return len(vector).to_bytes(2, "big") + b"\0\0" + vector.astype(">f4").tobytes()


def _unpacked(vectors: Sequence[bytes], dimension: int) -> np.ndarray:
    """Return vectors as pgvector sends them, float32 (n, dimension)."""
    raw = np.frombuffer(b"".join(vectors), np.uint8).reshape(len(vectors), _HEADER + 4 * dimension)
    return np.ascontiguousarray(raw[:, _HEADER:]).view(">f4").astype(np.float32)


def _written(vector: np.ndarray) -> str:
    return "[" + ",".join(map(repr, vector.tolist())) + "]"


class PostgresDense(DenseSearch):
    """Searches the vectors; what is compared exactly in a large scope is compared where it is."""

    file: PostgresVectors
    share = 2000  # it looks at many more than it gives (see ``hnsw.ef_search``), and each that it gives costs a read

    def _exact(self, model: ModelVectors, names: np.ndarray, query: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.file.scored(model, names, query)


class PostgresEmbeddings(Embeddings):
    """Which texts need a vector; what one process takes to embed no other one does."""

    _catalog: PostgresCatalog
    _file: PostgresVectors

    def __init__(
        self, catalog: PostgresCatalog, vectors: PostgresVectors, generations: Generations, alive: str
    ) -> None:
        """``alive`` is the SQL that selects the holders that are alive."""
        super().__init__(catalog, vectors, generations)
        self._alive = alive

    def missing(self, model: str, limit: int) -> list[tuple[int, str]]:
        """Return up to ``limit`` (key, text) of current nodes still to embed, that no other process is embedding."""
        # Of a claim that comes meanwhile only the row itself is seen, and no query of it.
        others = f"c.holder <> ? AND c.holder IN ({self._alive}) AND c.taken_at > {_LONG_AGO}"
        me = self._catalog.holder
        while found := super().missing(model, limit * _AHEAD):
            by_hash = {text_hash(text): (name, text) for name, text in found}
            with self._catalog.transaction(durable=False) as write:
                taken = write.execute(
                    "INSERT INTO claim AS c (model, hash, holder) SELECT ?, y.hash, ? FROM (SELECT x.hash"
                    " FROM unnest(?::bytea[]) WITH ORDINALITY x (hash, place)"
                    f" WHERE NOT EXISTS (SELECT 1 FROM claim c WHERE c.model = ? AND c.hash = x.hash AND {others})"
                    " ORDER BY x.place LIMIT ?) y ORDER BY y.hash"
                    " ON CONFLICT (model, hash) DO UPDATE SET holder = excluded.holder, taken_at = now()"
                    f" WHERE NOT ({others}) RETURNING hash",
                    (model, me, list(by_hash), model, me, limit, me),
                ).fetchall()
            mine = {bytes(row[0]) for row in taken}
            known = self._generations.current.vectors.get(model)
            done = self._file.remembered(known.id, list(mine)) if known else {}  # by others since they were missing
            if not mine or mine - done.keys():
                return [pair for digest, pair in by_hash.items() if digest in mine - done.keys()]
        return []

    def _model(self, name: str, dimension: int) -> ModelVectors:
        begin = "INSERT INTO model (name, dimension) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
        with self._catalog.transaction() as write:
            if write.execute(begin, (name, dimension)).rowcount:  # else another process has begun it
                write.execute(_NEXT_GENERATION)
        return self._generations.current.vectors[name]

    def _commit(self, name: str, new: Mapping[bytes, np.ndarray], links: Sequence[tuple[int, bytes]]) -> None:
        state = self._generations.current
        model = state.vectors[name]
        kept = [link for link in links if -len(state.live.part_of) <= link[0] < state.live.size]
        with self._catalog.transaction() as write:
            row = write.execute(_NEXT_GENERATION).fetchone()
            self._file.add(write, model.id, new, row[0] if row else 0, kept)
            write.execute("DELETE FROM claim WHERE model = ? AND hash = ANY(?)", (name, list(new)))
