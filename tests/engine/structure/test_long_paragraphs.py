from hypothesis import given
from hypothesis import strategies as st

from engine.config import StructureNormalizationSettings
from engine.structure.normalization import paragraph_parts
from engine.structure.terms import length_of

SETTINGS = StructureNormalizationSettings()
BRIDGE = [
    "The bridge carries rail and road.",
    "The arch of the bridge is steel.",
    "Rail came to the bridge first.",
]
SOUP = ["Soup needs salt and leeks.", "Leeks sweeten in the soup pot.", "Salt the soup at the end."]


def test_a_paragraph_within_the_limit_stays_whole():
    assert paragraph_parts("字" * 800, SETTINGS) == ["字" * 800]
    assert len(paragraph_parts("Short words only. " * 110, SETTINGS)) == 1  # 1,980 narrow letters


def test_parts_end_with_sentences_and_are_about_as_long_as_asked():
    text = "".join(f"这是关于桥梁的第{n}句话，说明它的结构。" for n in range(80))
    parts = paragraph_parts(text, SETTINGS)
    assert "".join(parts) == text
    assert all(part.endswith("。") for part in parts)
    assert all(160 <= length_of(part) <= 640 for part in parts)


def test_the_cut_falls_where_the_topic_shifts():
    settings = StructureNormalizationSettings(max_paragraph_length=80, paragraph_target_size=42)
    parts = paragraph_parts(" ".join([*BRIDGE, *SOUP]) + " Serve the soup with bread and salt.", settings)
    assert parts[0] == " ".join(BRIDGE)


@given(st.lists(st.sampled_from(["一句话。", "Two words. ", "x" * 90 + " ", "\n", "长" * 2500]), max_size=60))
def test_nothing_but_white_space_is_lost_between_parts(pieces):
    settings = StructureNormalizationSettings(max_paragraph_length=60, paragraph_target_size=30)
    text = "".join(pieces)
    parts = paragraph_parts(text, settings)
    assert "".join("".join(parts).split()) == "".join(text.split())
    at = 0
    for part in parts:
        at = text.index(part, at) + len(part)
