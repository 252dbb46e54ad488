"""MCP over streamable HTTP inside the running app: loaded with the first request, as most never send one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from engine.errors import UsageError
from engine.interfaces.problems import problem
from engine.library import Library

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

MISSING = "MCP needs a package that is not installed: start with `uv run --extra mcp dropqa`."


class McpDoor:
    """Answers at ``/mcp``. Plain ASGI; without sessions, so that any process may answer any request."""

    def __init__(self, get_library: Callable[[], Library]) -> None:
        self._get_library = get_library
        self._manager: StreamableHTTPSessionManager | None = None
        self._task: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if find_spec("mcp") is None:
            await problem(UsageError(MISSING), 501)(scope, receive, send)
            return
        async with self._opening:
            if self._task is None:
                self._manager = await asyncio.to_thread(self._load)
                running = asyncio.Event()
                self._task = asyncio.create_task(self._run(self._manager, running))
                await running.wait()
        assert self._manager is not None
        await self._manager.handle_request(scope, receive, send)

    def _load(self) -> StreamableHTTPSessionManager:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from engine.interfaces.mcp_server import create_mcp

        return StreamableHTTPSessionManager(create_mcp(self._get_library), json_response=True, stateless=True)

    @staticmethod
    async def _run(manager: StreamableHTTPSessionManager, running: asyncio.Event) -> None:
        async with manager.run():
            running.set()
            await asyncio.Event().wait()

    async def close(self) -> None:
        """Stop answering."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
