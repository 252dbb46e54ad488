"""Where settings come from, and where changes are saved.

Sources, the later wins: defaults, ``dropqa.toml`` in the library folder, environment variables
(``DROPQA_<SECTION>__<KEY>``, and the names of :data:`ALIASES`), Streamlit secrets, command-line flags. But a key stays
with the address that it was given with: where an address and its key are set up, no later source gives the address
another key without naming an address, too.
"""

import contextlib
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from engine.config import Settings
from engine.errors import ConfigError

# Environment names that other programs already use, and where they go.
ALIASES = {
    "OPENAI_API_KEY": "llm.api_key",
    "OPENAI_BASE_URL": "llm.api_base",
    "OPENAI_MODEL": "llm.model",
    "DROPQA_DATABASE_URL": "database.url",
    "RAG_ENABLE_RERANK": "rerank.enabled",
    "RAG_ENABLE_SUMMARY": "rerank.enable_summary",
    "RAG_RERANK_MODEL": "rerank.model",
    "RAG_SUMMARY_MODEL": "rerank.summary_model",
    "RAG_RERANK_TOP_N": "rerank.top_n",
    "RAG_RELEVANCE_THRESHOLD": "rerank.relevance_threshold",
    "RAG_MAX_SUMMARY_LENGTH": "rerank.max_summary_length",
}
INHERITING = ("indexing", "summary")  # the language model's address, where they have none
# Environment variables with our prefix that are not settings.
NOT_SETTINGS = {"DROPQA_LIBRARY", "DROPQA_DEBUG"}
# Settings of earlier versions, and of other programs' files, that nothing reads: they are passed over. docs/settings.md
# says why.
RETIRED = (
    "retrieval.fusion.title_link", "retrieval.fusion.other_number", "retrieval.fusion.method", "retrieval.fusion.rrf_k",
    "retrieval.relevance_threshold", "retrieval.feedback", "search.fulltext.language", "search.fulltext.weights",
    "ocr.lang",
)  # fmt: skip
FILE_NAME = "dropqa.toml"
PRIVATE = 0o600


def library_folder(given: str | Path | None = None) -> Path:
    """Return the library folder: the one given, else ``DROPQA_LIBRARY``, else ``~/.dropqa``."""
    return Path(given or os.environ.get("DROPQA_LIBRARY") or "~/.dropqa").expanduser().resolve()


def load_settings(
    folder: Path | None = None, environ: Mapping[str, str] = os.environ, secrets: Mapping[str, Any] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:  # fmt: skip
    """Read the settings of a library folder.

    ``secrets`` is a nested mapping like the file; ``flags`` maps sections, or dotted names ("llm.model"), to values.
    Raises ConfigError, naming the key, for an unknown key, a wrong type or a value out of range.
    """
    values = _of_file(folder / FILE_NAME) if folder is not None else {}
    variables = {setting: value for name, value in environ.items() if (setting := _setting_of(name))}
    values = _over(values, _without_foreign_keys(variables, values))
    known = {key: value for key, value in (secrets or {}).items() if key in Settings.model_fields}
    values = _over(values, _without_foreign_keys(dotted(known), values))
    values = _over(values, dotted({name: value for name, value in (flags or {}).items() if value is not None}))
    return _checked(values, f" Correct it in {FILE_NAME} or the environment.")


def _of_file(path: Path) -> dict[str, Any]:
    """Return the values of a settings file by dotted names, none where there is none. Raises ConfigError."""
    if not path.exists():
        return {}
    try:
        text = path.read_text("utf-8")
        values = dotted(tomllib.loads(text))
        _make_private(path, text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigError(f"{path} cannot be read: {error}. Mend or remove it.") from error
    return values


def dotted(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested values by dotted names ("llm.model")."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        inside = dotted(value) if isinstance(value, Mapping) and value else None
        found |= {name: value} if inside is None else {f"{name}.{key}": one for key, one in inside.items()}
    return found


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return values, by dotted names, with others laid over them: also a whole section over what is in it."""
    covered = (name for name in below if any(_within(one, name) or _within(name, one) for one in above))
    return {name: below[name] for name in below.keys() - set(covered)} | dict(above)


def _within(section: str, name: str) -> bool:
    """Tell whether a dotted name is that of a section, or of something in it."""
    return f"{name}.".startswith(f"{section}.")


def forgetting_keys(settings: Settings, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes that leave no key with an address that it was not given with.

    A section whose ``api_base`` changes without a key loses the one it has, and so do the kinds of work that have a
    key of their own for the language model's address.
    """
    known = dotted(settings.model_dump())
    bases = {name: base for name, base in known.items() if name.endswith(".api_base")}
    moved = {name.removesuffix(".api_base") for name, base in bases.items() if changes.get(name, base) != base}
    if "llm" in moved:
        moved |= {kind for kind in INHERITING if known[f"{kind}.api_key"] and not bases[f"{kind}.api_base"]}
    return {f"{section}.api_key": "" for section in moved} | dict(changes)


def _without_foreign_keys(given: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a source gives, without keys for addresses that earlier sources set up together with a key."""
    bases = {name: name.removesuffix("api_key") + "api_base" for name in given if name.endswith(".api_key")}
    foreign = {name for name, base in bases.items() if base not in given and before.get(base) and name in before}
    return {name: value for name, value in given.items() if name not in foreign}


def _make_private(path: Path, text: str) -> None:
    """Take a file with a secret in it from other users of this machine, where it is ours to change."""
    secret = any(name in text for name in ("api_key", "password_hash", "postgres"))
    if secret and path.stat().st_mode & 0o077:
        with contextlib.suppress(OSError):
            path.chmod(PRIVATE)


def save_settings(folder: Path, changes: Mapping[str, Any]) -> None:
    """Write changes (dotted names to values) into ``dropqa.toml``, after checking them.

    Other keys in the file are kept, its comments are not. Raises ConfigError and writes nothing when a
    value is invalid.
    """
    path = folder / FILE_NAME
    values = _over(_of_file(path), dotted(changes))
    _checked(values)
    write_private(path, _toml(_nested(values)))  # it may hold an API key


def write_private(path: Path, text: str) -> None:
    """Write a file at once; nobody else can open it, not even while it is being written. Raises OSError."""
    temporary = path.with_suffix(".tmp")
    temporary.unlink(missing_ok=True)
    temporary.touch(PRIVATE, exist_ok=False)
    temporary.write_text(text, "utf-8")
    temporary.replace(path)


def with_changes(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return settings with changes (dotted names to values) to try out; nothing is saved. Raises ConfigError."""
    return _checked(_over(dotted(settings.model_dump(exclude_unset=True)), dotted(changes)))


def _checked(values: Mapping[str, Any], advice: str = "") -> Settings:
    kept = {name: one for name, one in values.items() if not any(_within(old, name) for old in RETIRED)}
    try:
        return Settings.model_validate(_nested(kept))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        why = f"is invalid: {first['msg'].replace('tuple', 'list')}"
        why = "is not a setting" if first["type"] == "extra_forbidden" else why
        raise ConfigError(f"The setting {key} {why}.{advice}") from error


def _setting_of(variable: str) -> str | None:
    if variable in ALIASES:
        return ALIASES[variable]
    if not variable.startswith("DROPQA_") or variable in NOT_SETTINGS:
        return None
    return variable.removeprefix("DROPQA_").lower().replace("__", ".")


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values that are given by dotted names as a mapping by sections."""
    whole: dict[str, Any] = {}
    for name, value in values.items():
        *sections, last = name.split(".")
        inside = whole
        for section in sections:
            inside = inside.setdefault(section, {})
        inside[last] = value
    return whole


def _toml(values: Mapping[str, Any], prefix: str = "") -> str:
    """Return nested values as TOML; tables inside are named under ``prefix``."""
    lines = [f"{key} = {_toml_value(value)}" for key, value in values.items() if not isinstance(value, Mapping)]
    text = "\n".join(lines) + ("\n" if lines else "")
    for key, value in values.items():
        if isinstance(value, Mapping):
            name = f"{prefix}{key}"
            text += f"\n[{name}]\n" + _toml(value, f"{name}.")
    return text


def _toml_value(value: Any) -> str:
    """Return a value as TOML, which writes texts, numbers and lists of them as JSON does, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
