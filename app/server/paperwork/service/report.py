"""A report as it is made: how many of its records are done, and at last the document."""

import json
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager

from app.server.access.schemas import Shape
from app.server.paperwork.schemas import ReportDone, ReportPart, ReportProgress
from app.server.problems import problem_of

BATCH = 25
_PART_BYTES = 48 * 1024

Making = AsyncIterator[int | bytes]
"""Numbers of finished records, then the file."""


async def whole(making: Making) -> bytes:
    """The file, when only that is wanted."""
    document = b""
    async for made in making:
        if isinstance(made, bytes):
            document = made
    return document


async def as_events(
    within: AbstractAsyncContextManager[Making], of: int, name: str
) -> AsyncIterator[str]:
    """Server-sent events: ``progress`` {done, of}, then ``part`` {content: base64} in their order,
    then ``done`` {name, mediaType}; or ``failed`` with the problem.

    ``within`` is entered while the document is made and left before any of it is told: whoever
    gets it is on record by then, even one who breaks off, and a slow reader holds up nobody.
    """
    document = b""
    try:
        async with within as making:
            async for made in making:
                if isinstance(made, bytes):
                    document = made
                else:
                    yield event("progress", ReportProgress(done=made, of=of))
    except Exception as error:  # its head is out: nobody else can say any more what went wrong
        yield event("failed", problem_of(error).problem())
        return
    for start in range(0, len(document), _PART_BYTES):
        content = b64encode(document[start : start + _PART_BYTES]).decode()
        yield event("part", ReportPart(content=content))
    yield event("done", ReportDone(name=name, media_type="application/pdf"))


def event(name: str, data: Shape | dict[str, object]) -> str:
    """One server-sent event."""
    content = data.model_dump(by_alias=True) if isinstance(data, Shape) else data
    return f"event: {name}\ndata: {json.dumps(content)}\n\n"


def batches(ids: Sequence[int]) -> list[Sequence[int]]:
    """The ids in parts after which progress is told."""
    return [ids[i : i + BATCH] for i in range(0, len(ids), BATCH)]
