"""Imports people from a CSV file: a preview, and then a transaction for each person (ADR 60)."""

from collections.abc import Sequence
from uuid import NAMESPACE_OID, uuid5

from fastapi import Request, Response

from app.basics.base64_text import decode_base64, strip_data_url
from app.basics.errors import FieldError, PortalError, require_allowed
from app.contract import messages
from app.contract.limits import USER_IMPORT_MAX_BYTES
from app.server.access.idempotency import (
    AlreadyAnswered,
    claim_key,
    load_stored_answer,
    store_answer,
)
from app.server.access.quotas import USER_EMAIL, QuotaUse
from app.server.access.refusals import audit_refusal, is_refusal
from app.server.access.work import Work, open_work
from app.server.users import import_rules, rules
from app.server.users.errors import ImportUnreadable
from app.server.users.import_rules import ImportRow
from app.server.users.repository import UserRepository
from app.server.users.schemas import UserImport, UserImportRow, UserImportWrite
from app.server.users.service.save import insert_user, require_mail, require_valid


async def preview_import(work: Work, body: UserImportWrite) -> UserImport:
    """Answer for each row who would be invited, or what is wrong; nothing changes.

    Raises:
        ImportUnreadable, MailNotConfigured.
        QuotaExceeded: the file asks for too many users whom the actor does not see.
    """
    rows = await _load_rows(work, body, "preview-import")
    users = work.build_repository(UserRepository)
    used = await users.list_used_emails([row.values.email for row in rows])
    use = QuotaUse(USER_EMAIL, work.actor.user_text, address=None)
    for _ in range(await users.count_hidden_emails(used)):
        await use.spend(work.portal.database, work.actor)
    return _build_answer(import_rules.check_emails(rows, used))


async def import_people(request: Request, body: UserImportWrite) -> UserImport:
    """Create and invite the people of the rows without errors; the answer has what is wrong.

    Each person is a separate transaction, so a row that became invalid meanwhile stops nobody else.
    With an idempotency key, a repetition creates only people that the first try did not.

    Raises:
        ImportUnreadable, MailNotConfigured.
    """
    async with open_work(request) as work:
        rows = await _load_rows(work, body, "import")
    return _build_answer(
        [row if row.errors else await _invite_person(request, row) for row in rows]
    )


async def _load_rows(work: Work, body: UserImportWrite, action: str) -> list[ImportRow]:
    require_allowed(rules.judge_administering(work.actor))
    rows = import_rules.parse_people(_decode_file(body.content))
    require_mail(work)
    users = work.build_repository(UserRepository)
    known = {
        kind: await users.load_by_codes(kind, codes) if codes else {}
        for kind, codes in import_rules.list_codes(rows).items()
    }
    shown = [id_ for id_, _ in known["patients"].values()]
    await work.audit(action, "user", [], {"rows": len(rows), "patients": shown})
    return import_rules.check_rows(rows, rules.list_assignable_roles(work.actor), known)


async def _invite_person(request: Request, row: ImportRow) -> ImportRow:
    """Create a user with an invitation, and return the row with the error, if any."""
    sent = request.headers.get("idempotency-key")
    key = str(uuid5(NAMESPACE_OID, f"{sent} {row.number}")) if sent else None
    try:
        async with open_work(request) as work:
            await _create_once(work, request, row, key)
    except PortalError as error:
        if is_refusal(error):
            await audit_refusal(request, request.state.actor, error)
        texts = [field_error.message for field_error in error.errors] or [error.detail]
        return import_rules.add_errors(row, *texts)
    return row


async def _create_once(work: Work, request: Request, row: ImportRow, key: str | None) -> None:
    if key is not None:
        await claim_key(work, request, key)
    try:
        await require_valid(work, row.values)
        await insert_user(work, row.values)
    except AlreadyAnswered:
        assert key is not None
        # Fails if the key belongs to an earlier request for another file or person.
        await load_stored_answer(work, request, key)
    else:
        if key is not None:
            store_answer(work, key, Response(status_code=201))


def _decode_file(text: str) -> bytes:
    try:
        content = decode_base64(strip_data_url(text), USER_IMPORT_MAX_BYTES)
    except ValueError as error:
        raise _build_error(messages.USER_IMPORT_NO_CSV) from error
    if content is None:
        raise _build_error(messages.USER_IMPORT_TOO_LARGE)
    return content


def _build_error(message: str) -> ImportUnreadable:
    return ImportUnreadable.of(FieldError("content", message))


def _build_answer(rows: Sequence[ImportRow]) -> UserImport:
    return UserImport(
        accepted=sum(not row.errors for row in rows),
        rows=[
            UserImportRow(
                number=row.number,
                email=row.values.email,
                last_name=row.values.last_name,
                first_name=row.values.first_name,
                role=row.values.role,
                assigned=list(row.names),
                errors=list(row.errors),
            )
            for row in rows
        ],
    )
