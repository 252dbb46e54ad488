"""Phrases in the texts of a library: in how many documents they stand, and which stand whole."""

import pytest

from engine.topics.library_text import LibraryText
from storage.topics import TopicProfile


def library(*texts, title="t"):
    return LibraryText([TopicProfile(str(n), "", title, text) for n, text in enumerate(texts)])


@pytest.mark.parametrize(
    ("phrase", "whole"),
    [
        ("体工商户", "个体工商户"),
        ("行政许", "行政许可"),
        ("效宣告", "无效宣告"),
        ("个体工商户", "个体工商户"),
        ("许可", "许可"),
    ],
)
def test_a_phrase_cut_within_a_word_is_completed(phrase, whole):
    texts = library(
        "个体工商户申请行政许可，无效宣告除外。", "鼓励个体工商户。许可与行政许可。", "宣告无效宣告的。"
    )
    assert texts.whole(phrase) == whole


def test_a_phrase_that_never_stands_whole_with_various_neighbours_names_nothing():
    assert library("香菇汤，蘑菇汤。", "金针菇汤，草菇汤。").whole("菇汤") is None


def test_a_line_broken_within_a_word_makes_no_phrase():
    often = "，".join(["鼓励个体工商户", "个体工商户"] * 15)
    assert library(often + "\n个\n体工商户。个体工商户。").whole("体工商户") == "个体工商户"


def test_what_ends_before_a_preposition_is_not_whole():
    assert library("国务院关于假期的规定", "国务院关于粮食的规定").whole("国务院关") is None


def test_a_word_that_always_has_the_same_neighbour_is_completed():
    texts = library(
        "Traffic in Los Angeles is slow.", "He left Los Angeles, and the sea.", "The sea is slow."
    )
    assert texts.whole("angeles") == "Los Angeles"
    assert texts.whole("sea") == "sea"


def test_a_word_is_found_as_a_word_only():
    texts = library("The art of war", "To start a cart", "Art is long")
    assert texts.documents_with("art") == 2
    assert texts.documents_with("nothing") == 0


def test_titles_and_texts_are_told_apart():
    texts = library("Rye, water and salt.", title="Bread")
    assert texts.in_a_title("bread") and not texts.in_a_text("bread")
    assert texts.in_a_text("rye") and not texts.in_a_title("rye")


def test_letters_that_grow_in_lower_case_move_nothing():
    texts = library("İİİİ", "The tall Lighthouse of stone")
    assert texts.whole("lighthouse") in ("Lighthouse", "tall Lighthouse")
