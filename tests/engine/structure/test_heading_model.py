"""The model that tells headings: it fits its features, and its trees are walked right."""

import numpy as np

from engine.structure.heading_features import NAMES, Features, numbers_of, series_of
from engine.structure.headings import FILE, Forest, find_headings, forest
from engine.structure.numbering import numbering_of


def test_the_model_that_ships_is_small_and_fits_the_features():
    model = forest()
    assert FILE.stat().st_size < 24_000
    assert model.features.min() >= 0
    assert model.features.max() < len(NAMES)
    assert model.values.shape == (len(model.features), model.features.shape[1] + 1)


def test_a_tree_goes_left_up_to_its_threshold():
    model = Forest(1.0, np.array([[0, 1, 1]]), np.array([[2.0, 5.0, 7.0]]), np.array([[0.1, 0.2, 0.3, 0.4]]))
    rows = np.array([[2, 5], [2, 6], [3, 7], [3, 8]], dtype=np.float32)
    assert model.odds(rows).tolist() == [1.1, 1.2, 1.3, 1.4]


def test_a_document_without_blocks_has_no_headings():
    assert find_headings([]) == []
    assert Features([], [], []).rows([]).shape == (0, len(NAMES))


def test_numbers_that_count_on_are_one_series_whatever_is_numbered_between_them():
    lines = [
        "一、范围",
        "1. Cups",
        "2. Plates",
        "二、期限",
        "1. Forks",
        "2.1 Length",
        "2.2 Width",
        "三、其他",
        "No",
    ]
    assert series_of([numbering_of(line) for line in lines]) == [[0, 3, 7], [1, 2], [4], [5, 6]]


def test_a_word_that_a_document_counts_with_numbers_its_parts():
    lines = [
        "Pasal 1",
        "Obyek sewa",
        "Pasal 2: Masa sewa",
        "제1조 총칙",
        "제2조 범위",
        "Pasal 3",
        "제3조(기간)",
        "Level 7",
    ]
    numbers = [(number.unit, number.value) if number else None for number in numbers_of(lines)]
    assert numbers == [
        ("pasal", 1),
        None,
        ("pasal", 2),
        ("제조", 1),
        ("제조", 2),
        ("pasal", 3),
        ("제조", 3),
        None,
    ]


def test_a_word_with_a_number_here_and_there_counts_nothing():
    assert numbers_of(["Windows 11 is needed", "Room 1", "Room 2", "Version 4", "Version 5", "Version 6"]) == [None] * 6
