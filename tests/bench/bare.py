"""Serves the portal's statements with only Starlette and psycopg.

This gives the minimum cost of a list page or a write.

Run it as a process: ``python -m tests.bench.bare FD``, with the arguments of ``build_page_app``,
``build_record_app``, or ``build_write_app`` as JSON on standard input, or with
``{"discards": true}`` for a server that discards what it gets.
"""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import uvicorn
from psycopg_pool import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


def build_page_app(
    url: str, setup: str, page: list[str], values: dict[str, object], size: int
) -> Starlette:
    """Build an application with one route that sends the statements of a page in one pipeline.

    Its answer is the rows, which the last statement returns. Connections set their scope once.
    """

    async def configure(connection: psycopg.AsyncConnection) -> None:
        await connection.execute(setup)

    pool = AsyncConnectionPool(
        url,
        min_size=size,
        max_size=size,
        open=False,
        configure=configure,
        kwargs={"autocommit": True, "options": "-c plan_cache_mode=force_custom_plan"},
    )

    async def send_page(_request: Request) -> Response:
        async with pool.connection() as connection:
            async with connection.pipeline():
                for text in page:
                    cursor = await connection.execute(text, values)
            row = await cursor.fetchone()
        return Response(row[0], media_type="application/json")

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await pool.open(wait=True)
        yield
        await pool.close()

    return Starlette(routes=[Route("/page", send_page)], lifespan=lifespan)


def build_record_app(
    url: str, options: str, trip: list[tuple[str, dict[str, object]]], size: int
) -> Starlette:
    """Build an application with one route that sends these statements in one pipeline.

    Its answer is the row of the last statement.
    """
    pool = AsyncConnectionPool(
        url,
        min_size=size,
        max_size=size,
        open=False,
        kwargs={"autocommit": True, "options": options},
    )

    async def send_record(_request: Request) -> Response:
        async with pool.connection() as connection:
            async with connection.pipeline():
                for text, values in trip:
                    cursor = await connection.execute(text, values)
            row = await cursor.fetchone()
        return Response(row[0], media_type="application/json")

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await pool.open(wait=True)
        yield
        await pool.close()

    return Starlette(routes=[Route("/page", send_record)], lifespan=lifespan)


def build_write_app(url: str, texts: list[list[str]], answer: str, size: int) -> Starlette:
    """Build an application with one route that sends these statements, one pipeline per list.

    The body of the request contains their values.
    """
    pool = AsyncConnectionPool(
        url, min_size=size, max_size=size, open=False, kwargs={"autocommit": True}
    )

    async def run_writes(request: Request) -> Response:
        trips_values = await request.json() if request.method == "POST" else []
        async with pool.connection() as connection:
            for trip, values in zip(texts, trips_values, strict=False):
                async with connection.pipeline():
                    for text, statement_values in zip(trip, values, strict=True):
                        cursor = await connection.execute(text, statement_values)
                if cursor.description:
                    await cursor.fetchone()
        return Response(answer, media_type="application/json")

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await pool.open(wait=True)
        yield
        await pool.close()

    routes = [Route("/write", run_writes, methods=["GET", "POST"])]
    return Starlette(routes=routes, lifespan=lifespan)


def build_discarding_app() -> Starlette:
    """Build an application that reads every body, and does nothing with it."""

    async def discard(request: Request) -> Response:
        async for _ in request.stream():
            pass
        return Response()

    return Starlette(routes=[Route("/{path:path}", discard, methods=["GET", "POST"])])


def main() -> None:
    """Serve until killed."""
    arguments = json.load(sys.stdin)
    listening = socket.socket(fileno=int(sys.argv[1]))
    if "discards" in arguments:
        app = build_discarding_app()
    elif "trip" in arguments:
        app = build_record_app(**arguments)
    elif "texts" in arguments:
        app = build_write_app(**arguments)
    else:
        app = build_page_app(**arguments)
    config = uvicorn.Config(app, log_config=None, access_log=False)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


if __name__ == "__main__":
    main()
