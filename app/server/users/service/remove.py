"""Deletes users, and invites them again."""

from uuid import UUID

from app.basics.errors import require_allowed
from app.server.access.work import Work
from app.server.users import rules
from app.server.users.repository import UserRepository
from app.server.users.schemas import UserRead
from app.server.users.service.read import build_read, build_state, get_entry
from app.server.users.service.save import require_mail


async def delete_user(work: Work, user_id: UUID) -> None:
    """Delete a user: the sign-ins end immediately, and the history keeps the name.

    Raises:
        NotFound, StaleVersion, UserOutOfReach.
    """
    entry = await get_entry(work, user_id, lock=True)
    require_allowed(rules.judge_deletion(work.actor, build_state(work, entry)))
    await work.build_repository(UserRepository).delete_user(user_id)
    await work.audit("delete", "user", [], {"user": str(user_id)})


async def invite_user(work: Work, user_id: UUID) -> UserRead:
    """Send a user a new link to choose a password; earlier links end.

    Raises:
        NotFound, StaleVersion, UserOutOfReach, MailNotConfigured.
    """
    entry = await get_entry(work, user_id, lock=True)
    require_allowed(rules.judge_invitation(work.actor, build_state(work, entry)))
    require_mail(work)
    await work.build_repository(UserRepository).invite_user(user_id)
    await work.audit("invite", "user", [], {"user": str(user_id)})
    return await build_read(work, entry)


async def is_email_in_use(work: Work, email: str) -> bool:
    """Whether a user has this e-mail address."""
    address = rules.normalize_email(email)
    await work.audit("check-email", "user", [])
    return bool(address) and await work.build_repository(UserRepository).is_email_in_use(address)
