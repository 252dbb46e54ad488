"""The route for commands of the machine that the app runs on: they may name places on its disks.

It is shown the token that the app left in the library folder; nobody else is let in, whatever key they have.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Request
from pydantic import validate_call

from engine.errors import AccessError, UsageError
from engine.interfaces.api import LocalApi
from engine.interfaces.client import server_token
from engine.library import Library

COMMANDS = frozenset(name for name in vars(LocalApi) if not name.startswith("_")) - {"add"}


def own_machine_routes(get_library: Callable[[], Library]) -> APIRouter:
    """Return the route. It raises AccessError for whoever does not show the token."""

    def of_this_machine(request: Request) -> None:
        shown = request.headers.get("authorization", "").partition(" ")[2]
        wanted = server_token(get_library().folder)
        if not wanted or not hmac.compare_digest(shown.encode(), wanted.encode()):
            raise AccessError(
                "Only a command on the machine that the app runs on may name places on its disks."
            )

    router = APIRouter(dependencies=[Depends(of_this_machine)], include_in_schema=False)

    @router.post("/command/{name}", response_model=None)
    def command(name: str, arguments: Annotated[list[Any], Body()]) -> dict[str, Any]:
        """Do what a method of LocalApi does; what it is given is checked against its own description."""
        if name not in COMMANDS:
            raise UsageError(f"There is no command {name}.")
        method = getattr(LocalApi(get_library(), outlives_call=True), name)
        called: dict[str, Any] = validate_call(method)(*arguments)
        return called

    return router
