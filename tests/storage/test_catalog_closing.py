import threading
import time

import pytest

from engine.errors import StorageError


def test_a_library_that_is_closed_while_others_read_ends_no_process(library):
    catalog = library.storage._catalog
    started, told, end = threading.Barrier(5), [], time.monotonic() + 30

    def reading() -> None:
        started.wait(10)
        try:
            while time.monotonic() < end:
                catalog.read("SELECT count(*) FROM meta AS a, meta AS b, meta AS c")
        except StorageError as error:
            told.append(error)

    readers = [threading.Thread(target=reading) for _ in range(4)]
    for reader in readers:
        reader.start()
    started.wait(10)
    catalog.close()
    for reader in readers:
        reader.join(40)
    assert not any(reader.is_alive() for reader in readers) and len(told) == 4
    with pytest.raises(StorageError):
        catalog.read("SELECT 1")
