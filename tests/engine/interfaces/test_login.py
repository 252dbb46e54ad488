from engine.interfaces.login import (
    ALL_TRIES,
    PAUSE_SECONDS,
    TRIES,
    WINDOW_SECONDS,
    Attempts,
    hash_password,
    new_session,
    password_matches,
    session_valid,
)

KEPT = hash_password("correct horse")


def test_a_password_matches_its_hash_and_no_other_does():
    assert password_matches("correct horse", KEPT)
    assert not password_matches("correct hors", KEPT)
    assert not password_matches("", KEPT)


def test_a_hash_tells_nothing_and_is_never_the_same_twice():
    assert "correct" not in KEPT
    assert hash_password("correct horse") != KEPT


def test_a_broken_hash_lets_nobody_in():
    for kept in ("", "scrypt", "scrypt$1$1$1$x$y", "plain$32768$8$1$AAAA$AAAA", KEPT[:-9]):
        assert not password_matches("correct horse", kept)


def test_a_session_holds_until_it_runs_out_or_the_password_changes():
    token = new_session(KEPT, now=1000.0)
    assert session_valid(token, KEPT, now=2000.0)
    assert not session_valid(token, KEPT, now=1000.0 + 31 * 24 * 3600)
    assert not session_valid(token, hash_password("correct horse"), now=2000.0)


def test_a_forged_session_is_refused():
    token = new_session(KEPT, now=1000.0)
    later = "9999999999" + token[token.index(".") :]
    for forged in (None, "", ".", "..", later, token[:-1], token + "0"):
        assert not session_valid(forged, KEPT, now=2000.0)
    assert not session_valid(new_session("", 1000.0), "", now=1000.0)


def test_after_some_wrong_passwords_one_has_to_wait_and_others_have_not():
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    for _ in range(TRIES):
        assert attempts.wait("10.0.0.1") == 0
        attempts.begin("10.0.0.1")
    assert attempts.wait("10.0.0.1") == WINDOW_SECONDS
    assert attempts.wait("10.0.0.2") == 0
    now[0] = WINDOW_SECONDS
    assert attempts.wait("10.0.0.1") == 0


def test_the_right_password_clears_the_count():
    attempts = Attempts(lambda: 0.0)
    for _ in range(TRIES):
        attempts.begin("10.0.0.1")
    attempts.succeeded("10.0.0.1")
    assert attempts.wait("10.0.0.1") == 0


def test_guessing_from_many_places_is_slowed_and_locks_nobody_out():
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    assert attempts.pause() == 0
    for number in range(ALL_TRIES):
        attempts.begin(f"10.0.1.{number}")
    assert attempts.wait("10.0.2.1") == 0
    assert attempts.pause() == PAUSE_SECONDS
    now[0] = WINDOW_SECONDS
    assert attempts.pause() == 0


def test_addresses_of_one_household_count_as_one():
    attempts = Attempts(lambda: 0.0)
    for number in range(TRIES):
        attempts.begin(f"2001:db8:1:2::{number}")
    assert attempts.wait("2001:db8:1:2:ffff::9") > 0
    assert attempts.wait("2001:db8:1:3::1") == 0
    for _ in range(TRIES):
        attempts.begin("::ffff:10.0.0.7")
    assert attempts.wait("10.0.0.7") > 0 and attempts.wait("10.0.0.8") == 0
