"""Reads the panels of the operations page, and retries or gives up jobs."""

from typing import Any

from psycopg.errors import UniqueViolation

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound, require_allowed
from app.basics.version import VERSION
from app.contract import messages
from app.server.access.work import Work
from app.server.actor import GATEKEEPER_ACTOR, build_worker_actor
from app.server.metrics import get_registry
from app.server.operations import rules
from app.server.operations.errors import NextJobWaits
from app.server.operations.repository import OperationsRepository
from app.server.operations.schemas import (
    AuditRead,
    BackupRead,
    DatabaseRead,
    DeliveriesRead,
    DeliveryRead,
    FailedJob,
    JobsRead,
    OperationsRead,
    PoolRead,
    PortalRead,
    SenderRead,
    TaskRead,
)
from app.server.transmissions.senders.choose import Senders

_OPERATIONS_WORKER = build_worker_actor("show operations")
_STARTED_AT = get_utc_now()


async def read_operations(work: Work) -> OperationsRead:
    """Return all panels, or raise Forbidden."""
    require_allowed(rules.judge_operating(work.actor))
    await work.audit("read", "operations", [])
    now = get_utc_now()
    async with work.portal.database.transaction(_OPERATIONS_WORKER) as transaction:
        panels = transaction.build_repository(OperationsRepository)
        database = await panels.load_database()
        jobs = await panels.load_jobs()
        deliveries = await panels.load_deliveries()
        backup = await panels.load_backup()
        audit = await panels.load_audit()
    async with work.portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        gatekeeper = transaction.build_repository(OperationsRepository)
        account_emails = await gatekeeper.load_account_emails()
    is_overdue = rules.is_backup_overdue(backup.get("at"), now)
    return OperationsRead(
        portal=PortalRead(
            version=VERSION,
            revision=database.pop("revision"),
            uptime_seconds=(now - _STARTED_AT).total_seconds(),
        ),
        database=DatabaseRead(**database, pools=_measure_pools()),
        jobs=JobsRead(
            tasks=[TaskRead(**task) for task in jobs["tasks"]],
            failed=[FailedJob(**job) for job in jobs["failed"]],
            workers=jobs["workers"],
        ),
        deliveries=_build_deliveries(deliveries, account_emails, work.portal.get_part(Senders)),
        backup=BackupRead(
            **{name: backup.get(name) for name in ("at", "version", "bytes", "files")},
            age_seconds=(now - backup["at"]).total_seconds() if backup else None,
            is_overdue=is_overdue,
        ),
        audit=AuditRead(**audit, is_overdue=rules.is_seal_overdue(audit["unsealed_since"], now)),
    )


async def retry_job(work: Work, job_id: int) -> None:
    """Retry a failed job now.

    Raises:
        Forbidden.
        NotFound: there is no such job, or no try of it has failed.
        NextJobWaits: the next job of the task is already waiting.
    """
    require_allowed(rules.judge_operating(work.actor))
    try:
        task = await work.build_repository(OperationsRepository).retry_job(job_id)
    except Exception as error:
        if isinstance(getattr(error, "orig", error), UniqueViolation):
            raise NextJobWaits(messages.JOB_WAITS_ALREADY) from error
        raise
    await _audit_act(work, "retry", job_id, task)


async def give_up_job(work: Work, job_id: int) -> None:
    """Delete a failed or waiting job, or raise Forbidden or NotFound."""
    require_allowed(rules.judge_operating(work.actor))
    task = await work.build_repository(OperationsRepository).give_up_job(job_id)
    await _audit_act(work, "give-up", job_id, task)


async def _audit_act(work: Work, action: str, job_id: int, task: str | None) -> None:
    if task is None:
        raise NotFound(messages.NOT_FOUND)
    await work.audit(action, "job", [], {"job": job_id, "task": task})


def _build_deliveries(
    deliveries: dict[str, Any], account_emails: dict[str, Any], senders: Senders
) -> DeliveriesRead:
    configured_senders = {"email": bool(senders.email), "fax": bool(senders.fax)}
    last_link, failed_link = (account_emails.pop(name) for name in ("last_success", "last_failure"))
    senders_read = [
        SenderRead(
            name=sender["kind"],
            is_configured=configured_senders[sender["kind"]],
            last_success=sender["last_success"],
            last_failure=sender["last_failure"],
        )
        for sender in deliveries["senders"]
    ]
    for sender in senders_read:
        if sender.name == "email":
            sender.last_success = rules.choose_latest(sender.last_success, last_link)
            sender.last_failure = rules.choose_latest(sender.last_failure, failed_link)
    kinds = [DeliveryRead(**kind) for kind in deliveries["kinds"]]
    return DeliveriesRead(
        kinds=[*kinds, DeliveryRead(kind="accounts", **account_emails)], senders=senders_read
    )


def _measure_pools() -> list[PoolRead]:
    """Return the waits of this portal's processes for connections, by pool."""
    registry = get_registry()
    pools = []
    for name in ("read", "write"):
        labels = {"pool": name}
        count = registry.get_sample_value("portal_pool_wait_seconds_count", labels) or 0.0
        seconds = registry.get_sample_value("portal_pool_wait_seconds_sum", labels) or 0.0
        mean = 1_000 * seconds / count if count else 0.0
        pools.append(PoolRead(name=name, waits=int(count), mean_milliseconds=mean))
    return pools
