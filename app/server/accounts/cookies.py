"""The cookies of a browser that has signed in, and their names.

Behind TLS a name begins with ``__Host-``: browsers then take the cookie from this host alone, so no
other host of the lab's domain can plant one. Such a cookie must have the path '/'.
"""

from datetime import timedelta

from fastapi import Request, Response

REFRESH = "portal_refresh"
DEVICE = "portal_device"
_HOST_PREFIX = "__Host-"
_PLAIN_PATH = "/auth"


def read_cookie(request: Request, name: str) -> str | None:
    """Return the value of a cookie; behind TLS, its earlier plain name is accepted, too."""
    value = request.cookies.get(_HOST_PREFIX + name) if _uses_tls(request) else None
    return value or request.cookies.get(name)


def set_cookie(
    request: Request, response: Response, name: str, value: str, life: timedelta
) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send."""
    uses_tls = _uses_tls(request)
    response.set_cookie(
        _HOST_PREFIX + name if uses_tls else name,
        value,
        max_age=int(life.total_seconds()),
        path="/" if uses_tls else _PLAIN_PATH,
        httponly=True,
        samesite="strict",
        secure=uses_tls,
    )
    if uses_tls and name in request.cookies:
        response.delete_cookie(name, path=_PLAIN_PATH)


def delete_cookie(request: Request, response: Response, name: str) -> None:
    """Delete a cookie under each of its possible names."""
    response.delete_cookie(name, path=_PLAIN_PATH)
    if _uses_tls(request):
        # Browsers ignore a header for this name without Secure.
        response.delete_cookie(_HOST_PREFIX + name, path="/", secure=True)


def _uses_tls(request: Request) -> bool:
    uses_tls: bool = request.app.state.portal.settings.uses_tls
    return uses_tls
