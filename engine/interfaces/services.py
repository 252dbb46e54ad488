"""The commands that go on until they are stopped: the app, REST, MCP, and two services over a library in a database.

``dropqa indexer`` and ``dropqa server`` take a YAML file each. The keys of the files are those of ``dropqa.toml``; a
database may also be given by host, port, name, user and password, and folders to follow as ``watch.directories``.
``${NAME}`` in a value is the environment variable of that name.
"""

import argparse
import contextlib
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.errors import ConfigError, LibraryLockedError, UsageError
from engine.interfaces import logs, stopping
from engine.interfaces.client import announced, connect, withdraw
from engine.interfaces.mcp_http import MISSING
from engine.settings_sources import dotted, library_folder, load_settings

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_DATABASE = ("host", "port", "name", "user", "password")


def start_app(options: argparse.Namespace) -> int:
    """Serve the web app until it is stopped."""
    folder, host, port = _address(options)
    import asgi
    from engine.shared_library import shared_library

    os.chdir(Path(asgi.__file__).parent)  # Streamlit reads .streamlit/config.toml from there
    sys.argv = [asgi.__file__]  # and looks for pages beside the file that was started
    # It takes the options given below for a change of its file, and says so.
    logging.getLogger("streamlit.config").disabled = True
    flags = {"server.port": options.port, **getattr(options, "flags", {})}
    library = shared_library(folder, secrets=asgi.streamlit_secrets(), flags=flags)
    logs.configure(library.settings)
    names = served_names(host, library.settings.server.allowed_hosts)
    told = {"port": port, "address": host, "headless": options.no_browser, "allowedHosts": names}
    with _serving(folder, host, port):
        asgi.app.run(config={f"server.{name}": value for name, value in told.items()})
    return 0


def serve(options: argparse.Namespace) -> int:
    """Serve what programs come in by, without the pages, until it is stopped."""
    folder, host, port = _address(options)
    import uvicorn

    from engine.interfaces.doors import create_server
    from engine.shared_library import shared_library

    library = shared_library(folder, flags={"server.port": options.port})
    logs.configure(library.settings)
    with _serving(folder, host, port):
        uvicorn.run(create_server(lambda: library, folder), host=host, port=port, log_config=None)
    return 0


def mcp(options: argparse.Namespace) -> int:
    """Serve MCP to one client over stdin and stdout, or to any over HTTP."""
    if find_spec("mcp") is None:
        raise UsageError(MISSING)
    if options.http:
        return serve(options)
    import anyio

    from engine.interfaces.mcp_server import create_mcp, serve_app_over_stdio, serve_stdio
    from engine.shared_library import close_shared_libraries, shared_library

    folder = library_folder(options.library)
    try:
        library = shared_library(folder)
    except LibraryLockedError:
        if connect(folder) is None:
            raise
        anyio.run(serve_app_over_stdio, folder)
        return 0
    try:
        anyio.run(serve_stdio, create_mcp(lambda: library))
    finally:
        close_shared_libraries()
    return 0


def _address(options: argparse.Namespace) -> tuple[Path, str, int]:
    """Return the library's folder, and the host and the free port to serve it at. Raises UsageError."""
    import socket

    folder = library_folder(options.library)
    settings = load_settings(folder if folder.is_dir() else None, flags=getattr(options, "flags", {}))
    host, port = getattr(options, "host", None) or settings.server.host, options.port or settings.server.port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(f"Port {port} is in use. Choose another one with --port.") from error
    os.environ["DROPQA_LIBRARY"] = str(folder)
    # Read by the web server, which would otherwise believe every program on this machine.
    os.environ["FORWARDED_ALLOW_IPS"] = ",".join(settings.server.trusted_proxies)
    return folder, host, port


@contextlib.contextmanager
def _serving(folder: Path, host: str, port: int) -> Iterator[None]:
    """Tell where the library is served, and leave nothing open at the end."""
    from engine.shared_library import close_shared_libraries, end_work

    url = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}"
    print(f"DropQA is at {url} (library {folder}). Ctrl-C ends it.", file=sys.stderr)

    def release() -> None:
        withdraw(folder)
        close_shared_libraries()

    address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"
    try:
        with contextlib.suppress(KeyboardInterrupt), announced(folder, address), stopping.limited(end_work, release):
            yield
    finally:
        close_shared_libraries()


def served_names(host: str, allowed: Sequence[str]) -> list[str]:
    """Return the host names that pages are served to; a page of another site cannot pass for one of them.

    An app that listens on all addresses without ``server.allowed_hosts`` is reached by names nobody knows here;
    the empty list means that any will do.
    """
    own = () if host in ("0.0.0.0", "::") else (host,)
    return list(dict.fromkeys(("localhost", "127.0.0.1", "::1", *own, *allowed))) if own or allowed else []


def indexer(options: argparse.Namespace) -> int:
    """Take in files of the queue and of folders, until it is stopped."""
    flags = {**_flags(options.config), "indexing.elsewhere": False}
    from engine.library import Library
    from storage.postgres.address import where

    with contextlib.ExitStack() as stack:
        with stopping.held():
            library = stack.enter_context(Library.open(library_folder(options.library), flags=flags))
        logs.configure(library.settings)
        url = _shared(library.settings.database.url)
        print(f"Files of the library at {where(url)} are indexed here. Ctrl-C ends it.", file=sys.stderr)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
    return 0


def server(options: argparse.Namespace) -> int:
    """Serve the pages, REST, chat completions and MCP; files that are added wait for an indexer."""
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
    """Return the settings of a YAML file, if any, by dotted names. Raises ConfigError, naming what is wrong."""
    if path is None:
        return {}
    found = _yaml(path)
    if not isinstance(found, dict) or not all(isinstance(part, dict) for part in found.values()):
        raise ConfigError(f"{path} is not made of sections such as database: and watch:. Mend it.")
    flags = {name: _expanded(value, path) for name, value in dotted(found).items() if value is not None}
    if (folders := flags.pop("watch.directories", None)) is not None:
        flags["watch.folders"] = [str(Path(one).expanduser()) for one in folders]
    return _with_address(flags)


def _yaml(path: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(Path(path).expanduser().read_text("utf-8")) or {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read ({error}). Check the path.") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" in line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{path} is not YAML{place}. Mend it.") from None


def _with_address(flags: dict[str, Any]) -> dict[str, Any]:
    """Return settings with the address of a database instead of its parts."""
    given = {name: flags.pop(f"database.{name}", "") for name in _DATABASE}
    part = {name: quote(str(value), safe="") for name, value in given.items() if value != ""}
    if part and "database.url" not in flags:
        password, port = (f":{part[name]}" if name in part else "" for name in ("password", "port"))
        login = part.get("user", "") + password
        host = (f"{login}@" if login else "") + part.get("host", "localhost")
        flags["database.url"] = f"postgresql://{host}{port}/{part.get('name', '')}"
    return flags


def _expanded(value: Any, path: str) -> Any:
    if isinstance(value, list):
        return [_expanded(part, path) for part in value]
    if not isinstance(value, str):
        return value
    for name in _VARIABLE.findall(value):
        if name not in os.environ:
            raise ConfigError(f"{path} names the environment variable {name}, which is not set. Set it.")
    return _VARIABLE.sub(lambda match: os.environ[match[1]], value)
