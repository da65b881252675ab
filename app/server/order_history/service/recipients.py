"""Who got the results of an order before their last correction (DECISIONS, Results)."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from app.contract import messages
from app.contract.enumerations import CopyType, SendStatus
from app.server.access.work import Work
from app.server.order_history.repository import OrderHistoryRepository, Reading
from app.server.order_history.schemas import EarlierRecipient, EarlierRecipients
from app.server.orders.service.read import get_order
from app.server.results.releases.repository import ReleaseRepository
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import RESULTS

_SECOND = timedelta(seconds=1)


async def read_earlier_recipients(
    work: Work, order_id: int, since: datetime | None
) -> EarlierRecipients:
    """Return who viewed, printed, exported, or was sent what the last correction replaced.

    ``since`` is the time of a release; by default all releases before the correction count. Times
    of releases are whole seconds: what happened in the second of the correction counts as before.

    Raises:
        NotFound.
    """
    order = await get_order(work, order_id)
    await work.audit("see recipients", "order-results", [order.id])
    releases = await work.build_repository(ReleaseRepository).list_releases([order.id])
    corrections = [release for release in releases if release.is_correction]
    if not corrections:
        return EarlierRecipients(corrected_at=None, tests=[], recipients=[])
    corrected_at = max(release.released_at for release in corrections)
    zone = ZoneInfo(work.portal.settings.time_zone)
    first = (since or min(release.released_at for release in releases)).replace(tzinfo=zone)
    until = corrected_at.replace(tzinfo=zone) + _SECOND
    history = work.build_repository(OrderHistoryRepository)
    readings = await history.list_readings(order.id, first, until)
    transmissions = await work.build_repository(TransmissionRepository).list_by_requisitions(
        [order.requisition_id], RESULTS
    )
    tests = dict.fromkeys(r.test for r in corrections if r.released_at == corrected_at)
    recipients = [
        *_build_readers(readings, until),
        *_build_addressees(transmissions, first, until),
    ]
    return EarlierRecipients(
        corrected_at=corrected_at,
        tests=list(tests),
        recipients=sorted(recipients, key=lambda recipient: recipient.at, reverse=True),
    )


def _build_readers(readings: Sequence[Reading], until: datetime) -> Iterable[EarlierRecipient]:
    newest: dict[UUID, datetime] = {}
    for reading in readings:
        newest[reading.user_id] = max(newest.get(reading.user_id, reading.newest), reading.newest)
    for reading in readings:
        yield EarlierRecipient(
            name=reading.name or messages.SOMEBODY_ELSE,
            role=reading.role,
            act=reading.action,
            at=reading.at,
            type=None,
            destination=None,
            has_current=newest[reading.user_id] >= until,
        )


def _build_addressees(
    transmissions: Sequence[Transmission], since: datetime, until: datetime
) -> Iterable[EarlierRecipient]:
    """Build the addresses and numbers that were sent the results, each once."""
    newest: dict[tuple[str, str], datetime] = {}
    earlier: dict[tuple[str, str], Transmission] = {}
    for row in transmissions:  # newest first
        if row.status == SendStatus.FAILED:
            continue
        key = (row.kind, row.destination.casefold())
        at = row.sent_at or row.created_at
        newest.setdefault(key, at)
        if since <= at < until:
            earlier.setdefault(key, row)
    for key, row in earlier.items():
        yield EarlierRecipient(
            name=row.destination,
            role=None,
            act="send",
            at=row.sent_at or row.created_at,
            type=CopyType(row.kind),
            destination=row.destination,
            has_current=newest[key] >= until,
        )
