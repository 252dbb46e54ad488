import re
import string
from pathlib import Path

from engine.model import ROLES
from pages.widgets.texts import TEXTS, text

PAGES = Path(__file__).resolve().parents[2] / "pages"
SOURCE = "\n".join(path.read_text() for path in PAGES.rglob("*.py") if path.name != "texts.py")
# Keys that are put together at run time.
COMPOSED = {
    "nav": (
        "dashboard",
        "dashboard.help",
        "documents",
        "documents.help",
        "chat",
        "chat.help",
        "settings",
        "settings.help",
    ),
    "role": ROLES,
    "document": [f"{kind}{n}" for kind in ("page", "slide", "sheet", "part") for n in ("", ".n")],
    "documents": [f"{kind}{n}" for kind in ("page", "slide", "sheet") for n in ("s", ".one")],
    "documents.sort": ("updated", "name", "size"),
    "jobs.stage": ("queued", "receive", "parse", "ocr", "structure", "index", "commit", "embed", "enrich"),
    "jobs": ("cancelled",),
    "step": ("initial_assessment", "thought", "action", "evaluation", "verification"),
    "dashboard": ("documents", "pages", "passages", "meaning"),
    "search": ("open", "placeholder", "start", "results", "close"),
    "reading": (
        "speaker",
        "comment",
        "footnote",
        "endnote",
        "hidden",
        "generated",
        "chart",
        "picture",
        "rows_above",
        "rows_below",
        "table",
        "doubtful",
    ),
    "answer": ("page", "slide", "sheet", "stopped", "failed", "interrupted"),
    "answer.confidence": ("high", "medium", "low"),
    "answer.engine": ("llm", "llm.help", "extractive", "extractive.help"),
    "answer.mode": ("direct", "direct.help", "agent", "agent.help"),
}


def asked_for() -> set[str]:
    """Keys in calls of ``t``; other strings that are keys (passed on, or chosen between) count as used, too."""
    return set(re.findall(r"\bt\(\s*[\"']([a-z_.0-9]+)[\"']", SOURCE))


def used_keys() -> set[str]:
    mentioned = set(re.findall(r"[\"']([a-z_]+(?:\.[a-z_0-9]+)+)[\"']", SOURCE)) & set(TEXTS)
    composed = {f"{prefix}.{name}" for prefix, names in COMPOSED.items() for name in names}
    return asked_for() | mentioned | composed


def test_every_text_that_a_page_asks_for_exists():
    assert not sorted(used_keys() - set(TEXTS))


def test_no_text_is_left_over():
    assert not sorted(set(TEXTS) - used_keys())


def test_both_languages_say_the_same_things():
    uneven = [key for key, (english, chinese) in TEXTS.items() if fields(english) != fields(chinese)]
    assert not uneven


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_chinese_texts_are_chinese():
    latin = [key for key, (_, chinese) in TEXTS.items() if not re.search(r"[\u4e00-\u9fff]", chinese)]
    assert not latin


def test_values_are_put_in():
    assert text("documents.pages", "en", count=1234) == "1,234 pages"
    assert text("documents.pages", "zh", count=3) == "3 页"
