"""An HNSW index as one file in the format of hnswlib (Malkov and Yashunin, 2016; seed 002, sections 3 and 10).

Chroma builds the graph with its own copy of hnswlib and keeps it in parts; the parts of the two formats are the
same, so the file is put together from them. It is read with

    index = hnswlib.Index(space="ip", dim=384); index.load_index("coarse.hnsw")

Labels are the vectors' row numbers, from 0.
"""

import struct
import tempfile
from pathlib import Path

import numpy as np

from engine.backends import graph_shape
from engine.config import AnnSettings
from engine.errors import StorageError
from storage.embedded.neighbours import configuration, connect

# version, offset of level 0, capacity, count, bytes an element, offset of the label, offset of the vector; after
# it the highest level and the node where searches begin
_HEADER = struct.Struct("<i6Q")
_LEAST = 2  # Chroma writes no file for fewer


def write_hnsw(path: Path, vectors: np.ndarray, settings: AnnSettings) -> None:
    """Write an index over unit vectors, shape (n, dimension) float32, for inner products.

    Nothing is written for no vectors. Raises StorageError when the index cannot be built.
    """
    if not len(vectors):
        return
    padded = vectors if len(vectors) >= _LEAST else np.repeat(vectors, _LEAST, axis=0)
    with tempfile.TemporaryDirectory(prefix="dropqa-hnsw-") as folder:
        parts = _built(Path(folder), padded, settings)
        header, level0, links = ((parts / name).read_bytes() for name in _PARTS)
    _, _, _, count, size, label_at, vector_at = _HEADER.unpack_from(header)
    elements = np.frombuffer(level0, np.uint8)[: count * size].reshape(-1, size).copy()
    stored = elements[:, vector_at : vector_at + 4 * padded.shape[1]].copy().view(np.float32)
    labels = elements[:, label_at : label_at + 8].copy().view(np.uint64).ravel().astype(np.int64) - 1
    if count != len(padded) or not np.array_equal(stored, padded[labels]):
        raise StorageError("The vector index could not be exported: Chroma keeps it in an unknown form.")
    elements[:, label_at : label_at + 8] = labels.astype(np.uint64).view(np.uint8).reshape(-1, 8)
    fields = bytearray(header[4:])
    if len(vectors) < len(padded):  # the first element alone, without links, on level 0
        elements, links, count = elements[labels == 0], bytes(4), 1
        elements[:, :vector_at] = 0
        fields[48:56] = bytes(8)
    fields[8:24] = struct.pack("<2Q", count, count)  # as much capacity as elements
    path.write_bytes(bytes(fields) + elements.tobytes() + links)


_PARTS = ("header.bin", "data_level0.bin", "link_lists.bin")


def _built(folder: Path, vectors: np.ndarray, settings: AnnSettings) -> Path:
    """Let Chroma build an index and return the folder with its parts."""
    from chromadb.errors import ChromaError

    client = connect(folder)
    try:
        collection = client.create_collection(
            "vectors",
            embedding_function=None,
            configuration=configuration(graph_shape(settings), batch_size=len(vectors), sync_threshold=len(vectors)),
        )
        most = client.get_max_batch_size()
        for start in range(0, len(vectors), most):
            part = vectors[start : start + most]
            collection.add(ids=[str(start + row) for row in range(len(part))], embeddings=part)
        collection.query(query_embeddings=vectors[:1], n_results=1, include=[])  # until it has been written
    except (ChromaError, RuntimeError, ValueError, OSError) as error:
        raise StorageError(f"The vector index could not be exported: {error}.") from error
    finally:
        client.close()
    found = list(folder.glob("*/header.bin"))
    if not found:
        raise StorageError("The vector index could not be exported: Chroma wrote no file.")
    return found[0].parent
