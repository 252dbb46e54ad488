"""Groups of documents by their vectors."""

import numpy as np

from engine.topics import likeness
from engine.topics.likeness import Space


def shelf(*sizes, apart=0.5, seed=1):
    """Unit vectors of documents in groups of these sizes, each group around a direction of its own."""
    rng = np.random.default_rng(seed)
    common = np.zeros(48)
    common[0] = 4.0
    found = {}
    for number, size in enumerate(sizes):
        centre = common + 3 * np.eye(48)[1 + number]
        for member in range(size):
            vector = centre + apart * rng.normal(size=48)
            found[f"{number}-{member:03}"] = (vector / np.linalg.norm(vector)).astype(np.float32)
    return found


def grouped(vectors):
    return sorted(sorted(group) for group in Space(vectors, 0.06).groups(sorted(vectors)))


def test_documents_around_one_direction_are_a_group():
    assert [{one[0] for one in group} for group in grouped(shelf(6, 5, 4, 6))] == [{"0"}, {"1"}, {"2"}, {"3"}]


def test_a_large_group_is_parted_by_what_tells_its_own_members_apart():
    near, far = shelf(8, 8, 8, apart=0.1), shelf(0, 0, 0, 20, apart=0.1)
    shift = 6 * np.eye(48)[40]
    near = {one: (vector + shift) / np.linalg.norm(vector + shift) for one, vector in near.items()}
    groups = grouped(near | far)
    assert [group for group in groups if group[0][0] in "012"] == [
        sorted(one for one in near if one[0] == first) for first in "012"
    ]


def test_more_documents_than_are_compared_at_a_time_join_the_groups_they_fit(monkeypatch):
    monkeypatch.setattr(likeness, "MOST_GROUPED", 12)
    vectors = shelf(10, 10, 10)
    mixed = sorted(vectors, key=lambda one: one[::-1])
    groups = Space(vectors, 0.06).groups(mixed)
    assert sorted({one[0] for one in group} for group in groups) == [{"0"}, {"1"}, {"2"}]
