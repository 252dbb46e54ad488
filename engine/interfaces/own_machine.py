"""Routes for commands of the machine that the app runs on: they name places on its disks.

They are shown the token that the app left in the library folder; nobody else is let in, whatever key they have.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict

from engine.errors import AccessError
from engine.interfaces.api import LocalApi
from engine.interfaces.client import server_token
from engine.library import Library


class FoldersBody(BaseModel):
    """Folders of this machine."""

    model_config = ConfigDict(extra="forbid")

    folders: list[str]


class FolderBody(BaseModel):
    """A folder of this machine."""

    model_config = ConfigDict(extra="forbid")

    folder: str


def own_machine_routes(get_library: Callable[[], Library]) -> APIRouter:
    """Return the routes. Each raises AccessError for whoever does not show the token."""

    def of_this_machine(request: Request) -> None:
        shown = request.headers.get("authorization", "").partition(" ")[2]
        wanted = server_token(get_library().folder)
        if not wanted or not hmac.compare_digest(shown.encode(), wanted.encode()):
            raise AccessError(
                "Only a command on the machine that the app runs on may name places on its disks."
            )

    router = APIRouter(dependencies=[Depends(of_this_machine)], include_in_schema=False)

    @router.post("/follow")
    def follow(body: FoldersBody) -> dict[str, Any]:
        return LocalApi(get_library(), outlives_call=True).follow(body.folders, lambda *_: None)

    @router.post("/backup")
    def back_up(body: FolderBody) -> dict[str, Any]:
        return LocalApi(get_library(), outlives_call=True).back_up(body.folder)

    return router
