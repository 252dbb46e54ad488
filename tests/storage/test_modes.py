"""A library is its owner's alone."""

from __future__ import annotations

from library_maker import add, embed_all, upkeep

from storage.embedded import open_storage


def modes(folder):
    return {path.relative_to(folder).as_posix(): path.stat().st_mode & 0o777 for path in [folder, *folder.rglob("*")]}


def filled(folder):
    storage = open_storage(folder)
    add(storage, "a.txt", ["red apple"])
    embed_all(storage)
    storage.conversations.create("me", "Fruit")
    upkeep(storage)
    return storage


def test_folders_are_0700_and_files_0600(tmp_path):
    storage = filled(tmp_path / "library")
    found = modes(tmp_path / "library")
    assert {path: mode for path, mode in found.items() if mode not in (0o600, 0o700)} == {}
    assert any(path.startswith("snapshots/choices") for path in found)
    assert "catalog.db-wal" in found
    storage.close()


def test_a_library_that_others_could_read_is_closed_to_them_and_foreign_files_keep_their_modes(tmp_path):
    folder = tmp_path / "library"
    filled(folder).close()
    (folder / "thesis.docx").write_bytes(b"mine")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    open_storage(folder).close()
    found = modes(folder)
    assert found["thesis.docx"] == 0o644
    assert found["."] == 0o700
