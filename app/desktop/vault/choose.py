"""Chooses the vault of this start of the app."""

import asyncio
from collections.abc import Callable

import structlog

from app.desktop.vault.keyring_vault import Backend, KeyringVault, is_working
from app.desktop.vault.memory import MemoryVault
from app.desktop.vault.port import Vault

_log = structlog.get_logger("portal.vault")


async def choose_vault(find_backend: Callable[[], Backend | None], portal_url: str) -> Vault:
    """Return the keyring if it works, otherwise memory."""
    backend = await asyncio.to_thread(_find_working_backend, find_backend)
    if backend is None:
        _log.info("credentials_kept_for_this_session_only")
        return MemoryVault()
    return KeyringVault(backend, portal_url)


def _find_working_backend(find_backend: Callable[[], Backend | None]) -> Backend | None:
    """Return the backend if there is one and its probe succeeds."""
    backend = find_backend()
    return backend if backend is not None and is_working(backend) else None
