"""The address of a request's sender behind a trusted proxy."""

import ipaddress

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

_ADDRESS_MAX = 45
"""Characters of the longest IP address; one with a zone can be of any length."""
_PROXY = "portal.proxy"


class TrustedProxies:
    """ASGI middleware that takes the sender's address and scheme from trusted proxies.

    The proxy's own address stays if the forwarded text is not an IP address.
    """

    def __init__(self, app: ASGIApp, proxies: str) -> None:
        self._app = app
        self._read_headers = ProxyHeadersMiddleware(self._answer, proxies)  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request as from the forwarded address, if that is an IP address."""
        scope[_PROXY] = scope.get("client")
        await self._read_headers(scope, receive, send)  # type: ignore[arg-type]

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        proxy = scope.pop(_PROXY)
        client = scope.get("client")
        if client is not None and not _is_address(client[0]):
            scope["client"] = proxy
        await self._app(scope, receive, send)


def _is_address(text: str) -> bool:
    if len(text) > _ADDRESS_MAX:
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
