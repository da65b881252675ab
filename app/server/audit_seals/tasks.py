"""Periodic jobs of the seals: sealing, verifying, and removing rows after their retention."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import structlog

from app.basics.clock import get_utc_now
from app.contract.enumerations import ScopeKind
from app.server.access.parts import PortalParts
from app.server.audit_seals.anchor import open_anchor
from app.server.audit_seals.keys import SealKeys
from app.server.audit_seals.repository import Connection
from app.server.audit_seals.service.retain import remove_expired_rows
from app.server.audit_seals.service.seal import seal_rows
from app.server.audit_seals.service.verify import record_verification, verify_log
from app.server.jobs.tasks import Periodic, Task

_log = structlog.get_logger("portal.audit")


async def seal_audit_rows(portal: PortalParts) -> None:
    """Seal the audit rows whose transactions are over."""
    keys, anchor = get_keys(portal), open_anchor(portal.settings)
    await _run_operation(portal, lambda connection: seal_rows(connection, keys, anchor))


async def verify_audit_rows(portal: PortalParts) -> None:
    """Verify the whole log, and record the outcome."""
    keys, anchor = get_keys(portal), open_anchor(portal.settings)

    def verify(connection: Connection) -> None:
        result = verify_log(connection, keys, anchor)
        record_verification(connection, result)
        if result.trouble is not None:
            _log.error("the audit log is broken", trouble=result.trouble)

    await _run_operation(portal, verify)


async def remove_old_audit_rows(portal: PortalParts) -> None:
    """Remove the rows that are older than the lab's retention."""
    keys = get_keys(portal)
    await _run_operation(
        portal, lambda connection: remove_expired_rows(connection, keys, get_utc_now())
    )


def get_keys(portal: PortalParts) -> SealKeys:
    """Return the keys in the portal's key folder."""
    return SealKeys(portal.settings.data_dir / "keys")


async def _run_operation(portal: PortalParts, operation: Callable[[Connection], object]) -> None:
    """Run a long operation in a thread, on a separate connection."""

    def run() -> None:
        with _connect_to_database(portal.database.url) as connection:
            operation(connection)

    await asyncio.to_thread(run)


@contextmanager
def _connect_to_database(url: str) -> Iterator[Connection]:
    options = f"-c role=as_{ScopeKind.WORKER}"
    with psycopg.connect(url, options=options, autocommit=True) as connection:
        yield connection


PERIODIC = (
    Periodic(Task("audit.seal_rows", seal_audit_rows), "* * * * *"),
    Periodic(Task("audit.verify_rows", verify_audit_rows), "40 3 * * *"),
    Periodic(Task("audit.remove_old_rows", remove_old_audit_rows), "20 4 * * *"),
)
