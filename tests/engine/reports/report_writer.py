"""A library of harbours and a scripted model that plans and writes reports from what it is shown."""

import atexit
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.ingest import Source
from engine.library import Library
from engine.settings_sources import load_settings
from tests.openai_server import evidence_in

HARBOURS = {
    "vardo.md": "# Vardo\n\n## Fees\n\nThe harbour fee of Vardo is 55 euro a day.\n\n"
    "## Berths\n\nVardo has 12 berths.\n",
    "bodo.md": "# Bodo\n\n## Fees\n\nThe harbour fee of Bodo is 70 euro a day.\n\n## Berths\n\nBodo has 31 berths.\n",
    "narvik.md": "# Narvik\n\n## Dredging\n\nThe basin of Narvik was dredged to 9 metres in 2014.\n",
}
OUTLINE = {
    "title": "Harbours compared",
    "sections": [
        {
            "title": "Fees",
            "questions": ["What is the harbour fee of Vardo?", "What is the harbour fee of Bodo?"],
        },
        {"title": "Berths", "questions": ["How many berths has Vardo?"]},
        {"title": "Dredging", "questions": ["When was the basin of Narvik dredged?"]},
    ],
}
SUBJECT = "Compare the harbours"


def asked(body) -> str:
    return str(body["messages"][-1]["content"])


def is_outline(body) -> bool:
    return "You plan a report" in str(body["messages"][0]["content"])


def is_summary(body) -> bool:
    return "summary that stands at the top" in str(body["messages"][0]["content"])


def section_of(body) -> str:
    """The title of the section that a call asks for; "" for other calls."""
    return asked(body).partition("Write the section “")[2].partition("”")[0]


def author(body) -> str:
    """Plan as above; write a section by quoting what it was shown, and the summary by the first section's words."""
    if is_outline(body):
        return json.dumps(OUTLINE)
    if is_summary(body):
        return "The harbour fee of Vardo is 55 euro a day [1]."
    texts = evidence_in(body)
    return " ".join(f"{text.splitlines()[-1].rstrip('.')} [{n}]." for n, text in enumerate(texts[:3], 1))


@cache
def _pattern() -> Path:
    """The folder of a library of harbours with its topics, to be copied."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    settings = load_settings(None, environ={}, flags={"embedding.enabled": False})
    with Library.open(folder.name, settings=settings, background=False) as library:
        library.add([Source(name, text.encode()) for name, text in HARBOURS.items()])
        library.topics.refresh()
    return Path(folder.name)


@contextmanager
def harbours(folder: Path, server=None, background: bool = False, **flags) -> Iterator[Library]:
    given = {"embedding.enabled": False, "agent.quality_check.use_reader": False, "retrieval.k_read": 0}
    if server is not None:
        given |= {"llm.api_base": server.base_url, "llm.api_key": server.key, "llm.retries": 0}
    settings = load_settings(folder, environ={}, flags=given | flags)
    if not folder.exists():
        shutil.copytree(_pattern(), folder)
    with Library.open(folder, settings=settings, background=background) as library:
        yield library
