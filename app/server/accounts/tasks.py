"""Background jobs of accounts."""

from datetime import timedelta

from sqlalchemy import delete

from app.basics.clock import get_utc_now
from app.server.accounts.models import KnownDevice, SignInAttempt, SpentSignIn, UserSession
from app.server.accounts.rules import FAILURES_EXPIRE_AFTER
from app.server.actor import GATEKEEPER_ACTOR, build_worker_actor
from app.server.database.pools import HasDatabase
from app.server.jobs.tasks import Periodic, Task

_RETENTION = timedelta(days=1)
_SWEEPER = build_worker_actor("forget old sign-ins")


async def delete_old_sign_ins(portal: HasDatabase) -> None:
    """Delete expired sessions with their tokens, expired failures and old spent sign-ins."""
    now = get_utc_now()
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        await transaction.session.execute(
            delete(UserSession).where(UserSession.expires_at < now - _RETENTION)
        )
        await transaction.session.execute(delete(KnownDevice).where(KnownDevice.expires_at < now))
        await transaction.session.execute(
            delete(SignInAttempt).where(SignInAttempt.last_failure_at < now - FAILURES_EXPIRE_AFTER)
        )
    async with portal.database.transaction(_SWEEPER) as transaction:
        await transaction.session.execute(
            delete(SpentSignIn).where(SpentSignIn.spent_at < now - _RETENTION)
        )


PERIODIC = (Periodic(Task("accounts.forget_old_sign_ins", delete_old_sign_ins)),)
