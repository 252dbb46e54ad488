"""The pieces of a question in evidence in another language."""

from engine.answer.evidence.units import units_of
from engine.answer.understand.terms import pieces_covered, translated_pieces
from engine.index.tokenize import tokens
from tests.engine.answer.evidence_maker import evidence


def test_any_translation_of_a_word_covers_it():
    pieces = translated_pieces("保险公司2015年的利润")
    for text in ("The insurance company made a profit in 2015", "Profits of insurance companies 2015"):
        assert pieces_covered(pieces, frozenset(tokens(text))) == 1.0
    assert 0 < pieces_covered(pieces, frozenset(tokens("The company was founded in 2015"))) < 1


def test_numbers_are_pieces_as_they_are_and_names_in_latin_letters_in_chinese_text_are_none():
    assert {piece.text for piece in translated_pieces("In 2015 did Zzyxt insure 1,200 ships")} == {
        "insur", "ship", "1,200", "2015",
    }  # fmt: skip


def test_the_sentence_that_says_it_in_the_other_language_shares_most():
    item = evidence(1, "The club meets on Mondays. Members pay an insurance fee in March. The hall is old.")
    best = max(units_of("会员什么时候交保险费？", [item]), key=lambda one: one.shared)
    assert best.text.startswith("Members pay an insurance fee")


def test_words_that_only_ask_are_no_pieces():
    assert {piece.text for piece in translated_pieces("What is the name of the rotor?")} == {"rotor"}
