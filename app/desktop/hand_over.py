"""/device/launch: a window exchanges its one-time code for its cookie.

The window opens an empty page, which needs no cookie. The app inserts a form with the code into
that page and submits it. Everything is same-origin, so the guard needs no exception, and the code
is only ever in a body.
"""

from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.contract import messages
from app.desktop.errors import LaunchRequired
from app.desktop.guard import get_cookie_name
from app.desktop.launch import Launch

_BODY_BYTES = 8_192  # a code contains its path
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Lab Portal</title></head><body></body></html>
"""


class HandOver:
    """The two routes of /device/launch."""

    def __init__(self, launch: Launch, port: int) -> None:
        self._launch = launch
        self._cookie = get_cookie_name(port)

    async def show_page(self, request: Request) -> Response:
        """Return the empty page that a window opens first; it also proves that the sidecar runs."""
        return HTMLResponse(_PAGE)

    async def exchange_code(self, request: Request) -> Response:
        """Set the cookie and redirect to the window's first screen; 403 for an invalid code."""
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > _BODY_BYTES:
                raise LaunchRequired(messages.LAUNCH_CODE_SPENT)
        codes = parse_qs(bytes(body).decode("ascii", "replace")).get("code", [])
        redeemed_code = self._launch.redeem_code(codes[0]) if len(codes) == 1 else None
        if redeemed_code is None:
            raise LaunchRequired(messages.LAUNCH_CODE_SPENT)
        cookie, path = redeemed_code
        response = RedirectResponse(path, status_code=303)
        response.set_cookie(self._cookie, cookie, path="/", httponly=True, samesite="strict")
        return response
