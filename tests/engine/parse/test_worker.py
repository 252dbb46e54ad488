import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import docx
import psutil
import pytest

from engine.config import ParsingSettings
from engine.errors import CancelledError, EmptyFileError, LimitExceededError, UnreadableFileError
from engine.model import Tree
from engine.parse.worker import ParseWorker, end_idle_children


@pytest.fixture(autouse=True)
def alone():
    """Children that others left behind would be counted."""
    end_idle_children()


@pytest.fixture
def worker() -> Iterator[ParseWorker]:
    worker = ParseWorker(ParsingSettings())
    yield worker
    worker.close()


def parse(worker: ParseWorker, path: Path, **more) -> Tree:
    return worker.parse(path, name=path.name, sha256="ab" * 32, document_id="d1", version=1, **more)


def children() -> list[psutil.Process]:
    return [
        process for process in psutil.Process().children() if any("worker_child" in part for part in process.cmdline())
    ]


def small(folder: Path, text: str = "# Head\n\nSome text.\n") -> Path:
    path = folder / "small.md"
    path.write_text(text)
    return path


def slow(folder: Path) -> Path:
    """A file that takes many seconds to parse."""
    path = folder / "slow.md"
    path.write_text("- *item* with `code` and [a link](x) in it\n" * 400_000)
    return path


def test_a_file_becomes_a_tree(worker, tmp_path):
    tree = parse(worker, small(tmp_path))
    assert [(node.role, node.title or node.text) for node in tree.nodes] == [
        ("document", "Head"),
        ("section", "Head"),
        ("paragraph", "Some text."),
    ]
    assert (tree.document_id, tree.name, tree.media_type, tree.version) == (
        "d1",
        "small.md",
        "text/markdown",
        1,
    )


def test_the_same_file_gives_the_same_ids(worker, tmp_path):
    path = small(tmp_path)
    assert parse(worker, path) == parse(worker, path)


def test_one_child_serves_many_files(worker, tmp_path):
    path = small(tmp_path)
    parse(worker, path)
    (first,) = children()
    parse(worker, path)
    assert [child.pid for child in children()] == [first.pid]


def test_the_child_has_no_keys_that_a_file_could_get_hold_of(worker, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("DROPQA_VISION__API_KEY", "sk-secret")
    parse(worker, small(tmp_path))
    (child,) = children()
    assert "PATH" in child.environ() and "sk-secret" not in str(child.environ())


def test_nothing_is_started_before_the_first_file():
    before = children()
    ParseWorker(ParsingSettings()).close()
    assert children() == before


def test_a_relative_path_and_any_folder_to_stand_in_will_do(worker, tmp_path, monkeypatch):
    small(tmp_path)
    (tmp_path / "docx.py").write_text("raise SystemExit('taken from the current folder')")
    monkeypatch.chdir(tmp_path)
    assert parse(worker, Path("small.md")).nodes


def test_the_parsers_own_message_arrives(worker, tmp_path):
    path = tmp_path / "empty.md"
    path.write_text("")
    with pytest.raises(EmptyFileError, match=r"empty\.md is empty"):
        parse(worker, path)


def test_a_killed_child_fails_that_file_only(worker, tmp_path):
    parse(worker, small(tmp_path))
    (child,) = children()
    killer = threading.Timer(1.5, lambda: os.kill(child.pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(UnreadableFileError, match="crashed the parser"):
        parse(worker, slow(tmp_path))
    assert parse(worker, small(tmp_path)).nodes


def test_a_child_killed_between_files_is_replaced(worker, tmp_path):
    parse(worker, small(tmp_path))
    (child,) = children()
    child.kill()
    child.wait()
    assert parse(worker, small(tmp_path)).nodes


def test_time_is_limited(tmp_path):
    worker = ParseWorker(ParsingSettings(timeout_seconds=0.5))
    with pytest.raises(LimitExceededError, match=r"took longer than 0\.5 seconds"):
        parse(worker, slow(tmp_path))
    assert children() == []
    worker.close()


def test_memory_is_limited(tmp_path):
    worker = ParseWorker(ParsingSettings(memory_mb=256))
    hungry = tmp_path / "hungry.txt"
    hungry.write_bytes(b"word " * 36_000_000)
    with pytest.raises(LimitExceededError, match="more than 256 MB"):
        parse(worker, hungry)
    assert parse(worker, small(tmp_path)).nodes
    worker.close()


def test_the_user_can_stop_it(worker, tmp_path):
    parse(worker, small(tmp_path))
    end = time.monotonic() + 0.3
    with pytest.raises(CancelledError):
        parse(worker, slow(tmp_path), cancelled=lambda: time.monotonic() > end)
    assert parse(worker, small(tmp_path)).nodes


def test_a_file_can_be_stopped_while_it_waits_for_its_turn(worker, tmp_path):
    path = slow(tmp_path)
    stop = threading.Event()
    first = threading.Thread(target=lambda: _stopped(worker, path, stop))
    first.start()
    time.sleep(0.2)
    with pytest.raises(CancelledError):
        parse(worker, small(tmp_path), cancelled=lambda: True)
    stop.set()
    first.join()


def _stopped(worker: ParseWorker, path: Path, stop: threading.Event) -> None:
    with pytest.raises(CancelledError):
        parse(worker, path, cancelled=stop.is_set)


def test_threads_take_turns(worker, tmp_path):
    path = small(tmp_path)
    trees: list[Tree] = []
    threads = [threading.Thread(target=lambda: trees.append(parse(worker, path))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(trees) == 6
    assert len({tree.nodes[-1].node_id for tree in trees}) == 1


def test_the_child_outlives_the_thread_that_asked_first(worker, tmp_path):
    path = small(tmp_path)
    thread = threading.Thread(target=parse, args=(worker, path))
    thread.start()
    thread.join()
    (child,) = children()
    time.sleep(0.1)
    parse(worker, path)
    assert [process.pid for process in children()] == [child.pid]


def test_progress_is_reported(worker, tmp_path):
    stages: list[str] = []
    parse(worker, small(tmp_path), on_progress=lambda stage, share: stages.append(stage))
    assert "structure" in stages


def test_an_idle_child_serves_the_next_worker_but_the_closed_one_no_more(tmp_path):
    worker = ParseWorker(ParsingSettings())
    parse(worker, small(tmp_path))
    before = children()
    worker.close()
    assert children() == before
    with closing(ParseWorker(ParsingSettings())) as another:
        assert parse(another, small(tmp_path)).nodes
        assert children() == before
    with pytest.raises(CancelledError):
        parse(worker, small(tmp_path))


def test_many_texts_are_parsed_in_one_go(worker):
    texts = [(f"row {n}", f"Title {n}\n\nThe text of row {n}.".encode(), f"{n:064x}", f"d{n}", 1) for n in range(300)]
    trees = worker.parse_many(texts)
    assert [tree.document_id for tree in trees] == [f"d{n}" for n in range(300)]
    assert trees[7].nodes[-1].text == "The text of row 7."
    assert worker.parse_many([]) == []


def test_one_bad_text_among_many_fails_alone(worker):
    texts = [
        ("good", b"Fine text.", "a", "d1", 1),
        ("empty", b"", "b", "d2", 1),
        ("bad", bytes(range(256)), "c", "d3", 2),
    ]
    good, empty, bad = worker.parse_many(texts)
    assert isinstance(good, Tree)
    assert isinstance(empty, EmptyFileError)
    assert isinstance(bad, UnreadableFileError)


def test_a_batch_that_runs_out_of_time_fails_only_the_text_that_does(tmp_path):
    worker = ParseWorker(ParsingSettings(timeout_seconds=4))
    small_text = ("good", b"Fine text.", "a", "d1", 1)
    worker.parse_many([small_text])
    good, slow_one = worker.parse_many([small_text, ("slow.md", slow(tmp_path).read_bytes(), "b", "d2", 1)])
    assert isinstance(good, Tree)
    assert isinstance(slow_one, LimitExceededError)
    assert "slow.md took longer" in str(slow_one)
    worker.close()


def test_what_a_document_says_about_files_is_not_opened(worker, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the password")
    document = docx.Document()
    document.add_paragraph(f'INCLUDETEXT "{secret}"')
    path = tmp_path / "asks.docx"
    document.save(str(path))
    assert all("the password" not in node.text for node in parse(worker, path).nodes)
