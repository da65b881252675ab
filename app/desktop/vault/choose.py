"""Chooses the vault of this start of the app."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import structlog

from app.desktop.files import FileLock
from app.desktop.vault.keyring_vault import Backend, KeyringVault, is_working
from app.desktop.vault.memory import MemoryVault
from app.desktop.vault.port import Vault

_log = structlog.get_logger("portal.vault")


async def choose_vault(
    find_backend: Callable[[], Backend | None], portal_url: str, folder: Path
) -> tuple[Vault, FileLock | None]:
    """Return the keyring if it works and no other instance uses it, otherwise memory.

    A rotating refresh token is revoked when it is used twice, so two instances must not share one.
    The lock gives the keyring to the first instance until it ends.
    """
    backend = await asyncio.to_thread(_find_working_backend, find_backend)
    if backend is None:
        _log.info("credentials_kept_for_this_session_only")
        return MemoryVault(), None
    lock = FileLock(folder / "credentials.lock")
    if not lock.acquire():
        _log.info("credentials_kept_by_another_instance")
        return MemoryVault(), None
    return KeyringVault(backend, portal_url), lock


def _find_working_backend(find_backend: Callable[[], Backend | None]) -> Backend | None:
    """Return the backend if there is one and its probe succeeds."""
    backend = find_backend()
    return backend if backend is not None and is_working(backend) else None
