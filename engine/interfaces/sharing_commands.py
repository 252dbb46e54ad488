"""The commands that say who may use a library, and for what: its password and its API keys."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.errors import UsageError
from engine.interfaces.client import on_library
from engine.interfaces.render import Result
from engine.settings_sources import library_folder, load_settings


def password(options: argparse.Namespace) -> Result:
    """Ask for a password, and keep its hash in the library's settings or print it; or ask for none any more."""
    from engine.interfaces.login import LONGEST_PASSWORD, SHORTEST_PASSWORD, hash_password
    from engine.settings_sources import save_settings

    folder = library_folder(options.library)
    hashed = ""
    if not options.remove:
        given = _secret("Password: ")
        if not SHORTEST_PASSWORD <= len(given) <= LONGEST_PASSWORD:
            raise UsageError(f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.")
        if sys.stdin.isatty() and _secret("Again: ") != given:
            raise UsageError("The two passwords differ.")
        hashed = hash_password(given)
    if not options.print:
        _refuse_others(folder)
        folder.mkdir(parents=True, exist_ok=True)
        save_settings(folder, {"access.password_hash": hashed})
    return {"password_hash": hashed, "saved": not options.print, "library": str(folder)}


def keys(options: argparse.Namespace) -> Result:
    """List the API keys, make one or revoke one; an app that has the library open goes by them at once."""
    from engine.interfaces.keys import ApiKeys

    folder = library_folder(options.library)
    _refuse_others(folder)
    folder.mkdir(parents=True, exist_ok=True)
    known = ApiKeys(folder)
    result: Result = {}
    if options.create is not None:
        bound = []
        if options.collection:
            bound = on_library(argparse.Namespace(**vars(options) | {"command": "collection_ids"}))["ids"]
        result["key"] = known.create(options.create, options.scope, bound)[1]
    elif options.revoke is not None:
        result["revoked"] = known.revoke(options.revoke).to_dict()
    return {"keys": [key.to_dict() for key in known.all()], **result}


def _refuse_others(folder: Path) -> None:
    """Raise NotALibraryError for a folder that holds other things; that of a library in a database has no catalog."""
    from storage.embedded import refuse_others

    if not load_settings(folder).database.url:
        refuse_others(folder)


def _secret(prompt: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    import getpass

    return getpass.getpass(prompt, sys.stderr)
