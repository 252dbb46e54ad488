"""Good neighbours and what is asked for speak for a node."""

from engine.model import Node
from engine.retrieve.priors import intent_bonus, tree_priors
from engine.retrieve.query import intent_of, understand
from storage.base import StoredNode


def stored(key, text="", *, parent="s1", page=None, path=("Part",), document="d1", role="paragraph", metadata=None):
    node = Node(
        node_id=f"n{key}", parent_id=parent, role=role, title="", text=text, summary="", depth=2, position=key,
        page=page, bbox=None, cell=None, level=None, metadata=metadata or {},
    )  # fmt: skip
    return StoredNode(key, node, document, f"{document}.md", 1, True, list(path))


def test_a_node_beside_the_best_one_gains_most():
    nodes = [stored(1), stored(2), stored(3, parent="s2", path=["Other"])]
    assert tree_priors(nodes, [1.0, 0.2, 0.1]) == [0.1, 0.5, 0.0]


def test_pages_are_near_each_other():
    nodes = [
        stored(1, page=4),
        stored(2, parent="s2", page=4),
        stored(3, parent="s3", page=5),
        stored(4, parent="s4", page=9),
    ]
    priors = tree_priors(nodes, [1.0, 0.0, 0.0, 0.0])
    assert priors[1] > priors[2] > priors[3] == 0


def test_a_table_with_the_column_asked_for_is_preferred():
    question = "Which month had the highest catch in the table?"
    table = stored(1, role="table", metadata={"columns": [{"name": "Month"}, {"name": "Catch"}]})
    bonus, reasons = intent_bonus(table, intent_of(question), [], dict(understand(question).terms))
    assert bonus == 0.6
    assert "table_schema:Month,Catch" in reasons
    assert intent_bonus(stored(2), intent_of(question), [], {}) == (0.0, [])


def test_a_figure_of_the_type_asked_for_is_preferred():
    bars = stored(1, role="image", metadata={"chart_type": "bar"})
    for question in ("What does the bar chart of sales show?", "销售柱状图说明了什么？"):
        assert intent_bonus(bars, intent_of(question), [], {}) == (0.6, ["role:image", "chart_type:bar"])
        other = stored(2, role="image", metadata={"chart_type": "pie"})
        assert "chart_type:pie" not in intent_bonus(other, intent_of(question), [], {})[1]


def test_an_entry_of_the_bibliography_loses_where_no_literature_is_asked_for():
    entry = stored(1, metadata={"kind": "reference"})
    assert intent_bonus(entry, intent_of("How is trust measured?"), [], {}) == (-2.0, ["cited_work"])
    assert intent_bonus(entry, intent_of("Which references deal with trust?"), [], {}) == (0.0, [])
    assert intent_bonus(entry, intent_of("参考文献里有哪些关于信任的？"), [], {}) == (0.0, [])
