"""Which vault this start of the app uses."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import structlog

from app.desktop.files import FileLock
from app.desktop.vault.keyring_vault import Backend, KeyringVault, works
from app.desktop.vault.memory import MemoryVault
from app.desktop.vault.port import Vault

_log = structlog.get_logger("portal.vault")


async def choose_vault(
    find: Callable[[], Backend | None], portal_url: str, folder: Path
) -> tuple[Vault, FileLock | None]:
    """The keyring when it works and no other instance uses it, else memory for this session.

    Refresh tokens rotate and die when one is used twice, so two instances must not share one:
    the lock, held until the app ends, gives the keyring to the first.
    """
    backend = await asyncio.to_thread(_working, find)
    if backend is None:
        _log.info("credentials_kept_for_this_session_only")
        return MemoryVault(), None
    lock = FileLock(folder / "credentials.lock")
    if not lock.acquire():
        _log.info("credentials_kept_by_another_instance")
        return MemoryVault(), None
    return KeyringVault(backend, portal_url), lock


def _working(find: Callable[[], Backend | None]) -> Backend | None:
    """The backend, when there is one and it stands the probe."""
    backend = find()
    return backend if backend is not None and works(backend) else None
