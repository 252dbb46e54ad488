"""``dropqa doctor``: is everything in place, and what to do where it is not."""

from __future__ import annotations

import platform
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING

from engine.config import LlmSettings, Settings
from engine.errors import ProviderError
from engine.model import Check
from engine.providers.dictionary import entries
from engine.providers.local_models import LocalServer, local_servers
from engine.providers.ocr import open_ocr
from engine.providers.reading import Passage, open_reader
from engine.providers.web_search import open_web_search

if TYPE_CHECKING:
    from engine.library import Library

LOW_DISK_BYTES = 1_000_000_000
MODELS_NAMED = 5
_WEB_NEEDS = "Give web_search.api_base (SearXNG) or web_search.api_key (Tavily), or switch it off."
NAMED_VERSIONS = ("streamlit", "chromadb", "networkx", "bm25s", "pymupdf", "onnxruntime")


def steps(library: Library, deep: bool = False) -> Sequence[Callable[[], list[Check]]]:
    """Return what is to be done to check a library, storage first; ``deep`` reads everything that is stored."""
    return [
        lambda: library.storage.check(deep),
        lambda: [_embedding(library)],
        lambda: [_reader(library)],
        lambda: [_dictionary()],
        lambda: [_recognition(library)],
        lambda: model_checks(library),
        lambda: _web_search(library),
        lambda: signing_in(library.settings),
        lambda: [_versions()],
        lambda: [_disk(library)],
    ]


def _embedding(library: Library) -> Check:
    if not library.settings.embedding.enabled:
        return Check("embedding", True, "Semantic search is switched off (embedding.enabled).")

    def read() -> str:
        embedder = library.embedder
        assert embedder is not None
        embedder.query("test")
        return f"{embedder.name}, {embedder.dimension} dimensions"

    advice = "Reinstall the project, or set embedding.api_base to an endpoint; text search works without it."
    return _tried("embedding", read, advice)


def _reader(library: Library) -> Check:
    settings = library.settings
    if not settings.agent.quality_check.use_reader and not settings.retrieval.k_read:
        told = "The reader is switched off (agent.quality_check.use_reader, retrieval.k_read)."
        return Check("reader", True, told)

    def read() -> str:
        open_reader().read("test", [Passage("", "test")])
        return "The reader that ships tells which texts answer"

    return _tried("reader", read, "Whether texts answer is judged by words and vectors alone without it.")


def _dictionary() -> Check:
    def read() -> str:
        next(entries())
        return "CC-CEDICT translates questions between Chinese and English"

    return _tried("dictionary", read, "Questions find texts in another language by meaning alone without it.")


def _tried(name: str, read: Callable[[], str], without: str) -> Check:
    """Return the check of something that ships: what is told of it, or what it is like ``without``."""
    try:
        return Check(name, True, read())
    except ProviderError as error:
        return Check(name, False, str(error), without)


def _recognition(library: Library) -> Check:
    """Tell whether the weights are there; what else may be missing is told by what is read first."""
    ocr = open_ocr(library.settings.ocr)
    if ocr is None:
        told = "Reading scanned pages and pictures is switched off (ocr.enabled)."
        return Check("text recognition", True, told)
    return _tried(
        "text recognition",
        lambda: f"{ocr.name} reads scanned pages and pictures",
        "Reinstall the project; everything but scans works without it.",
    )


def _model(library: Library) -> Check:
    if library.settings.llm.configured:
        return library.check_model(library.settings.llm)
    none = "No language model is set up: answers quote the documents. Settings can add one."
    if not (servers := local_servers()):
        return Check("model", True, none)
    told = ", ".join(f"{one.program} at {one.api_base}{_models(one)}" for one in servers)
    return Check("model", True, f"{none} Found on this machine: {told}.")


def _models(server: LocalServer) -> str:
    if server.locked:
        return " (asks for a key)"
    shown = server.models[:MODELS_NAMED]
    return f" ({', '.join(shown)}{' …' if server.models[MODELS_NAMED:] else ''})" if shown else ""


def model_checks(library: Library) -> list[Check]:
    """Try the language model, and what kinds of work have beside it, each endpoint and model once."""
    settings = library.settings
    rerank = settings.rerank
    named = {
        "model for indexing": settings.indexing_llm,
        "model for summaries": settings.summary_llm,
        "model that sees": settings.vision_llm,
    }
    if rerank.enabled and rerank.method == "llm":
        named["model that judges what was found"] = settings.rerank_llm
    if rerank.enable_summary:
        named["model that condenses what was found"] = settings.found_summary_llm
    seen = {_identity(settings.llm)}
    found = [_model(library)]
    for name, llm in named.items():
        if llm.configured and _identity(llm) not in seen:
            seen.add(_identity(llm))
            found.append(replace(library.check_model(llm), name=name))
    return found


def _web_search(library: Library) -> list[Check]:
    """Search for a word where the web is searched; where it is not, there is nothing to be told."""
    if not library.settings.agent.enable_web_search:
        return []
    search, chosen = open_web_search(library.settings), library.settings.web_search
    if search is None:
        return [Check("web search", False, f"{chosen.provider} is not set up.", _WEB_NEEDS)]
    without = "Questions that the documents do not answer are not looked for elsewhere."
    return [_tried("web search", lambda: f"{chosen.provider} finds {len(search('DropQA'))} pages", without)]


def signing_in(settings: Settings) -> list[Check]:
    """Tell whether people can sign in with a provider, where a library asks them to."""
    if not settings.access.oidc:
        return []
    if find_spec("authlib") is None:
        told = "Signing in with a provider needs a package that is not installed."
        return [Check("sign-in", False, told, "Start with `uv run --extra oidc dropqa`.")]
    return [Check("sign-in", True, "A provider tells who somebody is (Streamlit's [auth] secrets).")]


def _identity(llm: LlmSettings) -> tuple[str, str, str]:
    return llm.api_base, llm.api_key, llm.model


def _versions() -> Check:
    named = [f"{name} {version(name)}" for name in NAMED_VERSIONS]
    own = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    return Check("versions", True, ", ".join([*own, *named]))


def _disk(library: Library) -> Check:
    free = shutil.disk_usage(library.folder).free
    told = f"{free / 1e9:.1f} GB free for {library.folder}"
    return Check("disk", free > LOW_DISK_BYTES, told, "Make room on the disk or move the library folder.")
