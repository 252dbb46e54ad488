"""Groups from how alike each two are."""

import numpy as np

from engine.topics.communities import communities


def likeness(*groups, within=0.8, between=0.0):
    """A matrix of things in groups of these sizes, in a row."""
    labels = np.repeat(np.arange(len(groups)), groups)
    matrix = np.where(labels[:, None] == labels, within, between)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def test_what_is_alike_goes_together_whatever_the_size_of_the_group():
    assert communities(likeness(5, 1, 3), 0.2) == [0] * 5 + [1] + [2] * 3


def test_groups_do_not_depend_on_the_order_of_the_rows():
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(40, 6))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors += likeness(20, 12, 8)[:, [0, 20, 39, 0, 20, 39]] * 3
    order = rng.permutation(40)
    value = vectors @ vectors.T / 40
    one = communities(value, 0.3)
    other = communities(value[np.ix_(order, order)], 0.3)
    together = [[a == b for b in one] for a in one]
    shuffled = [
        [other[list(order).index(a)] == other[list(order).index(b)] for b in range(40)] for a in range(40)
    ]
    assert together == shuffled


def test_a_thing_between_two_groups_goes_to_the_larger():
    matrix = likeness(6, 3)
    matrix = np.pad(matrix, (0, 1), constant_values=0.5)
    matrix[-1, -1] = 1.0
    labels = communities(matrix, 0.2)
    assert labels[-1] == labels[0] != labels[6]


def test_below_the_threshold_everything_is_alone():
    assert communities(likeness(4, within=0.1), 0.2) == [0, 1, 2, 3]


def test_likeness_to_itself_does_not_count():
    assert communities(np.eye(3), 0.2) == [0, 1, 2]


def test_nothing_makes_no_group():
    assert communities(np.zeros((0, 0)), 0.2) == []
