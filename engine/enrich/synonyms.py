"""The synonym file: names of metrics, units and currencies and their other forms, in both languages."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

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


@lru_cache(maxsize=4)
def load_synonyms(user_file: Path | None = None) -> Synonyms:
    """Return the shipped synonyms, with the user's file (same form) laid over them where one is given.

    A key that the user's file also has takes the user's list. Raises ConfigError when it cannot be read
    or is not of that form.
    """
    tables = _read(SHIPPED)
    if user_file is not None:
        for name, entries in _read(user_file).items():
            tables[name] |= entries
    return Synonyms(**tables)


def _read(path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"The synonym file {path} cannot be read: {error}.") from error
    unknown = set(data) - set(TABLES)
    if unknown:
        raise ConfigError(
            f"The synonym file {path} has no table {sorted(unknown)[0]!r}; it has {', '.join(TABLES)}."
        )
    tables: dict[str, dict[str, tuple[str, ...]]] = {name: {} for name in TABLES}
    count = 0
    for name, entries in data.items():
        if not isinstance(entries, dict):
            raise ConfigError(f"In the synonym file {path}, {name} is not a table.")
        for key, forms in entries.items():
            if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
                raise ConfigError(f"In the synonym file {path}, {name}.{key} is not a list of words.")
            tables[name][key] = tuple(dict.fromkeys(form for form in (key, *forms) if form.strip()))
            count += len(forms)
    if count > MOST_FORMS:
        raise ConfigError(f"The synonym file {path} has {count:,} forms; at most {MOST_FORMS:,} are read.")
    return tables


def folded(text: str) -> str:
    """Return a form as it is compared: NFKC, without case, runs of space as one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
