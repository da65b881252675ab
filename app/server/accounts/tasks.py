"""The slice's background work, as workers know it."""

from datetime import timedelta

from sqlalchemy import delete

from app.basics.clock import utc_now
from app.server.accounts.models import SignInAttempt, SpentSignIn, UserSession
from app.server.accounts.rules import FORGET_AFTER
from app.server.actor import GATEKEEPER_ACTOR, worker
from app.server.database.pools import HasDatabase
from app.server.jobs.tasks import Periodic, Task

_KEPT = timedelta(days=1)
_SWEEPER = worker("forget old sign-ins")


async def forget_old(portal: HasDatabase) -> None:
    """Delete what decides nothing any more: sessions that are over with their refresh tokens,
    failures that no longer count, and the marks of sign-ins too old to sign anything."""
    now = utc_now()
    async with portal.database.transaction(GATEKEEPER_ACTOR) as session:
        await session.execute(delete(UserSession).where(UserSession.expires_at < now - _KEPT))
        await session.execute(
            delete(SignInAttempt).where(SignInAttempt.last_failure_at < now - FORGET_AFTER)
        )
    async with portal.database.transaction(_SWEEPER) as session:
        await session.execute(delete(SpentSignIn).where(SpentSignIn.spent_at < now - _KEPT))


PERIODIC = (Periodic(Task("accounts.forget_old_sign_ins", forget_old)),)
