"""Streams the progress of a report, and then its document."""

import json
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, ParamSpec, TypeVar

from fastapi import Request

from app.basics.clock import get_utc_now
from app.server.access.media import EventStream
from app.server.access.schemas import Shape
from app.server.access.work import Work, open_work
from app.server.drawing_pool import Drawable, Drawing, DrawingPool
from app.server.paperwork.schemas import ReportDone, ReportPart, ReportProgress
from app.server.problems import convert_error

BATCH = 50
"""Records of a batch, which a fixed number of statements loads."""
_PART_BYTES = 48 * 1024

ReportSteps = AsyncIterator[int | bytes]
"""Counts of drawn records, then the document."""

Page = TypeVar("Page")
Drawn = TypeVar("Drawn")
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class ReportContext:
    """The tools that a report is made with.

    Attributes:
        open_work: opens a unit of work in a separate transaction, which ends before drawing.
        person: the person who takes turns with others at the drawing processes.
    """

    open_work: Callable[[], AbstractAsyncContextManager[Work]]
    drawing_pool: DrawingPool
    person: str

    def open_document(
        self, kind: Callable[..., Drawable[Page]], *arguments: Any
    ) -> AbstractAsyncContextManager[Drawing[Page]]:
        """Open a document in a drawing process, or raise TooManyTries."""
        return self.drawing_pool.open_document(self.person, kind, *arguments)

    def open_function(
        self, draw: Callable[Arguments, Drawn]
    ) -> AbstractAsyncContextManager[Callable[Arguments, Awaitable[Drawn]]]:
        """Yield a function that calls ``draw`` in a drawing process, or raise TooManyTries."""
        return self.drawing_pool.open_function(self.person, draw)


def build_report_context(request: Request) -> ReportContext:
    """Build the context of the reports of a request."""
    state = request.state
    return ReportContext(
        partial(open_work, request), request.app.state.portal.drawing_pool, state.actor.user_text
    )


async def render_batches(
    context: ReportContext,
    kind: Callable[..., Drawable[Page]],
    title: str,
    ids: Sequence[int],
    build_pages: Callable[[Work, Sequence[int]], Awaitable[Sequence[Page]]],
    audit: Callable[[Work, datetime], Awaitable[None]],
) -> ReportSteps:
    """Render one document of these records, in the order of the ids.

    Each batch is loaded in a separate transaction, and none is open during drawing. ``audit``
    records the print, and gets the time before the first batch was read: a record that changes
    later may have its earlier content in the document.
    """
    async with context.open_document(kind, title) as document:
        count, read_at = 0, get_utc_now()
        for batch in split_batches(ids):
            yield count
            async with context.open_work() as work:
                pages = await build_pages(work, batch)
            await document.add(pages)
            count += len(pages)
        async with context.open_work() as work:
            await audit(work, read_at)
        yield count
        yield await document.finish()


async def finish_document(steps: ReportSteps) -> bytes:
    """Run all steps of a report and return its document."""
    document = b""
    async for step in steps:
        if isinstance(step, bytes):
            document = step
    return document


def build_stream(steps: ReportSteps, record_count: int, name: str) -> EventStream:
    """Build the answer that streams a report of ``record_count`` records, named ``name``."""
    events = stream_events(steps, record_count, name)
    return EventStream(events, headers={"X-Accel-Buffering": "no"})


async def stream_events(steps: ReportSteps, record_count: int, name: str) -> AsyncIterator[str]:
    """Stream a report of ``record_count`` records as server-sent events.

    Events are ``progress`` {done, of}, then ``part`` {content: base64} in order, then ``done``
    {name, mediaType}; or ``failed`` with the problem. All steps have run before the first part, so
    the audit event is committed even when the reader disconnects.
    """
    document = b""
    try:
        async for step in steps:
            if isinstance(step, bytes):
                document = step
            else:
                yield format_event("progress", ReportProgress(done=step, of=record_count))
    except Exception as error:  # the headers were sent, so the error goes into the stream
        yield format_event("failed", convert_error(error).build_problem())
        return
    for start in range(0, len(document), _PART_BYTES):
        content = b64encode(document[start : start + _PART_BYTES]).decode()
        yield format_event("part", ReportPart(content=content))
    yield format_event("done", ReportDone(name=name, media_type="application/pdf"))


def format_event(name: str, data: Shape | dict[str, object]) -> str:
    """Format one server-sent event."""
    content = data.model_dump(by_alias=True) if isinstance(data, Shape) else data
    return f"event: {name}\ndata: {json.dumps(content)}\n\n"


def split_batches(ids: Sequence[int]) -> list[Sequence[int]]:
    """Split the ids into batches, after each of which progress is reported."""
    return [ids[i : i + BATCH] for i in range(0, len(ids), BATCH)]
