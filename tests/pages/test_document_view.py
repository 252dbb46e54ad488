from engine.model import Node, NodeIds, Tree
from pages.widgets.document_view import LEAVES, PART_CHARACTERS, DocumentView, findings, page_kind


def make_tree(nodes: list[Node], *, pages: int | None = None, media_type: str = "text/markdown", sizes=()) -> Tree:
    return Tree("d1", "book", media_type, 1, pages, nodes, list(sizes))


def node(node_id: str, parent: str | None, role: str = "paragraph", position: int = 0, **more) -> Node:
    return Node(node_id, parent, role, position=position, **more)


def book(paragraphs: int, text: str = "word " * 20) -> DocumentView:
    nodes = [
        node("root", None, "document", title="Book"),
        node("s1", "root", "section", title="One", level=1),
    ]
    nodes += [node(f"p{i}", "s1", position=i, text=text) for i in range(paragraphs)]
    nodes.append(node("s2", "root", "section", 1, title="Two", level=1))
    return DocumentView(make_tree(nodes))


def test_a_text_without_pages_is_cut_into_parts_of_bearable_length():
    view = book(1000)
    assert view.pages > 5
    assert all(
        sum(len(node.text) for node in view.on_page(n)) <= PART_CHARACTERS + 200 for n in range(1, view.pages + 1)
    )
    seen = [node for n in range(1, view.pages + 1) for node in view.on_page(n)]
    assert seen == view.tree.nodes[1:]


def test_a_node_is_found_in_the_part_that_shows_it():
    view = book(1000)
    last = view.node("p999")
    assert last in view.on_page(view.page_of(last))


def test_a_short_text_is_one_part():
    assert book(3).pages == 1


def test_boxes_are_shares_of_the_page_and_follow_a_node_to_its_next_page():
    spans = [{"page": 1, "bbox": [10, 180, 90, 200]}, {"page": 2, "bbox": [10, 0, 90, 20]}]
    nodes = [
        node("root", None, "document"),
        node("p", "root", text="x", page=1, bbox=(10, 180, 90, 200), metadata={"spans": spans}),
    ]
    view = DocumentView(make_tree(nodes, pages=2, media_type="application/pdf", sizes=[(100, 200), (100, 200)]))
    assert [(n.node_id, boxes) for n, boxes in view.places(1)] == [("p", [(0.1, 0.9, 0.9, 1.0)])]
    assert [(n.node_id, boxes) for n, boxes in view.places(2)] == [("p", [(0.1, 0.0, 0.9, 0.1)])]
    assert view.places(3) == []


def test_cited_cells_stand_on_their_own_page_with_a_box_for_each_row():
    edges = [{"x": [10, 50, 90], "y": [160, 180, 200]}, {"x": [10, 50, 90], "y": [0, 20]}]
    boxes = [[10, 160, 90, 200], [10, 0, 90, 20]]
    spans = [
        {"page": page, "row": row, "chars": 9, "bbox": box, "edges": edge}
        for page, row, box, edge in zip((1, 2), (0, 2), boxes, edges, strict=True)
    ]
    rows = [["Item", "2024"], ["Fuel", "12"], ["Rent", "7"]]
    facts = {"rows": rows, "header_rows": 1, "row_pages": [1, 1, 2], "spans": spans}
    table = node("t", "root", "table", text="x", page=1, bbox=(10, 160, 90, 200), metadata=facts)
    tree = make_tree(
        [node("root", None, "document"), table], pages=2, media_type="application/pdf",
        sizes=[(100, 200), (100, 200)],
    )  # fmt: skip
    view = DocumentView(tree)
    assert view.cited(table, 1, {(1, 1)}) == [(0.5, 0.9, 0.9, 1.0)]
    assert view.cited(table, 1, {(1, 0), (1, 1)}) == [(0.1, 0.9, 0.9, 1.0)]
    assert view.cited(table, 2, {(1, 1), (2, 1)}) == [(0.5, 0.0, 0.9, 0.1)]
    bare = node("t", "root", "table", text="x", page=1, bbox=(10, 160, 90, 200), metadata={"rows": rows})
    assert view.cited(bare, 1, {(1, 1)}) == []  # the whole table is no cell


def test_the_tree_lists_sections_and_the_passages_of_one_of_them():
    view = book(3)
    assert [(row[1], row[2]) for row in view.outline()] == [("Book", -1), ("One", 0), ("Two", 0)]
    section = view.node("s1")
    assert [leaf[0] for leaf in view.leaves(section, None)] == ["p0", "p1", "p2"]
    assert view.passages_in(view.root) == 3


def test_of_very_many_passages_those_around_the_selected_one_are_shown():
    view = book(5000, "x")
    leaves = [leaf[0] for leaf in view.leaves(view.node("s1"), view.node("p2500"))]
    assert len(leaves) == LEAVES and "p2500" in leaves


def test_a_caption_is_found_under_its_table():
    nodes = [
        node("root", None, "document"),
        node("s", "root", "section", title="Figures"),
        node("t", "s", "table", text="a"),
        node("c", "t", "caption", text="Table 1"),
    ]
    view = DocumentView(make_tree(nodes))
    caption = view.node("c")
    assert view.section_of(caption).node_id == "s"
    assert view.shown_in_tree(caption).node_id == "t"
    assert [above.node_id for above in view.path(caption)] == ["s", "t"]


def test_a_tree_of_thousands_of_nodes_is_laid_out_and_pages_without_a_number_follow_the_last():
    ids = NodeIds("0" * 64)
    nodes = [node("root", None, "document")]
    nodes += [node(ids.next("paragraph", str(i)), "root", position=i, text="x", page=i // 100 + 1) for i in range(5000)]
    nodes.append(node("end", "root", position=5000, text="x"))
    view = DocumentView(make_tree(nodes, pages=50, media_type="application/pdf"))
    assert len(view.on_page(7)) == 100
    assert view.page_of(view.node("end")) == 50


def test_lines_of_text_recognition_lie_on_the_page_that_they_were_read_from():
    lines = [
        {"text": "one", "page": 1, "bbox": [10, 20, 90, 40], "confidence": 0.9},
        {"text": "two", "page": 2, "bbox": [10, 20, 90, 40], "confidence": 0.5},
    ]
    nodes = [
        node("root", None, "document"),
        node("p", "root", text="one two", page=1, metadata={"ocr_lines": lines}),
    ]
    view = DocumentView(make_tree(nodes, pages=2, media_type="image/tiff", sizes=[(100, 200), (100, 200)]))
    assert view.lines(2, view.node("p")) == [((0.1, 0.1, 0.9, 0.2), "two", 0.5)]


def test_pages_are_called_what_the_program_calls_them():
    assert [page_kind(name) for name in ("Talk.PPTX", "budget.xlsx", "prices.csv", "report.pdf")] == [
        "slide", "sheet", "sheet", "page",
    ]  # fmt: skip


def test_what_was_not_understood_is_told_with_its_pages():
    nodes = [
        node("root", None, "document", title="Report"),
        node("s1", "root", "section", title="Results", page=1),
        node("s2", "root", "section", 1, title="The first words", page=3, metadata={"generated": True}),
        node("i", "s2", "image", page=2, metadata={"whole_page": True}),
        node("t1", "s2", "table", 1, text="1 2 3", page=3),
        node("t2", "s2", "table", 2, page=3, metadata={"rows": [["a"], ["b"]]}),
    ]
    view = DocumentView(make_tree(nodes, pages=4, media_type="application/pdf", sizes=[(100, 200)] * 4))
    bare, tables, headings = findings(view)
    assert "2 (2, 4)" in bare and "1 (on page 3)" in tables
    assert "found in the document: 1. Added for long parts without one: 1." in headings
    assert findings(book(3)) == []
