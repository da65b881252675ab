"""Reads the body of a request within the limits of its route (ADR 54).

Bytes, parts, and depth are counted while the body arrives. A person has a limited number of bodies
in memory. A large body waits in a temporary file until it is its sender's turn to have it in
memory; the bytes of a document stay in the file.
"""

import asyncio
import hashlib
import secrets
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import IO

from fastapi import Request
from pydantic_core import from_json
from starlette.requests import ClientDisconnect

from app.basics.errors import BadInput, TooLarge
from app.basics.long_text import LongText
from app.contract import messages
from app.server.access.body_places import BodyPlaces
from app.server.access.body_rate import BodyRate
from app.server.access.json_meter import JsonMeter
from app.server.access.policy import BodyLimit
from app.server.actor import Actor
from app.server.fair_queue import FairQueue

_CLOSE = {"Connection": "close"}
_SMALL_BYTES = 16 * 1024
_LARGE_BYTES = 1024 * 1024
_PATIENCE_SECONDS = 30.0
_BYTES_PER_SECOND_MIN = 8 * 1024
"""A slower body would only occupy its connection and its sender's place."""
_PLACES = BodyPlaces(32)
"""Limits the bodies that one person has in memory; small ones do not count.

Without the limit, hundreds of slow bodies took 260 MB for minutes.
"""
_LARGE_BODIES = FairQueue(slots=2)
"""Two large bodies are in memory at a time, each in several forms: bytes, text, and content."""
_RATE = BodyRate(burst=72 * 1024 * 1024, per_second=8 * 1024 * 1024, read_clock=time.monotonic)
"""Two of the largest documents are read at full speed, and further bodies at 64 Mbit/s."""
_SHORTEST_PAUSE_SECONDS = 0.02
"""Shorter pauses add up until they are worth a timer."""


@asynccontextmanager
async def open_body(request: Request, actor: Actor, limit: BodyLimit) -> AsyncIterator[None]:
    """Read the body, and keep it for the endpoint until the context ends.

    Raises:
        TooLarge: more bytes than the limit. The connection closes, so the rest is not sent.
        BadInput: too many parts or too deep, too slow, or the sender is gone.
        TooManyTries: the sender already has several large bodies in progress.
    """
    declared_length = _require_length(request, limit)
    meter = JsonMeter(limit.parts, limit.depth)
    async with AsyncExitStack() as stack:
        file: IO[bytes] | None = None
        if declared_length > _LARGE_BYTES:
            file = await _open_file_in_place(stack, actor)
        pieces: list[bytes] = []
        size, has_place = 0, False
        try:
            async for piece in _read_in_time(request):
                size += len(piece)
                if size > limit.bytes:
                    raise _build_too_large()
                if limit_message := meter.measure(piece):
                    raise BadInput(limit_message, headers=_CLOSE)
                if size > _SMALL_BYTES and not has_place:
                    has_place = True
                    await stack.enter_async_context(_PLACES.hold(actor.user_text))
                if file is None and size > _LARGE_BYTES:
                    file = await _open_file_in_place(stack, actor)
                    file.writelines(pieces)
                    pieces.clear()
                if file is None:
                    pieces.append(piece)
                else:
                    file.write(piece)
                    await _pause_reading(_RATE.spend(actor.user_text, len(piece)))
        except (ClientDisconnect, TimeoutError) as error:
            # The answer to a sender that is gone is discarded.
            raise BadInput(messages.BODY_NOT_JSON, headers=_CLOSE) from error
        # The request remembers its body here, as after its own `body()` and `json()`.
        if file is None:
            request._body = b"".join(pieces) if len(pieces) != 1 else pieces[0]
        else:
            await stack.enter_async_context(_LARGE_BODIES.take_turn(actor.user_text))
            stack.callback(_discard_body, request)
            long_text = _find_long_text(file, meter) if limit.has_long_text else None
            with suppress(ValueError):  # FastAPI says what is wrong with it
                await asyncio.to_thread(_load_body, request, file, long_text)
        yield


async def _read_in_time(request: Request) -> AsyncIterator[bytes]:
    """Read the pieces of the body.

    Raises:
        TimeoutError: they arrive too slowly.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _PATIENCE_SECONDS
    pieces = request.stream()
    while True:
        async with asyncio.timeout_at(deadline):
            piece = await anext(pieces, None)
        if piece is None:
            return
        deadline += len(piece) / _BYTES_PER_SECOND_MIN
        yield piece


async def _open_file_in_place(stack: AsyncExitStack, actor: Actor) -> IO[bytes]:
    """Open a file for a large body, which takes one of its sender's places."""
    await stack.enter_async_context(_LARGE_BODIES.hold_place(actor.user_text))
    return stack.enter_context(_open_file())


async def _pause_reading(seconds: float) -> None:
    """Stop reading for a while, so that the sender's system stops sending."""
    if seconds >= _SHORTEST_PAUSE_SECONDS:
        await asyncio.sleep(seconds)


def _open_file() -> IO[bytes]:
    # Deleted by the system even if the process is killed.
    return tempfile.TemporaryFile()


def _build_too_large() -> TooLarge:
    return TooLarge(messages.BODY_TOO_LARGE, headers=_CLOSE)


def _require_length(request: Request, limit: BodyLimit) -> int:
    """Return the declared length, 0 without one, or reject it before anything is read."""
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit() and len(length) < 12):
        raise _build_too_large()
    if int(length) > limit.bytes:
        raise _build_too_large()
    return int(length)


def _find_long_text(file: IO[bytes], meter: JsonMeter) -> LongText | None:
    start, length = meter.longest
    return LongText(file, start, length) if length > _LARGE_BYTES else None


def _load_body(request: Request, file: IO[bytes], long_text: LongText | None) -> None:
    """Load and parse a large body; its long text stays in the file.

    pydantic's parser takes a third of the time of FastAPI's.

    Raises:
        ValueError: it is not JSON.
    """
    if long_text is not None and _load_around(request, long_text):
        return
    file.seek(0)
    request._body = file.read()
    request._json = from_json(request._body)


def _load_around(request: Request, long_text: LongText) -> bool:
    """Load the body around the long text, and return whether the text is one of its fields.

    Raises:
        ValueError: it is not JSON.
    """
    file = long_text.file
    file.seek(0)
    before = file.read(long_text.start)
    file.seek(long_text.start + long_text.length)
    after = file.read()
    mark = secrets.token_hex()  # no sender can guess it
    content = from_json(before + mark.encode() + after)
    if not isinstance(content, dict) or mark not in content.values():
        return False
    request._json = {name: long_text if value == mark else value for name, value in content.items()}
    # Idempotency keys only compare bodies, for which a digest of this text is enough.
    digest = hashlib.sha256()
    for piece in long_text.read_pieces(_LARGE_BYTES):
        digest.update(piece)
    request._body = before + digest.hexdigest().encode() + after
    return True


def _discard_body(request: Request) -> None:
    """Release a large body before the next one is read."""
    request._body = b""
    request._json = None
