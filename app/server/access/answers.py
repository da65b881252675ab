"""Answers of endpoints that return a response themselves."""

from functools import lru_cache
from typing import Any

import msgspec
from fastapi import Response
from pydantic import TypeAdapter

_JSON = "application/json"
_ENCODER = msgspec.json.Encoder()
Values = dict[str, Any]
"""The values of a shape by their names on the wire; building the shape would take longer."""


def answer_shape(kind: Any, value: Any, *, version: int | None = None) -> Response:
    """Return a response with a shape, or with a list of them; ``version`` becomes the ETag.

    FastAPI would validate the shape once more, which takes longer than building it.
    """
    body = _get_adapter(kind).dump_json(value, by_alias=True)
    return Response(body, media_type=_JSON, headers=_build_etag(version))


def answer_values(values: Values | list[Values], *, version: int | None = None) -> Response:
    """Return a response with values by their names on the wire; ``version`` becomes the ETag.

    Only ``tests/server/access/test_record_reads.py`` compares them with the documented shape.
    A ``msgspec.Raw`` is copied as it is: JSON that the database wrote (ADR 88).
    """
    return Response(_ENCODER.encode(values), media_type=_JSON, headers=_build_etag(version))


def _build_etag(version: int | None) -> dict[str, str] | None:
    return None if version is None else {"ETag": f'"{version}"'}


@lru_cache(maxsize=32)
def _get_adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
