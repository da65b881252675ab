"""Counts attempts to sign in, so that nobody can guess passwords (ADR 52)."""

from dataclasses import dataclass

from app.basics.clock import get_utc_now
from app.basics.errors import TooManyTries
from app.basics.text import format_wait
from app.contract import messages
from app.server.access.quotas import SIGN_IN, QuotaUse
from app.server.accounts import rules
from app.server.accounts.models import KnownDevice
from app.server.accounts.repository import AccountRepository
from app.server.accounts.tokens import hash_secret
from app.server.actor import GATEKEEPER_ACTOR
from app.server.database.pools import Database


@dataclass(frozen=True)
class Attempt:
    """An attempt to sign in, and where it is counted.

    A device that the account knows has separate counts, instead of those of the e-mail and the
    address. Strangers who know the e-mail or share the address therefore do not lock the owner out,
    and the thief of a device has no more attempts than anybody else.

    Attributes:
        device: the caller's device, if the account knows it.
        counted_hash: stands for the e-mail, or for the device with this e-mail.
        quota: the quota of the address, or of the device.
    """

    device: KnownDevice | None
    counted_hash: bytes
    quota: QuotaUse

    @property
    def quota_reason(self) -> str:
        """What the quota limits, for the audit log."""
        return "address" if self.device is None else "device"


async def load_attempt(
    database: Database, email: str, device_token: str | None, address: str
) -> Attempt:
    """Load the counters of an attempt.

    The same statements run for known and unknown e-mails and devices.
    """
    device_hash = hash_secret(device_token or "")
    async with database.transaction(GATEKEEPER_ACTOR) as transaction:
        accounts = transaction.build_repository(AccountRepository)
        device = await accounts.find_device(email, device_hash, get_utc_now())
    if device is None:
        return Attempt(None, hash_secret(email), QuotaUse(SIGN_IN, None, address))
    counted_hash = hash_secret(f"{email} {device_hash.hex()}")
    return Attempt(device, counted_hash, QuotaUse(SIGN_IN, counted_hash.hex(), None))


async def count_failure(accounts: AccountRepository, attempt: Attempt) -> None:
    """Count an attempt as a failure before its password is verified.

    Concurrent attempts, even in several processes, therefore cannot exceed the limit.

    Raises:
        TooManyTries: too many failures; says when to try again.
    """
    attempt_row = await accounts.lock_attempt(attempt.counted_hash, get_utc_now())
    now = get_utc_now()  # Read the clock again, because the lock may have taken a while.
    if not rules.are_failures_current(attempt_row.last_failure_at, now):
        attempt_row.failures = 0
    next_attempt_at = rules.compute_next_attempt_at(
        attempt_row.failures, attempt_row.last_failure_at
    )
    if next_attempt_at > now:
        seconds = max(1, round((next_attempt_at - now).total_seconds()))
        raise TooManyTries(
            messages.TOO_MANY_TRIES.format(wait=format_wait(seconds)),
            headers={"Retry-After": str(seconds)},
        )
    attempt_row.failures += 1
    attempt_row.last_failure_at = now
