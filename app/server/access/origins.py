"""The origin of requests that a browser authenticates by its cookie."""

from urllib.parse import urlsplit

from fastapi import Request

from app.basics.errors import Forbidden
from app.contract import messages


def require_own_origin(request: Request, public_url: str | None) -> None:
    """Raise Forbidden when a page of another site sends the request.

    Browsers send Origin with every POST. Without ``public_url``, the origin must have the host and
    port that the request was sent to.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden(messages.FORBIDDEN)
    origin = request.headers.get("origin")
    if origin is None:
        return
    if public_url is not None:
        own = urlsplit(public_url)
        is_own = origin == f"{own.scheme}://{own.netloc}"
    else:
        host = _find_host(origin)
        is_own = host != "" and host == request.headers.get("host")
    if not is_own:
        raise Forbidden(messages.FORBIDDEN)


def _find_host(origin: str) -> str:
    """Return host and port of an origin, or an empty text if it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:  # an IPv6 address without one of its brackets
        return ""
