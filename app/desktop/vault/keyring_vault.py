"""The operating system's keyring: Secret Service, Windows Credential Manager, macOS Keychain."""

import asyncio
import contextlib
import importlib
import secrets
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol, TypeVar

import structlog

_SERVICE = "lab-portal"
_PROBE = "probe"
_LIMIT_SECONDS = 3.0
_BACKENDS = {
    "win32": ("keyring.backends.Windows", "WinVaultKeyring"),
    "darwin": ("keyring.backends.macOS", "Keyring"),
    "linux": ("keyring.backends.SecretService", "Keyring"),
}
_log = structlog.get_logger("portal.vault")
T = TypeVar("T")


class Backend(Protocol):
    """The part of a ``keyring`` backend that is used here."""

    def get_password(self, service: str, username: str) -> str | None:
        """The secret, or ``None``."""
        ...

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store a secret."""
        ...

    def delete_password(self, service: str, username: str) -> None:
        """Remove a secret; raises when there is none."""
        ...


def system_backend() -> Backend | None:
    """This system's own keyring, chosen by name.

    Never ``keyring.get_keyring()``: its automatic choice can answer a backend that fails on
    first use, one that stores plain text, or hang on a session bus that does not answer.
    """
    named = _BACKENDS.get(sys.platform)
    if named is None:
        return None
    try:
        found: Backend = getattr(importlib.import_module(named[0]), named[1])()
    except Exception as error:
        _log.info("keyring_not_usable", reason=type(error).__name__)
        return None
    return found


def within(seconds: float, call: Callable[[], T]) -> T:
    """The call's result, or ``TimeoutError``; the call runs in a thread that may be abandoned.

    A locked keyring asks the user and can wait for ever. A daemon thread neither blocks the
    start nor the end of the app.
    """
    future: Future[T] = Future()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, name="keyring", daemon=True).start()
    return future.result(timeout=seconds)


def works(backend: Backend, seconds: float = _LIMIT_SECONDS) -> bool:
    """Whether a secret can be stored, read back and removed within the time limit."""
    secret = secrets.token_urlsafe(8)

    def round_trip() -> bool:
        backend.set_password(_SERVICE, _PROBE, secret)
        same = backend.get_password(_SERVICE, _PROBE) == secret
        backend.delete_password(_SERVICE, _PROBE)
        return same

    try:
        return within(seconds, round_trip)
    except Exception as error:
        _log.info("keyring_not_usable", reason=type(error).__name__)
        return False


class KeyringVault:
    """Keeps the token in the keyring, under the portal's address.

    When the keyring stops working the token lives on in memory and ``keeps`` turns false.
    """

    def __init__(self, backend: Backend, portal_url: str, seconds: float = _LIMIT_SECONDS) -> None:
        self._backend = backend
        self._name = portal_url
        self._seconds = seconds
        self._token: str | None = None
        self._broken = False

    @property
    def keeps(self) -> bool:
        """Whether the keyring still answers."""
        return not self._broken

    async def load(self) -> str | None:
        """The token, or ``None``."""
        if not self._broken:
            self._token = await self._call(
                lambda: self._backend.get_password(_SERVICE, self._name), self._token
            )
        return self._token

    async def save(self, token: str) -> None:
        """Replace the token."""
        self._token = token
        await self._call(lambda: self._backend.set_password(_SERVICE, self._name, token), None)

    async def clear(self) -> None:
        """Forget the token."""
        self._token = None

        def remove() -> None:
            if self._backend.get_password(_SERVICE, self._name) is not None:
                self._backend.delete_password(_SERVICE, self._name)

        # A keyring that failed once is asked again here: signing out should leave nothing behind.
        self._broken, before = False, self._broken
        await self._call(remove, None)
        self._broken = self._broken or before

    async def _call(self, call: Callable[[], T], otherwise: T) -> T:
        if self._broken:
            return otherwise
        try:
            return await asyncio.to_thread(within, self._seconds, call)
        except Exception as error:
            with contextlib.suppress(Exception):
                _log.warning("keyring_failed", reason=type(error).__name__)
            self._broken = True
            return otherwise
