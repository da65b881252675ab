"""The id of the current request; the jobs that it defers have the same id."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("request_id", default="")


def get_request_id() -> str:
    """Return the id of the current request, or of the request that deferred the current job.

    Empty outside both.
    """
    return _current.get()


@contextmanager
def use_request_id(request_id: str) -> Iterator[None]:
    """Work for this request as long as the context is open."""
    token = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(token)
