"""Imports people from a CSV file: a preview, then a transaction per person (ADR 60)."""

import asyncio
from collections.abc import Sequence
from uuid import NAMESPACE_OID, uuid5

from fastapi import Request, Response

from app.basics.base64_text import decode_base64, strip_data_url
from app.basics.errors import FieldError, PortalError, require_allowed
from app.contract import messages
from app.contract.limits import USER_IMPORT_MAX_BYTES, USER_IMPORT_PART_ROWS
from app.server.access.denials import audit_denial, is_denial
from app.server.access.idempotency import (
    AlreadyAnswered,
    claim_key,
    load_stored_answer,
    store_answer,
)
from app.server.access.quotas import USER_EMAIL, QuotaUse
from app.server.access.work import Work, open_work
from app.server.fair_queue import FairQueue
from app.server.users import import_rules, rules
from app.server.users.errors import ImportUnreadable
from app.server.users.import_rules import ImportRow
from app.server.users.repository import UserRepository
from app.server.users.schemas import UserImport, UserImportRow, UserImportWrite
from app.server.users.service.save import insert_user, require_mail, require_valid

_QUEUE = FairQueue(slots=1)
"""Files of 50,000 rows are parsed one at a time, and people take turns."""


async def preview_import(work: Work, body: UserImportWrite) -> UserImport:
    """Return for each row who would be invited, or what is wrong, without changing anything.

    Raises:
        ImportUnreadable, MailNotConfigured.
        QuotaExceeded: the file has e-mails of too many users whom the actor does not see.
    """
    require_allowed(rules.judge_administering(work.actor))
    async with _QUEUE.join(work.actor.user_text):
        rows = await asyncio.to_thread(lambda: import_rules.parse_people(_decode_file(body)))
    rows = await _check_rows(work, rows, "preview-import")
    users = work.build_repository(UserRepository)
    used_emails = await users.list_used_emails([row.values.email for row in rows])
    use = QuotaUse(USER_EMAIL, work.actor.user_text, address=None)
    for _ in range(await users.count_hidden_emails(used_emails)):
        await use.spend(work.portal.database, work.actor)
    rows = await asyncio.to_thread(import_rules.check_emails, rows, frozenset(used_emails))
    return _build_answer(rows, None)


async def import_people(request: Request, body: UserImportWrite) -> UserImport:
    """Create and invite the people of a part of the file; rows with errors are skipped.

    Each person is a separate transaction, so a row that became invalid meanwhile stops nobody else.
    With an idempotency key, a repeated request creates only the people that are still missing.

    Raises:
        ImportUnreadable, MailNotConfigured.
    """
    async with open_work(request) as work:
        require_allowed(rules.judge_administering(work.actor))
        async with _QUEUE.join(work.actor.user_text):
            rows, next_row = await asyncio.to_thread(
                lambda: import_rules.parse_part(_decode_file(body), body.first_row)
            )
        rows = await _check_rows(work, rows, "import")
    rows = [row if row.errors else await _invite_person(request, row) for row in rows]
    return _build_answer(rows, next_row)


async def _check_rows(work: Work, rows: Sequence[ImportRow], action: str) -> list[ImportRow]:
    require_mail(work)
    users = work.build_repository(UserRepository)
    known_codes = {
        kind: await users.load_by_codes(kind, codes) if codes else {}
        for kind, codes in import_rules.list_codes(rows).items()
    }
    patient_ids = [id_ for id_, _ in known_codes["patients"].values()]
    await work.audit(action, "user", [], {"rows": len(rows), "patients": patient_ids})
    roles = rules.list_assignable_roles(work.actor)
    return await asyncio.to_thread(import_rules.check_rows, rows, roles, known_codes)


async def _invite_person(request: Request, row: ImportRow) -> ImportRow:
    """Create a user with an invitation, and return the row with the error, if any."""
    import_key = request.headers.get("idempotency-key")
    key = str(uuid5(NAMESPACE_OID, f"{import_key} {row.number}")) if import_key else None
    try:
        async with open_work(request) as work:
            await _create_once(work, request, row, key)
    except PortalError as error:
        if is_denial(error):
            await audit_denial(request, request.state.actor, error)
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


def _decode_file(body: UserImportWrite) -> bytes:
    try:
        content = decode_base64(strip_data_url(body.content), USER_IMPORT_MAX_BYTES)
    except ValueError as error:
        raise _build_error(messages.USER_IMPORT_NO_CSV) from error
    if content is None:
        raise _build_error(messages.USER_IMPORT_TOO_LARGE)
    return content


def _build_error(message: str) -> ImportUnreadable:
    return ImportUnreadable.of(FieldError("content", message))


def _build_answer(rows: Sequence[ImportRow], next_row: int | None) -> UserImport:
    valid_rows = [row for row in rows if not row.errors]
    invalid_rows = [row for row in rows if row.errors]
    shown_rows = rows
    if len(rows) > USER_IMPORT_PART_ROWS:
        shown_rows = [*invalid_rows, *valid_rows][:USER_IMPORT_PART_ROWS]
    return UserImport(
        accepted=len(valid_rows),
        rejected=len(invalid_rows),
        next_row=next_row,
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
            for row in shown_rows
        ],
    )
