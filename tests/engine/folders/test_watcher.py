"""When a watcher looks again at the folders it follows."""

import threading
import time

from engine.folders.sync import FolderChanges
from engine.folders.watcher import FolderWatcher
from tests.waiting import wait_until


def looks_of_half_a_second(folder, waiting: int, seconds: float) -> int:
    """Return how many looks a watcher takes within so long, each finding that files are still being written."""
    looks, stop = [], threading.Event()

    def look(folders):
        looks.append(folders)
        time.sleep(0.5)
        return FolderChanges(waiting=waiting)

    watcher = FolderWatcher(lambda: [str(folder)], lambda: 600.0, look)
    following = threading.Thread(target=watcher.follow, args=(stop,), daemon=True)
    following.start()
    try:
        wait_until(lambda: looks)
        (folder / "a.md").write_text("changed")
        until = time.monotonic() + seconds
        while time.monotonic() < until and len(looks) < 4:
            time.sleep(0.05)
    finally:
        stop.set()
        following.join(10)
    return len(looks)


def test_files_that_are_still_being_written_are_looked_at_again_soon_though_a_look_takes_long(tmp_path):
    assert looks_of_half_a_second(tmp_path, waiting=1, seconds=9) == 4


def test_a_look_that_finds_nothing_is_followed_by_a_long_rest(tmp_path):
    assert looks_of_half_a_second(tmp_path, waiting=0, seconds=4) <= 2
