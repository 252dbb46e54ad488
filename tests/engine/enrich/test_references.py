import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.enrich.references import Labels, reference_edges, references_in
from engine.model import Node, Tree


def tree(*leaves, sections=()):
    nodes = [Node("root", None, "document", "Report")]
    for position, (node_id, role, text, label) in enumerate(leaves):
        metadata = {"label": label} if label else {}
        title = text if role == "section" else ""
        nodes.append(Node(node_id, "root", role, title, "" if title else text, position=position, metadata=metadata))
    return Tree("d", "report.pdf", "application/pdf", 1, 3, nodes)


def keys(text):
    return [reference.label.key for reference in references_in(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As Figure 3b shows, costs rose.", ["figure 3b"]),
        ("See Figs. 2 and 4.", ["figure 2", "figure 4"]),
        ("Tables 1–3 list them.", ["table 1", "table 2", "table 3"]),
        ("Table 1-3 lists them.", ["table 1-3"]),
        ("Figures 2 to 4", ["figure 2", "figure 3", "figure 4"]),
        ("in Section 4.1 and Eq. (5)", ["section 4.1", "equation 5"]),
        ("(see Table 2)", ["table 2"]),
        ("see Notes 3, 4 and 12", ["note 3", "note 4", "note 12"]),
        ("Figure 2, 2019", ["figure 2"]),
        ("Supplementary Table 3", ["table s3"]),
        ("Appendix B and Item 1A", ["appendix b", "item 1a"]),
        ("见表2-1和图3、图4", ["table 2-1", "figure 3", "figure 4"]),
        ("第三章第二节及式（5）", ["chapter 3", "division 2", "equation 5"]),
        ("依照本法第十二条的规定", ["article 12"]),
    ],
)
def test_references_are_found(text, expected):
    assert keys(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Section 10(b) of the Exchange Act",
        "《公司法》第十条规定",
        "代表1人参加",
        "一个图一个表",
        "如下图所示",
        "part of 3 teams",
        "he figured 3 of them",
    ],
)
def test_other_works_and_plain_words_are_no_references(text):
    assert keys(text) == []


def test_an_edge_leads_from_the_text_to_what_it_names():
    document = tree(
        ("p", "paragraph", "Sales are in Table 2 and Fig. 1; Table 2 has all.", None),
        ("t", "table", "a | b", "Table 2"),
        ("i", "image", "", "Figure 1"),
    )
    edges = [(edge.source, edge.target, edge.kind, edge.label) for edge in reference_edges(document)]
    assert edges == [("p", "t", "ref", "Table 2"), ("p", "i", "ref", "Fig. 1")]


def test_lettered_labels_are_kept_apart():
    document = tree(
        ("p", "paragraph", "Compare Table 1b with Table 1; Table 1c is missing.", None),
        ("t", "table", "", "Table 1"),
        ("a", "table", "", "Table 1a"),
        ("b", "table", "", "Table 1b"),
    )
    assert [edge.target for edge in reference_edges(document)] == ["b", "t"]


def test_a_part_of_a_figure_without_label_of_its_own_is_the_figure():
    document = tree(("p", "paragraph", "Figure 3b shows it.", None), ("i", "image", "", "Fig. 3"))
    assert [(edge.target, edge.label) for edge in reference_edges(document)] == [("i", "Figure 3b")]


def test_a_number_that_several_sections_bear_means_the_nearest():
    nodes = [
        Node("root", None, "document", "合同法"),
        Node("c1", "root", "section", "第一章 总则", position=0),
        Node("s1", "c1", "section", "第一节 目的", position=0),
        Node("c2", "root", "section", "第二章 订立", position=1),
        Node("s2", "c2", "section", "第一节 要约", position=0),
        Node("s3", "c2", "section", "第二节 承诺", position=1),
        Node("p", "s3", "paragraph", text="要约适用本章第一节，目的见第一章。"),
    ]
    document = Tree("d", "law.md", "text/markdown", 1, None, nodes)
    assert [edge.target for edge in reference_edges(document)] == ["s2", "c1"]


def test_a_caption_does_not_refer_to_its_own_table():
    nodes = [
        Node("root", None, "document", "Report"),
        Node("t", "root", "table", metadata={"label": "Table 1"}),
        Node("c", "t", "caption", text="Table 1: Costs"),
    ]
    assert reference_edges(Tree("d", "x", "x", 1, None, nodes)) == []


def test_the_label_map_names_every_labelled_node():
    document = tree(
        ("s", "section", "4.1 Methods", None),
        ("e", "equation", "E = m c^2    (5)", None),
        ("t", "table", "", "表2-1"),
        ("i", "image", "", "Figure 1"),
    )
    assert Labels(document).printed == {"Section 4.1": "s", "(5)": "e", "表2-1": "t", "Figure 1": "i"}


@pytest.mark.parametrize(
    "text", [r"L = \alpha L_{KD} \tag{1}", r"L = 2 \tag*{(1)}", r"L = 2 \qquad (1)", "L = 2  （1）"]
)
def test_an_equation_is_labelled_as_it_is_written(text):
    document = tree(("p", "paragraph", "The loss is given by Equation (1):", None), ("e", "equation", text, None))
    assert Labels(document).printed == {"(1)": "e"}
    assert [(edge.source, edge.target) for edge in reference_edges(document)] == [("p", "e")]


@given(st.text(max_size=300))
def test_any_text_may_refer(text):
    for reference in references_in(text):
        assert 0 <= reference.start < reference.end <= len(text)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Figs. 3(a) and 3(c) show", ["figure 3a", "figure 3c"]),
        ("Section 4 and (b)", ["section 4"]),
        ("（见图3(b)）", ["figure 3b"]),
        ("图1和2个样本", ["figure 1"]),
        ("表1、2020年", ["table 1"]),
        ("表1a、表1b", ["table 1a", "table 1b"]),
        ("详见3.2节，第1.2.3小节", ["section 3.2", "section 1.2.3"]),
        ("同比增长3.2节约成本", []),
        ("by Eq. (4), § 3.1 and 第三章", ["equation 4", "section 3.1", "chapter 3"]),
    ],
)
def test_lists_ranges_and_parts_are_taken_apart(text, keys):
    assert [reference.label.key for reference in references_in(text)] == keys
