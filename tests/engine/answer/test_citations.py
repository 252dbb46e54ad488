import pytest
from engine.answer.citations import resolve
from evidence_maker import bridges, evidence
from hypothesis import given
from hypothesis import strategies as st

from engine.answer.check.sources import place_of
from engine.answer.phrases import CHINESE, ENGLISH


def check(reply, items=None, **more):
    return resolve(reply, items or bridges(), ENGLISH, **more)


def test_a_supported_mark_leads_to_its_snippet():
    done = check("The bridge opened in 1932 [1].")
    assert done.text == "The bridge opened in 1932 [1]."
    assert done.citations[0].snippet == "The Harbour Bridge opened in 1932."
    assert (done.citations[0].section, done.citations[0].page) == ("1 History", 1)
    assert done.support == 1.0 and not done.warnings


def test_sources_are_numbered_in_order_of_appearance():
    done = check("Paint cost 300 [3]. The bridge opened in 1932 [1]. Steel cost 4,500 [3].")
    assert done.text == "Paint cost 300 [1]. The bridge opened in 1932 [2]. Steel cost 4,500 [3]."
    assert [c.snippet for c in done.citations] == [
        "Paint | 300", "The Harbour Bridge opened in 1932.", "Steel | 4,500",
    ]  # fmt: skip


def test_the_same_snippet_is_one_source():
    done = check("The bridge opened in 1932 [1]. In 1932 the Harbour Bridge opened [1].")
    assert done.text.count("[1]") == 2 and len(done.citations) == 1


def test_a_mark_that_stands_twice_at_one_place_stands_once():
    copied = [*bridges()[:1], evidence(2, bridges()[0].text)]
    assert check("The bridge opened in 1932 [1][1].").text == "The bridge opened in 1932 [1]."
    assert check("The bridge opened in 1932 [1][2].", copied).text == "The bridge opened in 1932 [1][2]."


@pytest.mark.parametrize(
    "mark",
    [
        "[1]",
        "【1】",
        "［1］",
        "[^1]",
        "[source 1]",
        "[Evidence: 1]",
        "[来源1]",
        "[1†L3]",
        "[n00000000000001]",
    ],
)
def test_marks_are_understood_in_the_forms_models_use(mark):
    done = check(f"The bridge opened in 1932 {mark}.")
    assert done.text == "The bridge opened in 1932 [1]." and done.citations[0].page == 1


def test_a_list_or_range_of_sources_keeps_only_those_that_support():
    done = check("The bridge opened in 1932 [1-3].")
    assert done.citations[0].node_id == "n00000000000001"
    assert "COST" not in str(done.citations) and done.removed >= 1


def test_a_source_that_does_not_exist_is_removed_and_reported():
    done = check("The bridge opened in 1932 [1][9]. It took eight years to build [n99999999999999].")
    assert "[9]" not in done.text and "n9999" not in done.text
    assert any("source 9" in warning for warning in done.warnings)
    assert any("n99999999999999" in warning for warning in done.warnings)


def test_a_citation_that_its_node_does_not_support_is_removed_and_reported():
    done = check("Purple elephants dance wildly at night [1].")
    assert done.text == "Purple elephants dance wildly at night." and not done.citations
    assert "bridge.pdf" in done.warnings[0] and done.supported == 0


def test_each_mark_is_held_against_the_words_before_it():
    done = check("The bridge opened in 1932 [1] and paint cost 300 [3].")
    assert [c.snippet for c in done.citations] == ["The Harbour Bridge opened in 1932.", "Paint | 300"]


def test_marks_after_the_full_stop_belong_to_the_sentence_before_them():
    done = check("The bridge opened in 1932. [1] Paint cost 300. [3]")
    assert done.supported == 2 and [c.page for c in done.citations] == [1, 3]


def test_marks_at_the_start_of_a_line_belong_to_that_line():
    done = check("[3] Paint cost 300.\n[1] The bridge opened in 1932.")
    assert [c.page for c in done.citations] == [3, 1]


def test_a_forgotten_mark_is_set_where_the_support_is_clear():
    done = check("The harbour bridge took eight years to build.")
    assert done.text == "The harbour bridge took eight years to build [1]."


def test_a_short_sentence_is_understood_with_its_question():
    assert check("It opened in 1932.", question="When did the Harbour Bridge open?").citations
    assert not check("It opened wide.", question="Which door is it?").citations


def test_a_sentence_without_support_is_counted():
    done = check("The bridge opened in 1932 [1]. Everybody loves the colour of the northern pylons.")
    assert (done.claims, done.supported) == (2, 1)


def test_a_number_that_stands_in_no_cited_node_is_reported():
    done = check("The bridge opened in 1932 and cost 7.5 million pounds [1].")
    assert done.wrong_numbers == 1 and "7.5" in done.warnings[0]


@pytest.mark.parametrize(
    "reply", ["It took 8 years to build the bridge [1].", "Cost: 6,250,000 pounds for the bridge [1]."]
)
def test_a_number_may_be_written_in_another_way(reply):
    assert check(reply).wrong_numbers == 0


def test_a_numbered_list_is_not_a_list_of_numbers():
    assert check("1. The bridge opened in 1932 [1].\n2. Paint cost 300 [3].").wrong_numbers == 0


def test_a_quotation_that_is_not_in_the_cited_node_is_reported():
    done = check('The report says the bridge "was finished well before its time" when it opened in 1932 [1].')
    assert any("was finished" in warning for warning in done.warnings)
    assert not check('It "took eight years to build" [1].').warnings


def test_chinese_answers_are_checked_the_same_way():
    done = resolve("大桥长1149米【2】。设计者是约翰·布拉德菲尔德。大桥有500只猫[2]。", bridges(), CHINESE)
    assert done.text.startswith("大桥长1149米[1]。设计者是约翰·布拉德菲尔德[2]。")
    assert any("500" in warning for warning in done.warnings)


class Dictionary:
    """Cosines that are high for the stretch that translates the claim."""

    def __call__(self, claim, sentences):
        return [0.9 if "1149" in sentence else 0.75 for sentence in sentences]


def test_an_answer_in_another_language_is_located_by_meaning():
    reply = "The length of that structure reaches one kilometre and more [2]."
    assert not check(reply).citations
    done = check(reply, similarity=Dictionary())
    assert done.citations[0].snippet == "桥长1149米，宽48.8米。"


def test_an_interval_is_not_a_citation():
    assert "[0, 1]" in check("The bridge opened in 1932, on a scale of [0, 1] [1].").text


def test_a_node_over_two_pages_is_cited_on_the_page_of_the_sentence():
    spans = [{"page": 4, "bbox": [0, 700, 100, 800]}, {"page": 5, "bbox": [0, 50, 100, 150]}]
    item = evidence(1, "First half of it. " * 10 + "Second half of it. " * 10, page=4, spans=spans)
    assert place_of(item, 0, 10)[0] == 4
    assert place_of(item, len(item.text) - 10, len(item.text)) == (5, (0, 50, 100, 150))


def test_spans_that_count_their_characters_decide_the_page_exactly():
    spans = [{"page": 4, "bbox": None, "chars": 300}, {"page": 5, "bbox": None, "chars": 60}]
    item = evidence(1, "x" * 360, page=4, spans=spans)
    assert (place_of(item, 280, 299)[0], place_of(item, 301, 320)[0]) == (4, 5)
    assert place_of(item, 280, 310)[0] == 4


@given(st.text(alphabet="The bridge1932[],【】.\n^-3９开", max_size=80))
def test_whatever_comes_in_marks_and_sources_agree(reply):
    import re

    items = bridges()
    done = check(reply, items)
    texts = {item.hit.node_id: item.text for item in items}
    assert all(c.snippet and c.snippet in texts[c.node_id] for c in done.citations)
    assert {int(n) for n in re.findall(r"\[(\d+)\]", done.text)} == {c.n for c in done.citations}


def test_a_figure_that_another_passage_has_is_cited_from_there():
    items = [
        evidence(1, "The bridge was praised by everyone who saw the opening of the Harbour Bridge."),
        evidence(2, "The Harbour Bridge was opened to the public in 1932."),
    ]
    done = resolve("The Harbour Bridge was opened to the public in 1932 [1].", items, ENGLISH)
    assert "1932" in done.citations[-1].snippet and not done.warnings
    assert [one.support for one in done.sentences] == ["supported"]


def test_an_invented_figure_is_not_backed_by_a_passage_that_merely_has_it():
    items = [evidence(1, "The Harbour Bridge was opened in 1932."), evidence(2, "A ferry sank in 1950.")]
    done = resolve("The Harbour Bridge was opened in 1950 [1].", items, ENGLISH)
    assert len(done.citations) == 1 and any("1950" in warning for warning in done.warnings)
