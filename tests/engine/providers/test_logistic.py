import pytest

from engine.providers.logistic import logistic


def test_log_odds_are_probabilities_however_large():
    assert logistic(0) == 0.5
    assert logistic(2) == pytest.approx(1 - logistic(-2))
    assert 0 < logistic(-1e9) < 1e-12 and logistic(1e9) <= 1
