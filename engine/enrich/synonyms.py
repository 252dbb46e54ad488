"""The synonym file: names of metrics, units and currencies and their other forms, in both languages."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.errors import ConfigError

SHIPPED = Path(__file__).with_name("synonyms.toml")
TABLES = ("metrics", "units", "currencies")
# A user's file may be as long as a dictionary, but it is read for every document.
MOST_FORMS = 20_000


@dataclass(frozen=True)
class Synonyms:
    """Canonical names with all their forms (the name itself first), by kind."""

    metrics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    currencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class LibrarySynonyms:
    """The synonyms of a library: all that are in force, those of its own file, and what is wrong with that file.

    A file with a ``problem`` (a sentence for the user, else "") counts for nothing.
    """

    in_force: Synonyms
    own: Synonyms = Synonyms()
    problem: str = ""


@lru_cache(maxsize=1)
def load_synonyms() -> Synonyms:
    """Return the shipped synonyms."""
    return Synonyms(**_read(SHIPPED))


def library_synonyms(file: Path) -> LibrarySynonyms:
    """Return the shipped synonyms with a library's file (same form) laid over them, if it exists.

    A key that the file also has takes the file's list. The file is read again when it has changed.
    """
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        return LibrarySynonyms(load_synonyms())
    return _library_synonyms(file, changed)


@lru_cache(maxsize=4)
def _library_synonyms(file: Path, _changed: int) -> LibrarySynonyms:
    try:
        own = _read(file)
    except ConfigError as error:
        return LibrarySynonyms(load_synonyms(), problem=f"{error} The synonyms that come with DropQA are used.")
    shipped = _read(SHIPPED)
    return LibrarySynonyms(
        Synonyms(**{name: shipped[name] | entries for name, entries in own.items()}), Synonyms(**own)
    )


def _read(path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the tables of a synonym file. Raises ConfigError that names the file and what is wrong in it."""
    try:
        data = tomllib.loads(path.read_text("utf-8") + "\n")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"The synonym file {path} cannot be read: {error}.") from error
    unknown = sorted(set(data) - set(TABLES))
    if unknown:
        raise ConfigError(f"The synonym file {path} may have the tables {', '.join(TABLES)}, not {unknown[0]!r}.")
    tables = {name: _table(path, name, entries) for name, entries in data.items()}
    count = sum(len(forms) for entries in data.values() for forms in entries.values())
    if count > MOST_FORMS:
        raise ConfigError(f"The synonym file {path} has {count:,} forms; at most {MOST_FORMS:,} are read.")
    return {name: tables.get(name, {}) for name in TABLES}


def _table(path: Path, name: str, entries: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(entries, dict):
        raise ConfigError(f"In the synonym file {path}, {name} is not a table.")
    for key, forms in entries.items():
        if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
            raise ConfigError(f"In the synonym file {path}, {name}.{key} is not a list of words.")
    return {key: tuple(dict.fromkeys(form for form in (key, *forms) if form.strip())) for key, forms in entries.items()}
