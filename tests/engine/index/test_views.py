"""Views: what is embedded and what is matched of a node."""

from dataclasses import replace

from engine.config import Settings
from engine.index.strategies import records
from engine.index.views import cut, views
from engine.model import Node, Tree


def tree(*nodes: Node) -> Tree:
    return Tree("d1", "report.pdf", "application/pdf", 1, 1, list(nodes))


ROOT = Node("root", None, "document", title="Annual report")
SECTION = Node("s", "root", "section", title="Cloud segment", depth=1)
TEXT = Node("p", "s", "paragraph", text="Revenue rose by 31 percent.", depth=2)
TABLE = Node(
    "t",
    "s",
    "table",
    text="Year | Sales\n2023 | 4",
    depth=2,
    position=1,
    metadata={
        "label": "Table 3b",
        "caption": "Sales by year",
        "columns": [{"name": "Sales", "unit": "USD", "dtype": "number"}],
        "aliases": ["turnover"],
    },
)


def by_id(*nodes: Node) -> dict:
    return {record.node_id: record for record in records(tree(*nodes), Settings())}


def test_a_paragraph_is_found_by_its_own_words_and_by_its_titles():
    found = by_id(ROOT, SECTION, TEXT)["p"]
    terms = dict(found.tokens)
    assert terms["cloud"] > terms["revenu"]
    assert "Cloud segment" in found.dense_text
    assert TEXT.text in found.dense_text


def test_a_section_with_one_leaf_is_that_leaf():
    assert "s" not in by_id(ROOT, SECTION, TEXT)
    assert "s" in by_id(ROOT, SECTION, TEXT, TABLE)


def test_a_table_is_found_by_label_column_and_alias():
    terms = {term for term, _ in by_id(ROOT, SECTION, TEXT, TABLE)["t"].tokens}
    assert {"3b", "usd", "turnov"} <= terms


def test_an_equation_is_not_embedded():
    equation = Node("e", "s", "equation", text="E = mc^2", depth=2)
    assert by_id(ROOT, SECTION, equation)["e"].dense_text is None


def test_every_record_is_of_a_node_of_the_tree():
    assert set(by_id(ROOT, SECTION, TEXT, TABLE)) <= {"root", "s", "p", "t"}


def test_what_is_embedded_is_cut_to_what_the_model_reads():
    assert len(cut("字" * 5000, 1800)) <= 600
    assert len(cut("word " * 5000, 1800)) <= 1800
    assert cut("short", 1800) == "short"


def test_an_equation_is_found_by_the_sentence_that_leads_up_to_it():
    before = Node("p", "s", "paragraph", text="First words. Mass and energy are one:", depth=2)
    equation = Node("e", "s", "equation", text="E = mc^2", depth=2, position=1)
    terms = {term for term, _ in by_id(ROOT, SECTION, before, equation)["e"].tokens}
    assert {"mc", "mass", "energi"} <= terms
    assert "first" not in terms


def test_a_view_names_its_fields_and_the_columns_with_their_units():
    found = {view.node.node_id: view for view in views(tree(ROOT, SECTION, TEXT, TABLE))}
    assert found["t"].fields["table_schema"] == "Sales (USD)"
    assert found["t"].fields["labels"] == "Table 3b"
    assert "turnover" in found["t"].fields["aliases"]


def test_an_article_is_found_as_a_whole_and_its_paragraphs_below_its_beginning():
    texts = ["第一条 甲", "第二条 专利是发明。", "新方案是发明。", "第三条 丙"]
    nodes = [Node(f"a{i}", "s", "paragraph", text=text, depth=2, position=i) for i, text in enumerate(texts)]
    found = by_id(ROOT, SECTION, *nodes)
    assert "新方案" in found["a1"].dense_text and "方案" in dict(found["a1"].tokens)
    assert "第二条 专利是发明。\n新方案是发明。" in found["a2"].dense_text
    assert "专利" not in dict(found["a2"].tokens)
    assert "新方案" not in found["a0"].dense_text and "新方案" not in found["a3"].dense_text


def test_the_name_of_a_document_counts_as_much_in_a_long_table_as_in_a_short_one():
    rows = "\n".join(f"row {n} | {n}" for n in range(1, 400))
    long = dict(by_id(ROOT, SECTION, replace(TABLE, text=rows))["t"].tokens)
    short = dict(by_id(ROOT, SECTION, TABLE)["t"].tokens)
    # The store divides by the length of all that is indexed.
    assert long["annual"] > 3 * short["annual"] and long["cloud"] == short["cloud"]
