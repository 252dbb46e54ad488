"""What every backend must do with corrections by hand."""

from __future__ import annotations

import pytest
from library_maker import add, remove

from engine.errors import NotFoundError
from engine.model import Correction, document_id_for
from storage.embedded import open_storage, restore

HEADING = Correction("heading", "text:0:payment", "Payments", 2, said="Payment")
TITLE = Correction("title", text="标题")


def test_corrections_are_kept_for_a_document_and_not_for_a_version(storage):
    one, other = add(storage, "a.txt", ["red apple"])[0], add(storage, "b.txt", ["pear"])[0]
    for made in (TITLE, HEADING):
        storage.corrections.put(one, made)
    add(storage, "a.txt", ["green apple"])
    assert storage.corrections.of(one) == [HEADING, TITLE]
    assert storage.corrections.of(other) == []


def test_a_place_has_one_correction_until_that_is_taken_back(storage):
    storage.corrections.put("d1", HEADING)
    no_heading = Correction("text", HEADING.place, said="Payment")
    storage.corrections.put("d1", no_heading)
    assert storage.corrections.of("d1") == [no_heading]
    storage.corrections.put("d2", HEADING)
    storage.corrections.remove("d1", HEADING.place)
    assert storage.corrections.of("d1") == [] and storage.corrections.of("d2") == [HEADING]
    with pytest.raises(NotFoundError):
        storage.corrections.remove("d1", HEADING.place)


def test_they_outlive_a_restart_and_being_put_away_and_go_with_their_document(backend, tmp_path):
    storage = backend(tmp_path / "library")
    document_id = add(storage, "a.txt", ["red apple"])[0]
    storage.corrections.put(document_id, TITLE)
    with storage.unit_of_work() as unit:
        unit.archive(document_id)
        unit.commit()
    storage.close()
    again = backend(tmp_path / "library")
    assert again.corrections.of(document_id) == [TITLE]
    add(again, "a.txt", ["green apple"])
    remove(again, document_id)
    assert again.corrections.of(document_id) == []
    again.close()


def test_a_backup_has_them(tmp_path):
    storage = open_storage(tmp_path / "library")
    add(storage, "a.txt", ["red apple"])
    storage.corrections.put(document_id_for("a.txt"), TITLE)
    storage.back_up(tmp_path / "copy")
    storage.close()
    restore(tmp_path / "copy", tmp_path / "again")
    restored = open_storage(tmp_path / "again")
    assert restored.corrections.of(document_id_for("a.txt")) == [TITLE]
    restored.close()
