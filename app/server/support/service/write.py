"""Accepts messages and supply requests; the worker sends them."""

from uuid import uuid4

from app.basics.clock import get_utc_now
from app.basics.errors import (
    BadInput,
    FieldError,
    NotConfigured,
    require_allowed,
    require_no_errors,
)
from app.basics.text import clean_text, mask_phone, to_upper_case
from app.contract import messages
from app.server.access.work import Work
from app.server.drawing_pool import DrawingPool
from app.server.lab_settings.fields import SUPPORT_SETTING
from app.server.lab_settings.repository import SettingRepository
from app.server.rich_text import sanitize_in_turn
from app.server.support import rules
from app.server.support.errors import ContactNotConfigured, SuppliesNotConfigured
from app.server.support.models import Supply, SupportRequest
from app.server.support.repository import SupportRepository
from app.server.support.rules import RequestKind, Wish
from app.server.support.schemas import (
    ContactWrite,
    SupplyCategoryShape,
    SupplyRequestWrite,
    SupplyShape,
    SupportRequestRead,
)
from app.server.transmissions.senders.choose import Senders

ADDRESS_KEYS = {RequestKind.CONTACT: "contactEmail", RequestKind.SUPPLY: "supplyEmail"}


async def list_supplies(work: Work) -> list[SupplyCategoryShape]:
    """Return the supplies that clients may ask for, by category."""
    repository = work.build_repository(SupportRepository)
    supplies: dict[int, list[SupplyShape]] = {}
    for supply in await repository.list_supplies():
        supplies.setdefault(supply.category_id, []).append(SupplyShape.model_validate(supply))
    return [
        SupplyCategoryShape(
            id=category.id, name=category.name, supplies=supplies.get(category.id, [])
        )
        for category in await repository.list_categories()
    ]


async def write_message(work: Work, body: ContactWrite) -> bool:
    """Accept a message to the lab.

    Raises:
        BadInput: a field is missing or invalid.
        ContactNotConfigured: the lab has no mail server, or no address for messages.
    """
    require_allowed(rules.judge_writing(work.actor))
    message = clean_text(body.message)
    require_no_errors(_validate_request(body, message))
    await _require_address(
        work,
        RequestKind.CONTACT,
        ContactNotConfigured(messages.CONTACT_NOT_CONFIGURED),
    )
    await _add_request(work, RequestKind.CONTACT, body, message or "")
    return True


async def request_supplies(work: Work, body: SupplyRequestWrite) -> bool:
    """Accept a supply request; supplies without a quantity and a unit are left out.

    Raises:
        BadInput: a field is missing or invalid, or the client is out of scope.
        SuppliesNotConfigured: the lab has no mail server, or no address for supply requests.
    """
    require_allowed(rules.judge_requesting_supplies(work.actor))
    # Before the first statement, because a transaction should not wait for sanitizing.
    drawing_pool = work.portal.get_part(DrawingPool)
    message = await sanitize_in_turn(drawing_pool, work.actor.user_text, body.message)
    errors = _validate_request(body, message)
    client = clean_text(body.client)
    repository = work.build_repository(SupportRepository)
    if client is None:
        errors.append(FieldError("client", messages.SELECTION_REQUIRED.format(label="Client")))
    require_no_errors(errors)
    if client is not None and not await repository.has_client(client):
        raise BadInput.of(FieldError("client", messages.VALUE_INVALID))
    wishes = rules.choose_wishes(
        [
            Wish(supply.id, supply.quantity, supply.config, clean_text(supply.comment))
            for category in body.supplies
            for supply in category.supplies
        ]
    )
    stored_supplies = {
        s.id: s for s in await repository.list_supplies([w.supply_id for w in wishes])
    }
    require_no_errors(rules.validate_wishes(wishes, stored_supplies))
    await _require_address(
        work,
        RequestKind.SUPPLY,
        SuppliesNotConfigured(messages.NOT_CONFIGURED),
    )
    names = {category.id: category.name for category in await repository.list_categories()}
    supplies = [_describe_wish(wish, stored_supplies[wish.supply_id], names) for wish in wishes]
    await _add_request(work, RequestKind.SUPPLY, body, message or "", client, supplies)
    return True


async def list_own_requests(work: Work) -> list[SupportRequestRead]:
    """Return the newest requests of the actor, and the states of their e-mails."""
    rows = await work.build_repository(SupportRepository).list_own_requests()
    return [_describe_request(row) for row in rows]


def _describe_request(row: SupportRequest) -> SupportRequestRead:
    status = rules.find_status(row.sent_at, row.next_try_at)
    return SupportRequestRead(
        id=row.id,
        kind=RequestKind(row.kind),
        created_at=row.created_at,
        status=status,
        sent_at=row.sent_at,
        reason=rules.find_reason(status, row.trouble),
        supplies=len(row.supplies),
    )


def _validate_request(body: ContactWrite, message: str | None) -> list[FieldError]:
    return rules.validate_writer(
        to_upper_case(body.name), clean_text(body.email), clean_text(body.phone), message
    )


def _describe_wish(wish: Wish, supply: Supply, names: dict[int, str]) -> dict[str, object]:
    return {
        "category": names.get(supply.category_id, ""),
        "code": supply.code,
        "name": supply.name,
        "quantity": wish.quantity,
        "unit": wish.unit,
        "comment": wish.comment,
    }


async def _require_address(work: Work, kind: RequestKind, error: NotConfigured) -> None:
    group = await work.build_repository(SettingRepository).load_group(SUPPORT_SETTING)
    if not group.get(ADDRESS_KEYS[kind]) or work.portal.get_part(Senders).email is None:
        raise error


async def _add_request(
    work: Work,
    kind: RequestKind,
    body: ContactWrite,
    message: str,
    client: str | None = None,
    supplies: list[dict[str, object]] | None = None,
) -> None:
    assert work.actor.user_id is not None
    request = SupportRequest(
        key=uuid4(),
        user_id=work.actor.user_id,
        kind=kind,
        name=to_upper_case(body.name),
        email=clean_text(body.email),
        phone=mask_phone(clean_text(body.phone)),
        client=client,
        message=message,
        supplies=supplies or [],
        next_try_at=get_utc_now(),
    )
    await work.build_repository(SupportRepository).insert(request)
    detail = {"kind": kind, "supplies": len(supplies or [])}
    await work.audit("write", "support-request", [request.id], detail)
