"""The system's keyring: Secret Service, Windows Credential Manager, or macOS Keychain."""

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
Result = TypeVar("Result")


class Backend(Protocol):
    """The part of a ``keyring`` backend that we use."""

    def get_password(self, service: str, username: str) -> str | None:
        """Return the secret, or ``None``."""
        ...

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store a secret."""
        ...

    def delete_password(self, service: str, username: str) -> None:
        """Remove a secret, or raise if it does not exist."""
        ...


def find_system_backend() -> Backend | None:
    """Return this system's keyring, chosen by name.

    ``keyring.get_keyring()`` may choose a backend that fails on first use or stores plain text, or
    it may hang on a session bus that does not answer.
    """
    names = _BACKENDS.get(sys.platform)
    if names is None:
        return None
    module_name, class_name = names
    try:
        backend: Backend = getattr(importlib.import_module(module_name), class_name)()
    except Exception as error:
        _log.info("keyring_not_usable", reason=type(error).__name__)
        return None
    return backend


def call_within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return the call's result, or raise ``TimeoutError`` and abandon its thread.

    A locked keyring asks the user and may wait forever. A daemon thread blocks neither the start
    nor the end of the app.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="keyring", daemon=True).start()
    return future.result(timeout=seconds)


def is_working(backend: Backend, seconds: float = _LIMIT_SECONDS) -> bool:
    """Whether a secret can be stored, read, and removed within the time limit."""
    secret = secrets.token_urlsafe(8)

    def probe() -> bool:
        backend.set_password(_SERVICE, _PROBE, secret)
        is_same = backend.get_password(_SERVICE, _PROBE) == secret
        backend.delete_password(_SERVICE, _PROBE)
        return is_same

    try:
        return call_within(seconds, probe)
    except Exception as error:
        _log.info("keyring_not_usable", reason=type(error).__name__)
        return False


class KeyringVault:
    """Stores the token in the keyring under the portal's address.

    If the keyring stops working, the token stays in memory and ``is_persistent`` becomes false.
    Its calls run one after the other: a slow save must not store a token after a sign-out.
    """

    def __init__(self, backend: Backend, portal_url: str, seconds: float = _LIMIT_SECONDS) -> None:
        self._backend = backend
        self._name = portal_url
        self._seconds = seconds
        self._token: str | None = None
        self._is_broken = False
        self._lock = asyncio.Lock()

    @property
    def is_persistent(self) -> bool:
        """Whether the keyring still answers."""
        return not self._is_broken

    def build_for(self, portal_url: str) -> "KeyringVault":
        """Return the vault of another portal, in the same keyring."""
        return KeyringVault(self._backend, portal_url, self._seconds)

    async def load(self) -> str | None:
        """Return the token, or ``None``."""
        async with self._lock:
            if not self._is_broken:
                self._token = await self._call(
                    lambda: self._backend.get_password(_SERVICE, self._name), self._token
                )
            return self._token

    async def save(self, token: str) -> None:
        """Replace the token."""
        async with self._lock:
            self._token = token
            await self._call(lambda: self._backend.set_password(_SERVICE, self._name, token), None)

    async def clear(self) -> None:
        """Remove the token."""

        def remove() -> None:
            if self._backend.get_password(_SERVICE, self._name) is not None:
                self._backend.delete_password(_SERVICE, self._name)

        async with self._lock:
            self._token = None
            # Try even after a failure, because a sign-out should leave nothing behind.
            was_broken = self._is_broken
            self._is_broken = False
            await self._call(remove, None)
            self._is_broken = self._is_broken or was_broken

    async def _call(self, call: Callable[[], Result], fallback: Result) -> Result:
        if self._is_broken:
            return fallback
        try:
            return await asyncio.to_thread(call_within, self._seconds, call)
        except Exception as error:
            with contextlib.suppress(Exception):
                _log.warning("keyring_failed", reason=type(error).__name__)
            self._is_broken = True
            return fallback
