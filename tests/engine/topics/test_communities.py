"""Groups from how alike each two are."""

import numpy as np
import pytest

from engine.topics.likeness import communities


def likeness(*groups, within=0.8, between=0.0):
    """A matrix of things in groups of these sizes, in a row."""
    labels = np.repeat(np.arange(len(groups)), groups)
    matrix = np.where(labels[:, None] == labels, within, between)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def test_what_is_alike_goes_together_whatever_the_size_of_the_group():
    assert communities(likeness(5, 1, 3), 0.2) == [[0, 1, 2, 3, 4], [5], [6, 7, 8]]


@pytest.mark.parametrize("size", [2, 40])
def test_one_group_stays_whole_however_large(size):
    assert communities(likeness(size), 0.2) == [list(range(size))]


def test_groups_that_are_a_little_alike_stay_two():
    assert communities(likeness(6, 6, between=0.15), 0.2) == [list(range(6)), list(range(6, 12))]


def test_a_thing_between_two_groups_goes_to_the_larger():
    matrix = likeness(6, 3)
    matrix = np.pad(matrix, (0, 1), constant_values=0.5)
    matrix[-1, -1] = 1.0
    assert communities(matrix, 0.2)[0] == [*range(6), 9]


def test_below_the_threshold_everything_is_alone():
    assert communities(likeness(4, within=0.1), 0.2) == [[0], [1], [2], [3]]


def test_likeness_to_itself_does_not_count():
    assert communities(np.eye(3), 0.2) == [[0], [1], [2]]


def test_nothing_makes_no_group():
    assert communities(np.zeros((0, 0)), 0.2) == []
