import pytest

from engine.errors import StorageError, UsageError
from engine.labels import FILE_NAME, Labels


def test_tags_are_put_on_several_documents_and_taken_off_one(tmp_path):
    labels = Labels(tmp_path)
    labels.tag(["d1", "d2"], ["to  read", "重要"])
    labels.tag(["d2"], ["done"], drop=["to read", "重要"])
    assert Labels(tmp_path).tags() == {"d1": ["to read", "重要"], "d2": ["done"]}
    labels.tag(["d2"], [], drop=["done"])
    assert "d2" not in labels.tags()


def test_a_filter_is_its_owners_alone_and_forgotten_by_name(tmp_path):
    labels = Labels(tmp_path)
    labels.keep_filter("ann", "Contracts", {"documents.tag": "signed"})
    assert labels.filters("ann") == {"Contracts": {"documents.tag": "signed"}}
    assert labels.filters("bob") == {}
    labels.keep_filter("ann", "Contracts", None)
    assert labels.filters("ann") == {}


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\u200bb"])
def test_a_name_that_cannot_be_seen_is_refused(tmp_path, name):
    with pytest.raises(UsageError, match="1 to 60 characters"):
        Labels(tmp_path).tag(["d1"], [name])


def test_a_damaged_file_is_told_and_not_written_over(tmp_path):
    (tmp_path / FILE_NAME).write_text("{")
    with pytest.raises(StorageError, match="damaged"):
        Labels(tmp_path).tag(["d1"], ["new"])
    assert (tmp_path / FILE_NAME).read_text() == "{"
