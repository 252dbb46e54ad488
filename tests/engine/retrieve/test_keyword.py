"""Exact search: words and patterns as they stand."""

import pytest

from engine.errors import UsageError
from engine.retrieve.keyword import pattern, substring
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
