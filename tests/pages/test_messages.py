"""What the engine says is shown in the session's language."""

import ast
import re
from pathlib import Path

import pytest

from pages.widgets import messages
from pages.widgets.message_texts import MESSAGES

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def chinese(monkeypatch):
    monkeypatch.setattr(messages, "current", lambda: "zh")


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("notes.md is empty. Check the file and add it again.", "notes.md 是空文件，请检查后重新添加。"),
        (
            "film.mp4 is an audio or video file. DropQA takes PDF, Word and more. ",
            "film.mp4 不是可读取的文件类型。",
        ),
        ("Pages 3-5, 8 were hard to read: check the recognised text against the picture.", "第 3-5, 8 页"),
        ("Something nobody translated.", "Something nobody translated."),
    ],
)
def test_a_message_is_told_in_chinese_where_that_is_known(chinese, message, shown):
    assert messages.in_language(message).startswith(shown)


def test_a_message_stays_as_it_is_in_english():
    message = "notes.md is empty. Check the file and add it again."
    assert messages.in_language(message) == message


def test_every_message_is_one_that_the_engine_still_gives():
    said = " ".join(
        _texts(path) for folder in ("engine", "storage") for path in (ROOT / folder).rglob("*.py")
    )
    for english, _ in MESSAGES:
        pieces = [piece.strip() for piece in re.split(r"\{\w+\}|…|[.;:] ", english)]
        assert any(len(piece) > 8 and piece in said for piece in pieces), english


def test_every_message_in_chinese_names_only_what_the_english_one_names():
    for english, chinese in MESSAGES:
        assert set(re.findall(r"\{(\w+)\}", chinese)) <= set(re.findall(r"\{(\w+)\}", english))


def _texts(path: Path) -> str:
    """Return the text constants of a file, those of one f-string joined with a hole between them."""
    tree = ast.parse(path.read_text("utf-8"))
    joined = [
        "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
    ]
    plain = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return " ".join([*joined, *plain])
