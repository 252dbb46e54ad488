"""Exact search: words and patterns as they stand."""

import pytest

from engine.errors import UsageError
from engine.retrieve.keyword import pattern, substring, whole_words
from engine.search_settings import KeywordSettings

ANY_CASE = KeywordSettings()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("net  sales", "Net\nSales rose"),
        ("ABC", "full-width ａｂｃ"),
        ("ａｂｃ", "plain ABC"),
        ("年假", "带薪年假十五天"),
        ("straße", "STRASSE"),
        ("ﬁle", "a file"),
    ],
)
def test_case_width_and_space_do_not_matter(words, text):
    assert substring(words, ANY_CASE)(text) == 1


def test_case_matters_when_the_settings_say_so():
    count = substring("Net", KeywordSettings(case_sensitive=True))
    assert (count("Net"), count("net")) == (1, 0)


def test_a_pattern_that_never_ends_is_stopped_with_advice():
    count = pattern(r"(a+)+\d$", ANY_CASE, seconds=0.2)
    with pytest.raises(UsageError, match="simpler"):
        count("a" * 5000 + "!")


@pytest.mark.parametrize(
    ("words", "text", "times"),
    [
        ("15", "In 2015 and 1,015 cases, 3.15 each, on 15 days.", 1),
        ("15", "自2015年起第15条与15日", 2),
        ("１５", "2015", 0),
        ("port", "A report on exports, airports and one port.", 1),
        ("AQ-60", "AQ-605 and AQ-601, not the AQ-60 itself", 1),
        ("net sales", "Subnet sales and net\nsales", 1),
        ("C++", "Written in C++.", 1),
        ("年假", "带薪年假十五天", 1),
    ],
)
def test_whole_words_and_numbers_are_found_not_parts_of_them(words, text, times):
    assert whole_words(words, ANY_CASE)(text) == times
