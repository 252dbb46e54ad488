"""Every setting is read by some code and told in docs/settings.md; every command and every route is told, too."""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import Settings
from engine.interfaces.cli import _parser
from engine.interfaces.rest import create_api
from engine.settings_section import Section
from engine.settings_sources import RETIRED

ROOT = Path(__file__).resolve().parents[1]
TOLD = (ROOT / "docs" / "settings.md").read_text("utf-8")
DOCS = "\n".join(path.read_text("utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
# What a setting is, where it comes from and how it is entered: no use of it.
NO_USE = (
    "config.py",
    "search_settings.py",
    "settings_section.py",
    "settings_sources.py",
    "settings.py",
)
CODE = [
    path.read_text("utf-8")
    for folder in ("engine", "storage", "pages", "asgi.py")
    for path in [ROOT / folder, *(ROOT / folder).rglob("*.py")]
    if path.is_file() and path.name not in NO_USE
]


def walk(section: type[Section], above: str = "") -> Iterator[tuple[str, type[Section], object]]:
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Section):
            yield from walk(kind, f"{above}{name}.")
        else:
            yield f"{above}{name}", section, field.default


SETTINGS = {key: (section, default) for key, section, default in walk(Settings)}


@pytest.mark.parametrize("key", sorted(SETTINGS))
def test_a_setting_is_read_where_its_section_is_at_hand(key: str):
    section, _ = SETTINGS[key]
    *above, name = key.split(".")
    at_hand = re.compile(rf"\b({'|'.join([*above[-1:], section.__name__, *(f'{one}_llm' for one in above)])})\b")
    whole = re.compile(rf"\.{name}\b|\.model_dump\(\)")  # some are handed on as they are
    assert (
        any(at_hand.search(code) and whole.search(code) for code in CODE)
        if above
        else any(whole.search(code) for code in CODE)
    )


def test_every_setting_is_told_with_its_default_and_no_other_is():
    rows = dict(re.findall(r"^\| `([\w.]+)` \| (.+?) \| [^|]+ \|$", TOLD, re.M))
    assert rows.keys() == SETTINGS.keys()
    for key, (_, default) in SETTINGS.items():
        shown = (
            "empty"
            if default == ""
            else f"{default:g}"
            if isinstance(default, float)
            else json.dumps(default, ensure_ascii=False)
        )
        assert rows[key].strip("`").replace("\\|", "|") == shown, key
    assert all(f"`{key}`" in TOLD or f"`{key.rpartition('.')[2]}`" in TOLD for key in RETIRED)


def test_every_command_is_told():
    (commands,) = [one for one in _parser()._actions if isinstance(one, argparse._SubParsersAction)]
    untold = [name for name in commands.choices if not re.search(rf"\b{name}\b", DOCS)]
    assert len(commands.choices) > 20 and not untold


def test_every_route_is_told(library):
    rest = (ROOT / "docs" / "rest.md").read_text("utf-8")
    paths = create_api(lambda: library).openapi()["paths"]
    last_words = {re.sub(r"/\{\w+\}", "", path).rpartition("/")[2] for path in paths}
    assert len(paths) > 20 and not [word for word in last_words if f"/{word}" not in rest]
