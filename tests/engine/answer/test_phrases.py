import re
from pathlib import Path

import pytest

from engine.answer.phrases import CHINESE, ENGLISH

ENGINE = Path(__file__).parents[3] / "engine"
NAMED = re.compile(r"\b_?phrases\.(?:tools\.)?([a-z]\w+)")


def fields(text):
    return sorted(re.findall(r"\{(\w+)", text))


@pytest.mark.parametrize(("english", "chinese"), [(ENGLISH, CHINESE), (ENGLISH.tools, CHINESE.tools)])
def test_both_languages_have_the_same_phrases_with_the_same_places_to_fill_in(english, chinese):
    assert vars(english).keys() == vars(chinese).keys()
    for name, said in vars(english).items():
        other = vars(chinese)[name]
        if isinstance(said, dict):
            assert said.keys() == other.keys()
        elif isinstance(said, str):
            assert fields(said) == fields(other)


def test_every_phrase_that_is_said_is_written_down():
    known = {*vars(ENGLISH), *vars(ENGLISH.tools)}
    rooms = [ENGINE / "answer", ENGINE / "overview", ENGINE / "versions"]
    texts = [path.read_text("utf-8") for room in rooms for path in room.rglob("*.py")]
    said = {name for text in texts if "answer.phrases" in text for name in NAMED.findall(text)}
    assert "not_found" in said and said - known == set()


def test_a_phrase_that_is_in_no_file_is_told_by_its_name():
    with pytest.raises(AttributeError, match="no phrase 'nonsense'"):
        ENGLISH.nonsense  # noqa: B018
