"""Explains to people why the portal cannot be reached."""

import errno
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass

import httpcore

from app.contract import messages
from app.desktop.errors import Cause

SENTENCES: dict[Cause, tuple[str, str]] = {
    Cause.NOT_LISTENING: (messages.PORTAL_NOT_LISTENING, messages.PORTAL_NOT_LISTENING_ADVICE),
    Cause.UNKNOWN_HOST: (messages.PORTAL_UNKNOWN_HOST, messages.PORTAL_UNKNOWN_HOST_ADVICE),
    Cause.NO_ROUTE: (messages.PORTAL_NO_ROUTE, messages.PORTAL_NO_ROUTE_ADVICE),
    Cause.TIMEOUT: (messages.PORTAL_TIMEOUT, messages.PORTAL_TIMEOUT_ADVICE),
    Cause.UNTRUSTED: (messages.PORTAL_UNTRUSTED, messages.PORTAL_UNTRUSTED_ADVICE),
    Cause.WRONG_NAME: (messages.PORTAL_WRONG_NAME, messages.PORTAL_WRONG_NAME_ADVICE),
    Cause.EXPIRED: (messages.PORTAL_EXPIRED, messages.PORTAL_EXPIRED_ADVICE),
    Cause.TLS: (messages.PORTAL_TLS, messages.PORTAL_TLS_ADVICE),
    Cause.PROXY: (messages.PORTAL_PROXY, messages.PORTAL_PROXY_ADVICE),
    Cause.PROXY_TIMEOUT: (messages.PORTAL_PROXY_TIMEOUT, messages.PORTAL_PROXY_TIMEOUT_ADVICE),
    Cause.PROXY_REJECTS: (messages.PORTAL_PROXY_REJECTS, messages.PORTAL_PROXY_REJECTS_ADVICE),
    Cause.PROXY_SIGN_IN: (messages.PORTAL_PROXY_SIGN_IN, messages.PORTAL_PROXY_SIGN_IN_ADVICE),
    Cause.PROXY_UNTRUSTED: (
        messages.PORTAL_PROXY_UNTRUSTED,
        messages.PORTAL_PROXY_UNTRUSTED_ADVICE,
    ),
    Cause.PROXY_WRONG_NAME: (
        messages.PORTAL_PROXY_WRONG_NAME,
        messages.PORTAL_PROXY_WRONG_NAME_ADVICE,
    ),
    Cause.PROXY_EXPIRED: (messages.PORTAL_PROXY_EXPIRED, messages.PORTAL_PROXY_EXPIRED_ADVICE),
    Cause.PROXY_TLS: (messages.PORTAL_PROXY_TLS, messages.PORTAL_PROXY_TLS_ADVICE),
    Cause.BROKEN: (messages.PORTAL_BROKEN, messages.PORTAL_BROKEN_ADVICE),
    Cause.STARTING: (messages.PORTAL_STARTING, messages.PORTAL_STARTING_ADVICE),
    Cause.REDIRECTS: (messages.PORTAL_LEADS_ELSEWHERE, messages.PORTAL_LEADS_ELSEWHERE_ADVICE),
    Cause.WRONG_PRODUCT: (messages.PORTAL_WRONG_PRODUCT, messages.PORTAL_WRONG_PRODUCT_ADVICE),
    Cause.NOT_CHOSEN: (messages.PORTAL_NOT_CHOSEN, messages.PORTAL_NOT_CHOSEN_ADVICE),
}
"""The problem and its solution; ``SETTINGS`` has the sentence of its ``SettingsError``."""


@dataclass(frozen=True)
class Explanation:
    """A cause in two sentences: what is wrong, and what to do."""

    problem: str
    advice: str


def explain_cause(cause: Cause, address: str, host: str, proxy: str | None) -> Explanation:
    """Return the sentences of a cause, with the portal's address in them."""
    problem, advice = SENTENCES[cause]
    values = {"address": address, "host": host, "proxy": proxy or ""}
    return Explanation(problem.format(**values), advice.format(**values))


# OpenSSL's codes, then those of Windows and macOS, whose own verification truststore uses.
_EXPIRED_CODES = frozenset({9, 10, 0x800B0101, -67818})
_WRONG_NAME_CODES = frozenset({62, 64, 0x800B010F, -67602})
_NO_ROUTE_ERRNOS = frozenset(
    {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN}
)


_PROXY_CAUSES = {
    Cause.UNTRUSTED: Cause.PROXY_UNTRUSTED,
    Cause.WRONG_NAME: Cause.PROXY_WRONG_NAME,
    Cause.EXPIRED: Cause.PROXY_EXPIRED,
    Cause.TLS: Cause.PROXY_TLS,
}


class ProxyTlsError(httpcore.ProxyError):
    """TLS with the proxy itself failed; the portal behind it was not asked."""


class ProxyTimeout(httpcore.ProxyError):
    """The proxy itself did not accept the connection in time."""


async def raise_proxy_error(event: str, info: dict[str, object]) -> None:
    """Raise ``ProxyTimeout`` or ``ProxyTlsError`` for a failure that httpcore traces.

    Both handshakes raise the same errors; the one with the portal is ``proxy.start_tls``.
    """
    error = info.get("exception")
    if event.endswith(".connect_tcp.failed") and isinstance(error, httpcore.ConnectTimeout):
        raise ProxyTimeout(str(error)) from error
    if event == "connection.start_tls.failed" and isinstance(error, Exception):
        raise ProxyTlsError(str(error)) from error


def classify_error(error: BaseException, *, uses_proxy: bool) -> Cause:
    """Return the cause of an error in a call to the portal.

    With a proxy, a failure before the tunnel is open is the proxy's, not the portal's.
    """
    chain = list(_list_causes(error))
    if any(isinstance(item, ProxyTimeout) for item in chain):
        return Cause.PROXY_TIMEOUT
    causes = [cause for item in chain if (cause := _classify_secure(item)) is not None]
    if causes and any(isinstance(item, ProxyTlsError) for item in chain):
        return _PROXY_CAUSES.get(causes[0], Cause.PROXY)
    if not causes and uses_proxy and any(isinstance(e, httpcore.ConnectError) for e in chain):
        return Cause.PROXY
    causes += [cause for item in chain if (cause := _classify_network(item)) is not None]
    return causes[0] if causes else Cause.BROKEN


def _classify_secure(error: BaseException) -> Cause | None:
    """Return the cause of an error of TLS or of a proxy that answers."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _classify_certificate(error)
    if isinstance(error, ssl.SSLWantReadError):  # a handshake that waited until the timeout
        return None
    if isinstance(error, ssl.SSLError):
        return Cause.TLS
    if isinstance(error, httpcore.ProxyError) and not isinstance(error, ProxyTlsError):
        return Cause.PROXY_SIGN_IN if _asks_for_password(error) else Cause.PROXY_REJECTS
    return None


def _asks_for_password(error: httpcore.ProxyError) -> bool:
    """Whether an HTTP or SOCKS proxy requires a password."""
    text = str(error)
    return "407" in text or "username/password" in text.lower() or "auth" in text.lower()


def _classify_network(error: BaseException) -> Cause | None:
    """Return the cause of an error of the network."""
    if isinstance(error, socket.gaierror):
        return Cause.UNKNOWN_HOST
    if isinstance(error, ConnectionRefusedError):
        return Cause.NOT_LISTENING
    if isinstance(error, OSError) and error.errno in _NO_ROUTE_ERRNOS:
        return Cause.NO_ROUTE
    if isinstance(error, TimeoutError | httpcore.TimeoutException):
        return Cause.TIMEOUT
    return None


def _classify_certificate(error: ssl.SSLCertVerificationError) -> Cause:
    code = getattr(error, "verify_code", None)
    if code in _EXPIRED_CODES:
        return Cause.EXPIRED
    return Cause.WRONG_NAME if code in _WRONG_NAME_CODES else Cause.UNTRUSTED


def _list_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes."""
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for part in error.exceptions:
                yield from _list_causes(part)
        error = error.__cause__ or error.__context__
