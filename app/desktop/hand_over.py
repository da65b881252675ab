"""/device/launch: where a window exchanges its one-time code for its cookie.

The window opens the bare page (it says nothing, so it needs no cookie); the app then puts a form
with the code into that page and sends it. Everything is same-origin, so no check of the guard
needs an exception, and the code travels in a body only.
"""

import json
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.contract import messages
from app.desktop.errors import LaunchRequired
from app.desktop.guard import HAND_OVER_PATH, cookie_name
from app.desktop.launch import Launch

_BODY_BYTES = 1_024
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Lab Portal</title></head><body></body></html>
"""


def script(origin: str, code: str) -> str:
    """JavaScript that hands the code over from our own page, and does nothing on any other.

    The form is sent a moment later, so that the call that runs the script has its answer first.
    """
    return f"""(function () {{
  if (location.origin !== {json.dumps(origin)}) return;
  if (location.pathname !== {json.dumps(HAND_OVER_PATH)}) return;
  var form = document.createElement('form');
  form.method = 'post';
  form.action = {json.dumps(HAND_OVER_PATH)};
  var field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'code';
  field.value = {json.dumps(code)};
  form.appendChild(field);
  document.body.appendChild(form);
  setTimeout(function () {{ form.submit(); }}, 0);
}})();"""


class HandOver:
    """The two answers of /device/launch."""

    def __init__(self, launch: Launch, port: int) -> None:
        self._launch = launch
        self._cookie = cookie_name(port)

    async def page(self, request: Request) -> Response:
        """The empty page that a window opens first; it also tells that the sidecar answers."""
        return HTMLResponse(_PAGE)

    async def exchange(self, request: Request) -> Response:
        """A code for a cookie, and on to the window's first screen; 403 for a spent code."""
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > _BODY_BYTES:
                raise LaunchRequired(messages.LAUNCH_CODE_SPENT)
        codes = parse_qs(bytes(body).decode("ascii", "replace")).get("code", [])
        redeemed = self._launch.redeem(codes[0]) if len(codes) == 1 else None
        if redeemed is None:
            raise LaunchRequired(messages.LAUNCH_CODE_SPENT)
        cookie, path = redeemed
        response = RedirectResponse(path, status_code=303)
        response.set_cookie(self._cookie, cookie, path="/", httponly=True, samesite="strict")
        return response
