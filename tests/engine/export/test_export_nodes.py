"""The file of retrieved nodes that other agents read."""

import hashlib
import json
from datetime import UTC, datetime

from export_sample import sample
from sample_texts import REGULATIONS, REPORT

from engine.export.nodes import node_files, write_node_files
from engine.ingest import Source
from engine.model import Hit, SearchResult

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
FIELDS = [
    "node_id", "rank", "similarity_score", "page_number", "element_type", "text_content", "bbox", "dom_path",
    "heading_level", "is_chapter_title", "parent_chapter", "depth", "image_info", "table_info",
]  # fmt: skip


class Shelf:
    """A storage that knows one tree."""

    def tree(self, _document_id, _version):
        return sample()[0]


def described(*node_ids: str) -> dict:
    nodes = {node.node_id: node for node in sample()[0].nodes}
    hits = [
        Hit(node_id, "d1", "machines.pdf", 1, nodes[node_id].role, 1 - rank / 10, rank, 1, None, [], "")
        for rank, node_id in enumerate(node_ids, 1)
    ]
    (content,) = node_files(SearchResult("Why?", "hybrid", hits, {}), Shelf(), NOON).values()
    return {node["node_id"]: node for node in content["nodes_content"]}


def test_a_file_a_document_named_by_document_and_question(library, tmp_path):
    library.add([Source("report.md", REPORT.encode()), Source("手册.md", REGULATIONS.encode())])
    question = "年假 revenue"
    digest = hashlib.md5(question.encode()).hexdigest()[:8]
    written = write_node_files(library.finder.retrieved_nodes(question), tmp_path)
    folder = tmp_path / "retrieved_nodes_for_agents"
    assert {path.name for path in folder.iterdir()} == {f"report.md_{digest}.json", f"手册.md_{digest}.json"}
    assert len(written["files"]) == 2
    ranks = set()
    for path in folder.iterdir():
        data = json.loads(path.read_text("utf-8"))
        assert list(data) == ["doc_id", "question", "retrieval_timestamp", "total_nodes", "nodes_content"]
        assert path.name == f"{data['doc_id']}_{digest}.json"
        assert data["question"] == question
        assert data["total_nodes"] == len(data["nodes_content"]) > 0
        ranks.update(node["rank"] for node in data["nodes_content"])
        assert all(0 <= node["similarity_score"] <= 1 for node in data["nodes_content"])
        assert all(list(node) == FIELDS for node in data["nodes_content"])
    found = sum(one["nodes"] for one in written["files"])
    assert ranks == set(range(1, found + 1)), "ranks are those among all that was found"


def test_pages_count_from_0_and_boxes_are_lists():
    node = described("p1")["p1"]
    assert (node["page_number"], node["bbox"], node["element_type"]) == (0, [10, 20, 30, 40], "text")
    assert node["dom_path"] == "document/section[0]/paragraph[0]"
    assert (node["parent_chapter"], node["is_chapter_title"], node["depth"]) == ("1 Introduction", False, 2)
    assert node["similarity_score"] == 0.9


def test_a_heading_tells_its_level_and_what_stands_below_it():
    node = described("s1")["s1"]
    assert (node["element_type"], node["heading_level"], node["is_chapter_title"]) == ("heading", 1, True)
    assert node["text_content"].startswith("1 Introduction\nMachines read slowly.")


def test_pictures_and_tables_have_their_own_information():
    found = described("i1", "t1")
    assert found["i1"]["element_type"] == "figure"
    facts = next(node.metadata for node in sample()[0].nodes if node.node_id == "i1")
    assert found["i1"]["image_info"] == {
        "ai_description": facts["description"],
        "description_method": facts["description_method"],
        "image_extracted": True,
    }
    assert found["i1"]["table_info"] is None
    assert found["t1"]["table_info"] == {"table_image_extracted": True, "row_count": 3, "col_count": 3}
    assert found["t1"]["image_info"] is None
