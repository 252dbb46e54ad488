import pytest

from engine.providers.logistic import log_odds, logistic


def test_log_odds_are_probabilities_however_large():
    assert logistic(0) == 0.5
    assert logistic(2) == pytest.approx(1 - logistic(-2))
    assert 0 < logistic(-1e9) < 1e-12 and logistic(1e9) <= 1


def test_probabilities_are_log_odds_again_and_none_is_certain():
    assert logistic(log_odds(0.3)) == pytest.approx(0.3)
    assert log_odds(1.0) == log_odds(0.99) == pytest.approx(-log_odds(0.0))
