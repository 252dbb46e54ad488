from engine.interfaces.identity import LOCAL_OWNER, new_token, owner_of, valid_token


def test_the_same_cookie_is_the_same_owner_and_another_is_not():
    token = new_token()
    assert owner_of(token) == owner_of(token) != owner_of(new_token())


def test_an_owner_id_does_not_give_away_the_cookie():
    token = new_token()
    assert token not in owner_of(token)


def test_without_a_valid_cookie_there_is_one_local_owner():
    for token in (None, "", "local", "x" * 32, "../../etc"):
        assert not valid_token(token)
        assert owner_of(token) == LOCAL_OWNER


def test_nobody_can_claim_to_be_the_local_owner():
    assert owner_of(LOCAL_OWNER) == LOCAL_OWNER
    assert owner_of(new_token()) != LOCAL_OWNER
