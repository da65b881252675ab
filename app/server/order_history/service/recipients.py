"""Recipients of an order's results before a correction or withholding (DECISIONS)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from app.basics.errors import require_allowed
from app.contract import messages
from app.contract.enumerations import CopyType, SendStatus, Withholding
from app.server.access.work import Work
from app.server.order_history.repository import OrderHistoryRepository, Reading, WithheldTest
from app.server.order_history.rules import judge_reading_recipients
from app.server.order_history.schemas import EarlierRecipient, EarlierRecipients
from app.server.orders.service.read import get_order
from app.server.results.releases.repository import Release, ReleaseRepository
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import RESULT_SUBJECTS, Subject

_SECOND = timedelta(seconds=1)
_ARRIVED_STATUSES = frozenset({SendStatus.SENT, SendStatus.DELIVERED})


@dataclass(frozen=True)
class _Change:
    """The tests whose released results were corrected or withheld last, and when."""

    at: datetime
    tests: tuple[str, ...]
    withheld: Withholding | None


async def read_earlier_recipients(
    work: Work, order_id: int, since: datetime | None
) -> EarlierRecipients:
    """Return who had the results that were last corrected or withheld.

    They viewed, printed, or exported the results, or got them by e-mail or fax. People to whom a
    transmission failed are among them if it may have arrived, at least in part.

    ``since`` is the time of a release; the default is the first one. Times of releases are whole
    seconds, so whatever happened in the second of the correction counts as before it, except for
    transmissions that were sent as corrected results.

    Raises:
        Forbidden, NotFound.
    """
    require_allowed(judge_reading_recipients(work.actor))
    order = await get_order(work, order_id)
    await work.audit("see recipients", "order-results", [order.id])
    releases = await work.build_repository(ReleaseRepository).list_releases([order.id])
    history = work.build_repository(OrderHistoryRepository)
    change = _find_last_change(releases, await history.list_withheld_tests(order.id))
    if change is None:
        return EarlierRecipients(corrected_at=None, withheld=None, tests=[], recipients=[])
    corrected_at = change.at
    zone = ZoneInfo(work.portal.settings.time_zone)
    first = (since or min(release.released_at for release in releases)).replace(tzinfo=zone)
    start = corrected_at.replace(tzinfo=zone)
    until = start + _SECOND
    readings = await history.list_readings(order.id, first, until)
    sent = work.build_repository(TransmissionRepository)
    transmissions = await sent.list_by_requisitions([order.requisition_id], RESULT_SUBJECTS)
    arrivals = await sent.load_possible_arrivals([row.id for row in transmissions])
    addressees = _list_addressees(transmissions, arrivals)
    recipients = [
        *_build_readers(readings, until),
        *_build_addressees(addressees, first, until, start if change.withheld is None else until),
    ]
    return EarlierRecipients(
        corrected_at=corrected_at,
        withheld=change.withheld,
        tests=list(change.tests),
        recipients=sorted(recipients, key=lambda recipient: recipient.at, reverse=True),
    )


def _find_last_change(
    releases: Sequence[Release], withheld_tests: Sequence[WithheldTest]
) -> _Change | None:
    """Find the last correction or withholding of released results."""
    corrections = [release for release in releases if release.is_correction]
    corrected_at = max((release.released_at for release in corrections), default=None)
    withheld_at = max((test.at for test in withheld_tests), default=None)
    if withheld_at is not None and (corrected_at is None or withheld_at >= corrected_at):
        kinds = {test.name: test.kind for test in withheld_tests if test.at == withheld_at}
        return _Change(withheld_at, tuple(kinds), next(iter(kinds.values())))
    if corrected_at is None:
        return None
    tests = dict.fromkeys(
        correction.test for correction in corrections if correction.released_at == corrected_at
    )
    return _Change(corrected_at, tuple(tests), None)


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
            current_status=None,
        )


@dataclass(frozen=True)
class _Addressee:
    """A transmission that arrived or, unless ``is_certain``, may have arrived.

    ``at`` is when the content of the first attempt that may have arrived was read.
    """

    row: Transmission
    at: datetime
    is_certain: bool

    @property
    def newest(self) -> datetime:
        """A time after which no content that may have arrived was read."""
        return max(self.at, self.row.sent_at or self.at)

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the address or number."""
        return (self.row.kind, self.row.destination.casefold())


def _list_addressees(
    transmissions: Sequence[Transmission], arrivals: Mapping[int, datetime]
) -> list[_Addressee]:
    """List the transmissions without those that cannot have arrived, certain ones first.

    A failed one may have arrived if an attempt has no answer, or if pages of a fax were sent.
    """
    certain, uncertain = [], []
    for row in transmissions:
        if row.status != SendStatus.FAILED:
            at = arrivals.get(row.id, row.created_at)
            certain.append(_Addressee(row, at, is_certain=True))
        elif row.id in arrivals:
            uncertain.append(_Addressee(row, arrivals[row.id], is_certain=False))
    return [*certain, *uncertain]


def _build_addressees(
    addressees: Sequence[_Addressee], since: datetime, until: datetime, corrected: datetime
) -> Iterable[EarlierRecipient]:
    """Build the recipients of e-mails and faxes, one for each address or number.

    Results that were sent as corrected ones, and queued at ``corrected`` or later, contain the
    correction. They inform nobody before they are sent.
    """
    informed_keys: set[tuple[str, str]] = set()
    waiting_statuses: dict[tuple[str, str], SendStatus] = {}
    earlier_addressees: dict[tuple[str, str], _Addressee] = {}
    for addressee in addressees:  # certain ones first, the newest first
        row = addressee.row
        is_corrected = row.subject == Subject.CORRECTED_RESULTS and row.created_at >= corrected
        if is_corrected or addressee.at >= until:
            if row.status in _ARRIVED_STATUSES:
                informed_keys.add(addressee.key)
            elif addressee.is_certain:
                waiting_statuses.setdefault(addressee.key, SendStatus(row.status))
        elif addressee.newest >= since:
            earlier_addressees.setdefault(addressee.key, addressee)
    for key, addressee in earlier_addressees.items():
        row = addressee.row
        yield EarlierRecipient(
            name=row.destination,
            role=None,
            act="send" if addressee.is_certain else "may-receive",
            at=addressee.at,
            type=CopyType(row.kind),
            destination=row.destination,
            has_current=key in informed_keys,
            current_status=None if key in informed_keys else waiting_statuses.get(key),
        )
