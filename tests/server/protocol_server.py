"""Serves an application by the portal's HTTP protocol, without the rest of the portal."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from app.server.http_protocol import PortalHttp


@asynccontextmanager
async def run_protocol_server(app: ASGIApp) -> AsyncIterator[int]:
    """Serve an application, and yield the port."""
    config = uvicorn.Config(app, log_config=None, lifespan="off")
    config.load()
    state, loop = ServerState(), asyncio.get_running_loop()
    server = await loop.create_server(lambda: PortalHttp(config, state, {}), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
