import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.enrich.aliases import (
    MOST_PER_NODE,
    abbreviations_in,
    library_synonyms,
    load_synonyms,
    other_forms,
    with_aliases,
)
from engine.model import Node, Tree


def aliases(*texts, synonyms=None, role="paragraph", **metadata):
    nodes = [Node("root", None, "document", "x")]
    nodes += [Node(f"p{n}", "root", role, text=text, position=n, metadata=metadata) for n, text in enumerate(texts)]
    enriched = with_aliases(Tree("d", "x", "x", 1, None, nodes), synonyms)
    return [node.metadata.get("aliases", []) for node in enriched.nodes[1:]]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("not enough information (NEI) labels", [("NEI", "not enough information")]),
        ("We use SVM (support vector machine).", [("SVM", "support vector machine")]),
        ("Large Language Models (LLMs)", [("LLMs", "Large Language Models")]),
        ("the World Health Organization (WHO)", [("WHO", "World Health Organization")]),
        ("华夏科技股份有限公司（以下简称“华夏科技”或“公司”）成立于", [("华夏科技", "华夏科技股份有限公司")]),
        ("他毕业于北京大学（简称北大）", [("北大", "北京大学")]),
        ("根据《中华人民共和国公司法》（以下简称《公司法》）", [("公司法", "中华人民共和国公司法")]),
        ("CNN（卷积神经网络）", [("CNN", "卷积神经网络")]),
    ],
)
def test_definitions_of_abbreviations_are_read(text, pairs):
    assert abbreviations_in(text) == pairs


@pytest.mark.parametrize(
    "text",
    ["sales (in millions)", "see Figure (a)", "ABC Corp. (the “Company”)", "the plan (see Note 2)", "x (Y)"],
)
def test_other_brackets_define_nothing(text):
    assert abbreviations_in(text) == []


def test_each_form_brings_the_other_wherever_it_stands():
    found = aliases(
        "Claims with not enough information (NEI) were left out.",
        "NEI was frequent.",
        "There was not enough information in some.",
        "Nothing of it here.",
    )
    assert found == [[], ["not enough information"], ["NEI"], []]


def test_an_abbreviation_is_not_found_in_small_letters_or_inside_words():
    assert aliases("Information technology (IT) costs.", "it rained on ITS roof")[1] == []


def test_metrics_are_named_in_both_languages():
    (english,), (chinese,) = [aliases("Net income fell.")], [aliases("净利润下降。")]
    assert "净利润" in english[0]
    assert "net income" in chinese[0]


def test_units_behind_numbers_have_their_other_names():
    assert "percent" in aliases("It rose by 5%.")[0]
    assert "千克" in aliases("It weighs 12 kg.")[0]
    assert aliases("The min and max are in the list.")[0] == []


def test_units_of_columns_have_their_other_names():
    columns = [{"name": "Weight", "unit": "kg", "dtype": "number"}]
    assert "千克" in aliases("a | 1", role="table", columns=columns)[0]


def test_a_table_of_definitions_is_a_glossary():
    nodes = [
        Node("root", None, "document", "x"),
        Node(
            "t",
            "root",
            "table",
            metadata={"rows": [["释义项", "", "释义内容"], ["华夏", "指", "华夏科技股份有限公司"]]},
        ),
        Node("p", "root", "paragraph", text="华夏成立于1990年。", position=1),
    ]
    enriched = with_aliases(Tree("d", "x", "x", 1, None, nodes))
    assert enriched.nodes[2].metadata["aliases"] == ["华夏科技股份有限公司"]


def test_aliases_are_bounded():
    text = "accuracy recall latency throughput revenue profit equity GDP CPI EPS ROE ROA ROI CAGR efficiency"
    assert len(aliases(text)[0]) == MOST_PER_NODE


def test_a_users_file_adds_and_replaces(tmp_path):
    path = tmp_path / "synonyms.toml"
    path.write_text('[metrics]\n"churn" = ["流失率"]\n"latency" = ["lag"]\n', "utf-8")
    synonyms = library_synonyms(path).in_force
    assert aliases("Churn fell, lag rose.", synonyms=synonyms)[0] == ["流失率", "latency"]
    assert "gross margin" in synonyms.metrics


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("# mine\n[metrics", "line 2"),
        ('\n[colours]\n"red" = []', "'colours'"),
        ('[units]\n"ft" = []\n"m" = "metre"', "units.m"),
        ("units = 3", "units"),
    ],
)
def test_a_broken_file_is_named_with_what_is_wrong_and_counts_for_nothing(tmp_path, content, what):
    path = tmp_path / "synonyms.toml"
    path.write_text(content, "utf-8")
    found = library_synonyms(path)
    assert str(path) in found.problem and what in found.problem
    assert found.in_force == load_synonyms() and not found.own.metrics


def test_a_file_is_read_again_when_it_has_changed(tmp_path):
    path = tmp_path / "synonyms.toml"
    assert library_synonyms(path).in_force == load_synonyms()
    path.write_text('[metrics]\n"churn" = ["attrition"]\n', "utf-8")
    os.utime(path, ns=(1, 1))
    assert "churn" in library_synonyms(path).own.metrics
    path.write_text('[metrics]\n"yield" = ["output"]\n', "utf-8")
    assert list(library_synonyms(path).own.metrics) == ["yield"]


def test_a_question_gets_the_other_forms_of_what_it_names(tmp_path):
    path = tmp_path / "synonyms.toml"
    path.write_text('[metrics]\n"churn" = ["流失率", "attrition"]\n[units]\n"bbl" = ["barrel"]\n', "utf-8")
    own = library_synonyms(path).own
    assert other_forms("去年的流失率是多少？", own) == ["churn", "attrition"]
    assert other_forms("How many barrel a day?", own) == ["bbl"]
    assert other_forms("What was revenue?", own) == []


def test_no_form_of_a_unit_means_two_units():
    shipped = load_synonyms()
    forms = [form for table in (shipped.units, shipped.currencies) for group in table.values() for form in group]
    assert len(forms) == len(set(forms))


@given(st.lists(st.text(max_size=80), max_size=5))
def test_any_texts_have_aliases(texts):
    assert len(aliases(*texts)) == len(texts)
