"""``dropqa indexer`` and ``dropqa server``: two services over one library in a database, each with a YAML file.

The keys of the files are those of ``dropqa.toml``; a database may also be given by host, port, name, user and password,
and folders to follow as ``watch.directories``. ``${NAME}`` in a value is the environment variable of that name.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.errors import ConfigError, UsageError
from engine.settings_sources import library_folder

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_DATABASE = ("host", "port", "name", "user", "password")


def indexer(options: argparse.Namespace) -> int:
    """Take in files of the queue and of folders, until it is stopped."""
    flags = {**_flags(options.config), "indexing.elsewhere": False}
    from engine.interfaces import logs, stopping
    from engine.library import Library
    from storage.postgres.address import where

    with contextlib.ExitStack() as stack:
        with stopping.held():
            library = stack.enter_context(Library.open(library_folder(options.library), flags=flags))
        logs.configure(library.settings)
        url = _shared(library.settings.database.url)
        print(f"Files of the library at {where(url)} are indexed here. Ctrl-C ends it.", file=sys.stderr)
        threading.Event().wait()
    return 0


def server(options: argparse.Namespace) -> int:
    """Serve the pages, REST, chat completions and MCP; files that are added wait for an indexer."""
    from engine.interfaces.commands import start_app
    from engine.settings_sources import load_settings

    options.flags = {"indexing.elsewhere": True, **_flags(options.config)}
    _shared(load_settings(library_folder(options.library), flags=options.flags).database.url)
    options.no_browser = True
    return start_app(options)


def _shared(url: str) -> str:
    if not url:
        raise UsageError(
            "An indexer and servers share a library in PostgreSQL, and no database is named. "
            "Name it in DROPQA_DATABASE_URL, or under database: in the file that --config names."
        )
    return url


def _flags(path: str | None) -> dict[str, Any]:
    """Return the settings of a YAML file, if any, by their dotted names. Raises ConfigError, naming what is wrong."""
    if path is None:
        return {}
    import yaml

    try:
        found = yaml.safe_load(Path(path).expanduser().read_text("utf-8")) or {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read ({error}). Check the path.") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" in line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{path} is not YAML{place}. Mend it.") from None
    if not isinstance(found, dict) or not all(isinstance(part, dict) for part in found.values()):
        raise ConfigError(f"{path} is not made of sections such as database: and watch:. Mend it.")
    sections = {name: dict(part) for name, part in found.items()}
    if "database" in sections:
        sections["database"] = _database(_expanded(sections["database"], path))
    if "directories" in (watch := sections.get("watch", {})):
        watch["folders"] = [str(Path(one).expanduser()) for one in watch.pop("directories")]
    return dict(_dotted(_expanded(sections, path)))


def _database(given: dict[str, Any]) -> dict[str, Any]:
    """Return the section with an address instead of its parts."""
    part = {
        name: quote(str(given.pop(name)), safe="") for name in _DATABASE if given.get(name) not in (None, "")
    }
    if part and "url" not in given:
        login = part.get("user", "") + (f":{part['password']}" if "password" in part else "")
        port = f":{part['port']}" if "port" in part else ""
        host = (
            f"{login}@{part.get('host', 'localhost')}{port}"
            if login
            else f"{part.get('host', 'localhost')}{port}"
        )
        given["url"] = f"postgresql://{host}/{part.get('name', '')}"
    return given


def _expanded(value: Any, path: str) -> Any:
    if isinstance(value, dict):
        return {str(name): _expanded(part, path) for name, part in value.items()}
    if isinstance(value, list):
        return [_expanded(part, path) for part in value]
    if not isinstance(value, str):
        return value
    for name in _VARIABLE.findall(value):
        if name not in os.environ:
            raise ConfigError(f"{path} names the environment variable {name}, which is not set. Set it.")
    return _VARIABLE.sub(lambda match: os.environ[match[1]], value)


def _dotted(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _dotted(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value
