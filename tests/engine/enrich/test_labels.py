import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.enrich.labels import label_key, label_of, number_key, plain_text, split_caption


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Figure 3b: Costs", "figure 3b"),
        ("Fig. 3(b)", "figure 3b"),
        ("FIG. 12. Map", "figure 12"),
        ("图3 结构", "figure 3"),
        ("图三　结构", "figure 3"),
        ("Table IV. Results", "table 4"),
        ("Table A1: Data", "table a1"),
        ("表2-1 主要指标", "table 2-1"),
        ("表２－１　主要指标", "table 2-1"),
        ("Tab. 4 Sizes", "table 4"),
        ("Supplementary Figure 2", "figure s2"),
        ("Figure S2", "figure s2"),
        ("附表1 明细", "attached table 1"),
        ("续表2", "table 2"),
        ("Exhibit 10.1", "exhibit 10.1"),
    ],
)
def test_all_ways_of_writing_a_label_have_one_key(text, key):
    assert label_key(text) == key


def test_labels_that_differ_by_a_letter_stay_apart():
    assert len({label_key(text) for text in ("Table 1", "Table 1a", "Table 1b", "Figure 1", "表11")}) == 5


@pytest.mark.parametrize(
    "text",
    ["", "Tableau", "table of contents", "Figures show", "表示", "图像处理", "a table 5", "Map of Rome"],
)
def test_words_that_begin_alike_are_no_labels(text):
    assert label_of(text) is None


@pytest.mark.parametrize(
    ("caption", "label", "rest"),
    [
        ("Table 3b. Costs of care", "Table 3b", "Costs of care"),
        ("Figure 2: A map", "Figure 2", "A map"),
        ("表2-1 主要指标", "表2-1", "主要指标"),
        ("Table 3 (continued)", "Table 3", ""),
        ("Fig. 1 — Overview", "Fig. 1", "Overview"),
    ],
)
def test_a_caption_is_split_into_label_and_words(caption, label, rest):
    found, words = split_caption(caption)
    assert (found.printed, words) == (label, rest)


def test_a_caption_without_label_is_all_words():
    assert split_caption("Costs of care") == (None, "Costs of care")


@pytest.mark.parametrize(
    ("text", "value"), [("三", 3), ("十", 10), ("十二", 12), ("三十", 30), ("一百零五", 105), ("二〇", 20)]
)
def test_chinese_numerals_are_counted(text, value):
    assert number_key(text) == str(value)


@given(st.text(max_size=100))
def test_any_text_may_be_asked_for_its_label(text):
    split_caption(text)
    assert len(plain_text(text)) == len(text)
