"""Compares the drawing of a one-page requisition with only the same canvas calls."""

import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any
from unittest.mock import patch

from reportlab.pdfgen.canvas import Canvas

from app.drawing.pages import RequisitionPage, draw_requisitions
from tests.drawing.samples import REQUISITION

_ROUNDS = 5


_DRAWING = (
    "setFont",
    "drawString",
    "drawRightString",
    "drawCentredString",
    "line",
    "lines",
    "rect",
    "roundRect",
    "setFillColor",
    "setStrokeColor",
    "setFillGray",
    "setStrokeGray",
    "setLineWidth",
    "drawImage",
    "drawInlineImage",
    "drawPath",
    "drawText",
    "showPage",
)


def _record_calls(page: RequisitionPage) -> list[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
    depth = 0

    def record(name: str) -> Callable[..., Any]:
        original = getattr(Canvas, name)

        def call(self: Canvas, *args: Any, **kwargs: Any) -> Any:
            nonlocal depth
            if depth == 0:
                calls.append((name, args, kwargs))
            depth += 1
            try:
                return original(self, *args, **kwargs)
            finally:
                depth -= 1

        return call

    patches = [patch.object(Canvas, name, record(name)) for name in _DRAWING]
    for patcher in patches:
        patcher.start()
    try:
        draw_requisitions([page])
    finally:
        for patcher in patches:
            patcher.stop()
    return calls


def _replay_calls(calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]]) -> bytes:
    file = BytesIO()
    canvas = Canvas(file, pagesize=(612, 792))
    for name, args, kwargs in calls:
        getattr(canvas, name)(*args, **kwargs)
    canvas.save()
    return file.getvalue()


def _measure_rate(make: Callable[[], object], count: int = 150) -> float:
    started_at = time.perf_counter()
    for _ in range(count):
        make()
    return count / (time.perf_counter() - started_at)


def measure_documents() -> tuple[float, float]:
    """Return the documents per second of ours and of the bare calls, each from its best round."""
    page = replace(REQUISITION, signature=None)
    calls = _record_calls(page)
    assert any(name == "drawString" or name == "drawText" for name, _, _ in calls)
    ours, bare_rates = [], []
    for _ in range(_ROUNDS):
        ours.append(_measure_rate(lambda: draw_requisitions([page])))
        bare_rates.append(_measure_rate(lambda: _replay_calls(calls)))
    return max(ours), max(bare_rates)
