"""Index artefacts of one document, by name and field."""

import json
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from export_sample import sample

from engine.config import Settings
from engine.enrich.enrich import enrich
from engine.export.indexes import write_indexes
from engine.export.rows import rows_of
from engine.index.graph_edges import graph_edges
from engine.index.tokenize import query_terms
from engine.index.views import views
from engine.model import Node, Tree

DIMENSION = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return written(tmp_path_factory.mktemp("out"))


def written(out: Path) -> Path:
    tree, edges = sample()
    return Path(write_indexes(tree, edges, vectors(), "model@1", Settings(), out)["folder"])


def vectors() -> dict[str, np.ndarray]:
    """A unit vector for each node that is embedded."""
    rng = np.random.default_rng(3)
    embedded = [view.node.node_id for view in views(sample()[0]) if view.index_text]
    drawn = rng.standard_normal((len(embedded), DIMENSION)).astype(np.float32)
    return dict(zip(embedded, drawn / np.linalg.norm(drawn, axis=1, keepdims=True), strict=True))


def rows(folder: Path, name: str) -> dict:
    lines = (folder / name).read_text("utf-8").splitlines()
    return {row.get("node_id") or row.get("id"): row for row in map(json.loads, lines)}


def test_every_artefact_is_written(folder):
    assert folder.name == "papers_machines"
    assert {path.name for path in folder.iterdir()} == {
        "summary.json", "dense_coarse.jsonl", "dense_leaf.jsonl", "sparse_coarse.jsonl", "sparse_leaf.jsonl",
        "graph_edges.jsonl", "coarse.hnsw", "leaf.hnsw", "bm25_coarse", "bm25_leaf", "id_maps.json",
    }  # fmt: skip


def test_sections_images_and_tables_are_coarse_the_rest_leaves(folder):
    coarse, leaf = rows(folder, "dense_coarse.jsonl"), rows(folder, "dense_leaf.jsonl")
    assert {row["role"] for row in coarse.values()} == {"section", "image", "table"}
    assert set(leaf) == {"p1#c0", "l1#c0", "p2#c0"}
    assert set(rows(folder, "sparse_leaf.jsonl")) == {"p1", "l1", "p2", "e1"}
    assert set(rows(folder, "sparse_coarse.jsonl")) == set(coarse)


def test_a_picture_of_which_nothing_is_known_is_left_out(folder):
    assert "i2" not in rows(folder, "dense_coarse.jsonl")


def test_a_dense_record_of_a_table_has_its_filters_and_affordances(folder):
    row = rows(folder, "dense_coarse.jsonl")["t1"]
    assert list(row) == ["node_id", "role", "dense_text", "title", "summary", "filters", "affordances"]
    assert row["filters"] == {
        "page_idx": 1, "parent_section": "s2", "parent_title": "2 Results", "label": "Table 1", "table_no": "1",
        "has_numbers": True, "units_set": ["%", "USD"],
        "col_types": [
            {"name": "Model", "dtype": "text", "unit": None},
            {"name": "Accuracy (%)", "dtype": "percent", "unit": "%"},
            {"name": "Cost (USD)", "dtype": "currency", "unit": "USD"},
        ],
    }  # fmt: skip
    assert row["affordances"]["supports_RANK"] and not row["affordances"]["supports_TREND"]


def test_no_label_or_column_stands_in_a_dense_text(folder):
    coarse = rows(folder, "dense_coarse.jsonl")
    assert coarse["t1"]["dense_text"].startswith("Accuracy and cost of both models.")
    assert "Cost (USD)" not in coarse["t1"]["dense_text"]
    assert not coarse["i1"]["dense_text"].startswith("Fig")


def test_a_section_has_a_level_and_can_what_its_tables_can(folder):
    row = rows(folder, "dense_coarse.jsonl")["s2"]
    assert row["filters"]["level"] == 1
    assert row["affordances"]["supports_LOOKUP"] and row["affordances"]["supports_TREND"]
    assert rows(folder, "dense_coarse.jsonl")["i1"]["filters"]["figure_no"] == "3b"


def test_a_leaf_keeps_its_original_and_its_references(folder):
    row = rows(folder, "dense_leaf.jsonl")["p1#c0"]
    assert row["orig_node_id"] == "p1"
    assert list(row) == ["node_id", "orig_node_id", "role", "dense_text", "raw_text", "filters", "refs"]
    assert row["raw_text"] == sample()[0].nodes[2].text
    assert row["filters"]["page_idx"] == 0
    assert {(ref["type"], ref["label"], ref["target"]) for ref in row["refs"]} == {
        ("ref", "Figure 3b", "i1"), ("ref", "Table 1", "t1"),
    }  # fmt: skip


def test_sparse_records_have_every_field_and_equations_a_sentence_of_context(folder):
    row = rows(folder, "sparse_coarse.jsonl")["t1"]
    assert list(row) == [
        "id", "role", "title", "caption", "table_schema", "aliases", "labels", "body", "filters",
    ]  # fmt: skip
    assert row["table_schema"] == "Model; Accuracy (%); Cost (USD)"
    assert row["labels"] == "Table 1"
    assert rows(folder, "sparse_leaf.jsonl")["e1"]["body"] == "E = k n^2\nEffort follows this law:"


def test_a_column_of_ten_thousands_tells_its_scale():
    rows = [["水库", "2023年", "水位（m）"], ["青溪", "1350", "21"], ["白鹿", "910", "19"]]
    text = "\n".join(" | ".join(row) for row in rows)
    nodes = [
        Node("d", None, "document", "年报", depth=0),
        Node(
            "t",
            "d",
            "table",
            text=text,
            depth=1,
            metadata={"rows": rows, "caption": "表1 蓄水量（单位：万立方米）"},
        ),
    ]
    tree, _ = enrich(Tree("d1", "年报.md", "text/markdown", 1, None, nodes))
    made, _ = rows_of(tree, graph_edges(tree))
    sparse = next(row for row in made["sparse_coarse"] if row["id"] == "t")
    assert sparse["table_schema"] == "水库; 2023年 (万m³); 水位（m）"
    assert sparse["filters"]["col_types"][1] == {
        "name": "2023年", "dtype": "number", "unit": "m³", "scale": 10000,
    }  # fmt: skip
    column = {"src": "t", "dst": "t:col:2023年", "type": "has_col", "unit": "m³", "scale": 10000}
    assert column in made["graph_edges"]


def test_edges_and_id_maps_lead_to_nodes(folder):
    lines = (folder / "graph_edges.jsonl").read_text("utf-8").splitlines()
    edges = [json.loads(line) for line in lines]
    assert {"src": "s1", "dst": "p1", "type": "child"} in edges
    assert {"src": "p1", "dst": "i1", "type": "ref", "label": "Figure 3b"} in edges
    assert {"src": "P1", "dst": "t1", "type": "same_page"} in edges
    assert {"src": "t1", "dst": "t1:col:Cost(USD)", "type": "has_col", "unit": "USD"} in edges
    assert {"src": "t1:col:Cost(USD)", "dst": "t1:cell:1,2", "type": "has_cell", "value": "1,200"} in edges
    maps = json.loads((folder / "id_maps.json").read_text("utf-8"))
    assert maps["label_to_node"]["Figure 3b"] == maps["figure_no_to_image"]["3b"] == "i1"
    assert maps["label_to_node"]["Table 1"] == maps["table_no_to_table"]["1"] == "t1"


def test_a_figure_that_is_drawn_is_where_its_caption_is(tmp_path):
    tree, _ = sample()
    caption = Node("c9", "s2", "caption", text="Figure 9: A drawing.", position=9, metadata={"label": "Figure 9"})
    drawn = replace(tree, nodes=[*tree.nodes, caption])
    made = write_indexes(drawn, graph_edges(drawn), {}, None, Settings(), tmp_path)
    maps = json.loads((Path(made["folder"]) / "id_maps.json").read_text("utf-8"))
    assert maps["figure_no_to_image"] == {"3b": "i1", "9": "c9"}


def test_the_vector_files_hold_each_vector_under_its_row_and_links_that_lead_somewhere(folder):
    maps = json.loads((folder / "id_maps.json").read_text("utf-8"))
    for kind in ("coarse", "leaf"):
        ids = maps[f"{kind}_vectors"]
        stored, links = read_hnsw(folder / f"{kind}.hnsw")
        assert sorted(stored) == list(range(len(ids)))
        for row, node_id in enumerate(ids):
            known = vectors()
            assert np.array_equal(stored[row], known.get(node_id.removesuffix("#c0"), known.get("p1")))
        assert all(0 <= link < len(ids) for link in links)
        assert len(ids) == 1 or links


def read_hnsw(path: Path) -> tuple[dict[int, np.ndarray], list[int]]:
    """Vectors by label, and the links of level 0, of a file in hnswlib's format."""
    data = path.read_bytes()
    _, capacity, count, size, label_at, vector_at = struct.unpack_from("<6Q", data)
    assert capacity == count
    start = 6 * 8 + 2 * 4 + 3 * 8 + 8 + 8
    stored, links = {}, []
    for place in range(count):
        element = data[start + place * size : start + (place + 1) * size]
        linked = struct.unpack_from("<H", element)[0]
        links += struct.unpack_from(f"<{linked}I", element, 4)
        label = struct.unpack_from("<Q", element, label_at)[0]
        stored[label] = np.frombuffer(element, np.float32, DIMENSION, vector_at)
    return stored, links


def test_bm25_weighs_fields_and_finds_by_alias_label_and_column(folder):
    import bm25s

    model = bm25s.BM25.load(folder / "bm25_coarse", load_corpus=True)
    for question in ("cost in USD", "Table 1", "表1"):
        terms = [term for term, _ in query_terms(question)]
        found, scores = model.retrieve([terms], k=1, show_progress=False)
        assert found[0][0]["id"] in ("t1", "s2"), question
        assert scores[0][0] > 0


def test_a_section_that_is_one_leaf_has_its_vector(tmp_path):
    tree, edges = sample()
    tree = type(tree)(**{f: getattr(tree, f) for f in tree.__slots__} | {"nodes": tree.nodes[:3]})
    only = {edge for edge in edges if {edge.source, edge.target} <= {"root", "s1", "p1"}}
    result = write_indexes(tree, list(only), vectors(), "model@1", Settings(), tmp_path)
    maps = json.loads((Path(result["folder"]) / "id_maps.json").read_text("utf-8"))
    assert maps["coarse_vectors"] == ["s1"]
    assert list(read_hnsw(Path(result["folder"]) / "coarse.hnsw")[0]) == [0]


def test_without_vectors_everything_else_is_written(tmp_path):
    tree, edges = sample()
    folder = Path(write_indexes(tree, edges, {}, None, Settings(), tmp_path)["folder"])
    assert not list(folder.glob("*.hnsw"))
    assert (folder / "bm25_leaf").is_dir()
