"""Answers of endpoints that return a response themselves."""

from functools import lru_cache
from typing import Any

from fastapi import Response
from pydantic import TypeAdapter
from pydantic_core import to_json

_JSON = "application/json"
Values = dict[str, Any]
"""The values of a shape by their names on the wire, which a shape would take longer to check."""


def answer_shape(kind: Any, value: Any, *, version: int | None = None) -> Response:
    """Answer a shape, or a list of shapes, of this type; ``version`` becomes the ETag.

    FastAPI would validate it once more, which takes longer than building it.
    """
    headers = None if version is None else {"ETag": f'"{version}"'}
    body = _get_adapter(kind).dump_json(value, by_alias=True)
    return Response(body, media_type=_JSON, headers=headers)


def answer_values(values: Values | list[Values]) -> Response:
    """Answer plain values, by their names on the wire.

    Only ``tests/server/access/test_record_reads.py`` compares them with the documented shape.
    """
    return Response(to_json(values), media_type=_JSON)


@lru_cache(maxsize=32)
def _get_adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
