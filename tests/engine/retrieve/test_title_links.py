"""A text speaks for the passages whose title it names, where that can hardly be chance."""

from engine.model import Node
from engine.retrieve.title_links import title_links
from storage.base import StoredNode


def stored(key, title, text=""):
    node = Node(
        node_id=f"n{key}", parent_id=f"s{key}", role="paragraph", title="", text=text, summary="", depth=2,
        position=0, page=None, bbox=None, cell=None, level=None, metadata={},
    )  # fmt: skip
    return StoredNode(key, node, f"d{key}", f"d{key}.md", 1, True, [title])


def links(text, *titles):
    """What a text that was found first gives to passages with these titles."""
    others = [stored(key, title) for key, title in enumerate(titles, 2)]
    return title_links([stored(1, "Found first", text), *others], [1.0] + [0.0] * len(others))[1:]


def test_a_text_that_names_a_title_speaks_for_it():
    text = "The loan is governed by the Master Agreement of 1931."
    assert links(text, "Master Agreement (2nd edition)", "Master Plan") == [1.0, 0.0]


def test_a_chinese_title_of_four_characters_is_named():
    assert links("本合同适用《劳动合同法》的规定。", "劳动合同法", "总则") == [1.0, 0.0]


def test_a_place_is_named_without_the_region_behind_its_comma():
    assert links("She was born in Hoosick, Rensselaer County.", "Hoosick, New York") == [1.0]


def test_one_word_at_the_beginning_of_a_sentence_is_no_name():
    assert links("Revenue grew. Revenue fell.", "Revenue") == [0.0]


def test_one_word_in_small_letters_is_no_name():
    assert links("The loan is large.", "loan") == [0.0]


def test_one_word_that_many_of_the_texts_hold_is_no_name():
    text = "It belongs to the Fund since then."
    others = [stored(key, f"Other {key}", text) for key in range(3, 9)]
    assert title_links([stored(1, "First", text), stored(2, "Fund"), *others], [1.0] * 8)[1] == 0.0


def test_part_of_a_longer_word_is_no_mention():
    assert links("He lives in Hoosickville.", "Hoosick, New York") == [0.0]


def test_of_two_passages_with_one_title_the_better_one_is_meant():
    assert links("See the Master Agreement.", "Master Agreement", "Master Agreement") == [1.0, 0.0]


def test_only_the_first_texts_speak_for_others():
    late = [stored(1, "One"), stored(2, "Two"), stored(3, "Three", "See the Master Agreement.")]
    assert title_links([*late, stored(4, "Master Agreement")], [1.0, 0.9, 0.8, 0.1])[3] == 0.0
