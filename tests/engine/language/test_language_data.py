from pathlib import Path

import engine.language
from engine.answer.understand.kinds import Expects
from engine.language import CODES, cohort, language_data

KINDS = set(Expects.__args__)


def test_every_language_names_known_kinds_only_and_no_phrase_twice():
    for code in CODES:
        data = language_data(code)
        assert set(data.asks) | set(data.nouns) <= KINDS
        phrases = [phrase for phrases in data.asks.values() for phrase in phrases]
        assert len(phrases) == len(set(phrases)) and data.function_words


def test_a_language_without_data_has_that_of_english():
    assert language_data("fr").code == "en"


def test_both_cohorts_pair_as_many_questions_with_answers():
    assert len(cohort()["en"]) == len(cohort()["zh"]) >= 20


def test_the_language_data_stays_small():
    folder = Path(engine.language.__file__).parent
    assert sum(len(file.read_text("utf-8").splitlines()) for file in folder.iterdir() if file.is_file()) <= 1200
