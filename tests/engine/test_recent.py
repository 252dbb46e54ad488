"""What was computed lately is not computed again, and no more of it is kept than is asked for."""

from engine.recent import Recent


def test_only_what_is_new_is_computed_together_and_each_key_gets_its_value():
    asked: list[list[int]] = []

    def doubled(new):
        asked.append(list(new))
        return [2 * one for one in new]

    recent: Recent[int, int] = Recent("vectors", 3)
    assert recent.of([1, 2, 1], doubled) == [2, 4, 2]
    assert recent.of([2, 3], doubled) == [4, 6]
    assert recent.of([], doubled) == []
    assert asked == [[1, 2], [3]]


def test_what_was_used_longest_ago_is_given_up():
    asked: list[int] = []

    def noted(new):
        asked.extend(new)
        return new

    recent: Recent[int, int] = Recent("vectors", 2)
    for keys in ([1, 2], [1], [3], [1], [2]):
        recent.of(keys, noted)
    assert asked == [1, 2, 3, 2]
