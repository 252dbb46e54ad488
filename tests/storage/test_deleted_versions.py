"""Deleting one version of a document."""

import pytest
from library_maker import MODEL, add, embed, embed_all, upkeep

from engine.errors import NotFoundError, UsageError
from engine.model import Filters

TEXTS = ["alpha apple", "beta pear"], ["alpha apple", "gamma plum"], ["delta cherry", "gamma plum"]


def three_versions(storage):
    for paragraphs in TEXTS:
        document_id, _ = add(storage, "fruit.txt", paragraphs)
        embed_all(storage)
    return document_id


def delete(storage, document_id, version):
    with storage.unit_of_work() as unit:
        unit.delete_version(document_id, version)
        unit.commit()


def found(storage, word, version=None):
    snapshot = storage.snapshot()
    hits = snapshot.sparse_search([(word, 1.0)], 5, snapshot.scope(Filters(version=version)))
    return [node.version for node in snapshot.nodes([hit.key for hit in hits])]


def healthy(storage):
    return [check for check in storage.check() if not check.ok] == []


def test_a_deleted_old_version_is_gone_and_the_others_stay(storage):
    document_id = three_versions(storage)
    delete(storage, document_id, 1)
    assert [version.version for version in storage.versions(document_id)] == [3, 2]
    assert found(storage, "pear", 1) == []
    assert found(storage, "plum") == [3]
    upkeep(storage)
    assert healthy(storage)


def test_when_the_current_version_is_deleted_the_newest_that_is_left_is_found_again(storage):
    document_id = three_versions(storage)
    delete(storage, document_id, 3)
    assert storage.document(document_id).version == 2
    assert found(storage, "apple") == [2]
    assert found(storage, "cherry") == []
    snapshot = storage.snapshot()
    [best] = snapshot.dense_search(embed("gamma plum"), 1, snapshot.scope(Filters()), MODEL)
    assert snapshot.nodes([best.key])[0].version == 2
    assert embed_all(storage) == 0
    assert healthy(storage)


def test_it_is_the_same_after_a_restart(backend, tmp_path):
    storage = backend(tmp_path / "library")
    document_id = three_versions(storage)
    delete(storage, document_id, 3)
    storage.close()
    storage = backend(tmp_path / "library")
    assert storage.document(document_id).version == 2
    assert found(storage, "apple") == [2]
    assert healthy(storage)
    storage.close()


def test_the_number_of_a_deleted_version_is_not_given_again(storage):
    document_id = three_versions(storage)
    delete(storage, document_id, 3)
    assert add(storage, "fruit.txt", ["epsilon fig"])[1] == 4
    upkeep(storage)
    assert found(storage, "fig") == [4]


def test_the_only_version_and_an_unknown_one_cannot_be_deleted(storage):
    document_id, _ = add(storage, "fruit.txt", TEXTS[0])
    with pytest.raises(UsageError), storage.unit_of_work() as unit:
        unit.delete_version(document_id, 1)
    with pytest.raises(NotFoundError), storage.unit_of_work() as unit:
        unit.delete_version(document_id, 2)
    assert found(storage, "apple") == [1]
