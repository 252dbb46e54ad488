from __future__ import annotations


def test_a_reply_is_kept_under_its_key_and_outlasts_a_restart(backend, tmp_path):
    storage = backend(tmp_path / "library")
    storage.replies.put({"a": "one", "b": "二"})
    assert storage.replies.get(["b", "a", "unknown"]) == {"a": "one", "b": "二"}
    storage.close()
    again = backend(tmp_path / "library")
    assert again.replies.get(["a"]) == {"a": "one"}
    again.close()


def test_a_later_reply_takes_the_place_of_an_earlier_one(storage):
    storage.replies.put({"a": "one"})
    storage.replies.put({"a": "another"})
    assert storage.replies.get(["a"]) == {"a": "another"}


def test_many_replies_are_asked_for_at_once(storage):
    storage.replies.put({f"k{number}": str(number) for number in range(1200)})
    assert len(storage.replies.get([f"k{number}" for number in range(1500)])) == 1200
    assert storage.replies.get([]) == {}
