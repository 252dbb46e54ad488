"""What the engine says is shown in the session's language."""

import ast
import re
from pathlib import Path

import pytest

from pages.widgets import texts
from pages.widgets.texts import engine_messages

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def chinese(monkeypatch):
    monkeypatch.setattr(texts, "current", lambda: "zh")


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("notes.md is empty. Check the file and add it again.", "notes.md 是空文件，请检查后重新添加。"),
        (
            "film.mp4 is an audio or video file. DropQA takes PDF, Word and more. ",
            "film.mp4 不是可读取的文件类型。",
        ),
        (
            "This PDF has no pages. It may be cut off: get the file again.",
            "此 PDF 没有页面，文件可能不完整，请重新获取。",
        ),
        ("Pages 3-5, 8 were hard to read: check the recognised text against the picture.", "第 3-5, 8 页"),
        ("Something nobody translated.", "Something nobody translated."),
    ],
)
def test_a_message_is_told_in_chinese_where_that_is_known(chinese, message, shown):
    assert texts.in_language(message).startswith(shown)


def test_a_remark_on_a_question_in_the_other_language_is_told_in_the_sessions(monkeypatch):
    remark = "按问题的要求，只在名为“Terms”的章节中检索。"
    english = "Searched only in sections named Terms, as the question says."
    for language, shown in (("zh", remark), ("en", english)):
        monkeypatch.setattr(texts, "current", lambda language=language: language)
        assert texts.in_language(remark) == shown
    assert texts.in_language("所引文档中没有“五天”，也无法由其得出。").startswith("“五天” is not in the documents")


def test_a_message_stays_as_it_is_in_english(monkeypatch):
    monkeypatch.setattr(texts, "current", lambda: "en")
    message = "notes.md is empty. Check the file and add it again."
    assert texts.in_language(message) == message


def test_every_message_is_one_that_the_engine_still_gives():
    texts = {
        text
        for folder in ("engine", "storage", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "message_texts.py"
        for text in _texts(path)
    }
    whole = "\n".join(texts)
    for english in engine_messages():
        pieces = [piece.strip() for piece in re.split(r"\{\w+\}|…|[.;:] ", english)]
        assert any(piece in texts or (len(piece) > 8 and piece in whole) for piece in pieces if piece), english


def test_every_message_in_chinese_names_only_what_the_english_one_names():
    for english, chinese in engine_messages().items():
        assert set(re.findall(r"\{(\w+)\}", chinese)) <= set(re.findall(r"\{(\w+)\}", english))


def _texts(path: Path) -> set[str]:
    """Return the text constants of a file."""
    tree = ast.parse(path.read_text("utf-8"))
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return {constant.strip() for constant in constants if isinstance(constant, str)}
