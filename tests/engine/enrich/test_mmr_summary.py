from hypothesis import given
from hypothesis import strategies as st

from engine.config import SummarySettings
from engine.enrich.summary import LEAF_TOKENS, SECTION_TOKENS, summarize, summarized
from engine.model import Edge, Node, Tree
from engine.providers.llm import estimate_tokens

ENGLISH = (
    "Retrieval systems find documents. We propose a method that ranks passages by meaning, see Fig. 3 for an overview. "
    "The weather was good. Results show that recall rose from 52% to 71%, compared with BM25. Results show that recall "
    "rose from 52% to 71%. Our method also costs less memory: 40 MB instead of 2 GB. We thank our colleagues."
)
CHINESE = (
    "本公司主要从事冷链设备的研发和销售。报告期内，公司实现营业收入12.3亿元，同比增长15.2%。天气不错。"
    "净利润为1.8亿元，同比下降3.1%。公司感谢各位股东的支持。研发投入占营业收入的比例为4.5%。"
)


def test_the_sentences_that_say_most_are_taken_word_for_word():
    summary = summarize(ENGLISH, title="Ranking passages by meaning")
    assert "We propose a method that ranks passages by meaning, see Fig. 3 for an overview." in summary
    assert "weather" not in summary


def test_chinese_is_summarised_alike():
    summary = summarize(CHINESE, title="经营情况")
    assert "公司实现营业收入12.3亿元，同比增长15.2%。" in summary
    assert "天气" not in summary


def test_a_sentence_is_not_said_twice():
    summary = summarize(ENGLISH, title="Recall", k=3)
    assert summary.count("rose from 52% to 71%") == 1


def test_the_sentences_stay_in_their_order():
    summary = summarize(ENGLISH, title="memory", k=3)
    places = [ENGLISH.index(part) for part in ("We propose", "Results show", "Our method") if part in summary]
    assert places == sorted(places)


def test_a_sentence_longer_than_the_budget_is_cut_but_not_changed():
    text = "word " * 400 + "end."
    summary = summarize(text, budget=20)
    assert summary and text.startswith(summary) and estimate_tokens(summary) <= 20


def nested():
    nodes = [
        Node("root", None, "document", "Annual report"),
        Node("a", "root", "section", "Results", position=0, depth=1),
        Node("a1", "a", "section", "Sales", position=0, depth=2),
        Node(
            "p1",
            "a1",
            "paragraph",
            text="Sales rose by 12% to 412 million dollars. The office was painted.",
            depth=3,
        ),
        Node(
            "t",
            "a1",
            "table",
            position=1,
            metadata={"caption": "Table 1: Sales by region", "label": "Table 1"},
        ),
        Node("a2", "a", "section", "Costs", position=1, depth=2),
        Node(
            "p2",
            "a2",
            "paragraph",
            text="Costs fell because of cheaper freight. Table 1 lists sales by region.",
        ),
        Node("b", "root", "section", "References", position=1),
        Node(
            "p3",
            "b",
            "paragraph",
            text="Smith, J. 2019. A very important book about sales and results of 12%.",
        ),
    ]
    return Tree("d", "report.md", "text/markdown", 1, None, nodes)


def test_a_section_is_summarised_from_its_subsections():
    summaries = {node.node_id: node.summary for node in summarized(nested()).nodes}
    assert "Sales rose by 12% to 412 million dollars." in summaries["a1"]
    assert "Sales rose by 12% to 412 million dollars." in summaries["a"]
    assert "Costs fell" in summaries["a"]
    assert "Sales rose" in summaries["root"]
    assert "Smith" not in summaries["root"]


def test_a_table_is_described_by_its_caption_and_by_what_names_it():
    summaries = {node.node_id: node.summary for node in summarized(nested(), [Edge("p2", "t", "ref", "Table 1")]).nodes}
    assert "Table 1: Sales by region" in summaries["t"]
    assert "Table 1 lists sales by region." in summaries["t"]


def test_short_leaves_need_no_summary_and_long_ones_get_one():
    long = " ".join(f"Sentence number {n} tells of item {n} and its price of {n} dollars." for n in range(80))
    nodes = [
        Node("root", None, "document", "x"),
        Node("short", "root", "paragraph", text="A short one. It is brief."),
        Node("long", "root", "paragraph", text=long, position=1),
    ]
    made = {node.node_id: node.summary for node in summarized(Tree("d", "x", "x", 1, None, nodes)).nodes}
    assert made["short"] == ""
    assert made["long"] and estimate_tokens(made["long"]) <= LEAF_TOKENS


def test_the_settings_say_how_many_sentences_a_summary_has():
    text = " ".join(f"Harbour {n} has {n} cranes of its own kind." for n in range(9))
    nodes = [
        Node("root", None, "document", "x"),
        Node("a", "root", "section", "Harbours", depth=1),
        Node("p", "a", "paragraph", text=text, depth=2),
    ]
    tree = Tree("d", "x", "x", 1, None, nodes)
    counts = [
        summarized(tree, settings=SummarySettings(k_section=k)).nodes[1].summary.count("cranes") for k in (1, 2, 4)
    ]
    assert counts == [1, 2, 4]


def test_what_repeats_another_sentence_counts_by_the_setting_for_it():
    text = (
        "Sales of sugar rose to 12 million. Sales of sugar rose to 12 million tons. "
        "The board met twice. Sales of sugar rose to 12 million in all."
    )
    nodes = [
        Node("root", None, "document", "x"),
        Node("a", "root", "section", "Sales of sugar", depth=1),
        Node("p", "a", "paragraph", text=text, depth=2),
    ]
    tree = Tree("d", "x", "x", 1, None, nodes)
    worth, variety = (
        summarized(tree, settings=SummarySettings(k_section=2, mmr_lambda=share)).nodes[1].summary
        for share in (1.0, 0.0)
    )
    assert "board" not in worth
    assert "board" in variety


def test_a_summary_that_is_there_stays():
    nodes = [
        Node("root", None, "document", "x", summary="Kept."),
        Node("p", "root", "paragraph", text="A text of one line."),
    ]
    assert summarized(Tree("d", "x", "x", 1, None, nodes)).nodes[0].summary == "Kept."


@given(st.text(max_size=600), st.text(max_size=30))
def test_any_text_can_be_summarised(text, title):
    summary = summarize(text, title=title)
    assert estimate_tokens(summary) <= SECTION_TOKENS + 3
    assert all(part in text for part in summary.split())
