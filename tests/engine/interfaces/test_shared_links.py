"""Links under which conversations can be read."""

from pathlib import Path

import pytest

from engine.errors import StorageError
from engine.interfaces.shared_links import FILE_NAME, SharedLinks


def test_a_link_opens_its_conversation_until_it_is_taken_back_also_after_a_restart(tmp_path: Path):
    secret = SharedLinks(tmp_path).begin("ann", "c1")
    other = SharedLinks(tmp_path).begin("ben", "c2")
    links = SharedLinks(tmp_path)
    assert links.find(secret) == ("ann", "c1") and links.begin("ann", "c1") == secret != other
    assert len(secret) >= 24 and (tmp_path / FILE_NAME).stat().st_mode & 0o077 == 0
    links.end("ben", "c1")
    assert links.find(secret) == ("ann", "c1")
    links.end("ann", "c1")
    assert links.find(secret) is None and links.of("ann", "c1") is None and links.find(other) == ("ben", "c2")


def test_a_link_to_an_answer_is_another_than_the_one_to_its_conversation(tmp_path: Path):
    links = SharedLinks(tmp_path)
    whole, answer, other = (links.begin("ann", "c1", *one) for one in ([], ["m2"], ["m4"]))
    assert len({whole, answer, other}) == 3 and links.of("ann", "c1", "m2") == answer
    assert SharedLinks(tmp_path).find(answer) == ("ann", "c1", "m2")
    links.end("ann", "c1", "m2")
    assert links.find(answer) is None and links.find(whole) == ("ann", "c1") and links.find(other) is not None
    links.end("ann", "c1")
    assert links.find(whole) is None and links.find(other) == ("ann", "c1", "m4")


def test_a_damaged_file_opens_nothing(tmp_path: Path):
    for content in ("{", "[]", '{"x": 3}', '{"x": ["only"]}', '{"x": ["a", "b", "c", "d"]}', "\0"):
        (tmp_path / FILE_NAME).write_text(content)
        assert SharedLinks(tmp_path).find("x") is None


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path):
    with pytest.raises(StorageError, match="cannot be written"):
        SharedLinks(tmp_path / "gone" / "library").begin("ann", "c1")
