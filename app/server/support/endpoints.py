"""/api/system/contacts and /supplies, and the test of the lab's senders (P 7)."""

from functools import partial
from typing import Annotated

from fastapi import Query, Request

from app.basics.errors import NotConfigured
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, open_work
from app.server.lab_settings.rules import SETTINGS_CHANGERS, SETTINGS_READERS
from app.server.support.rules import SUPPLY_REQUESTERS, WRITERS
from app.server.support.schemas import (
    ContactWrite,
    SendingRead,
    SupplyCategoryShape,
    SupplyRequestWrite,
    SupportRequestRead,
    TestSending,
    TestSent,
)
from app.server.support.service import try_senders, write
from app.server.transmissions.senders.choose import Senders

router = build_router("/api/system", "support")
settings_router = build_router("/api/settings", "support")

_Value = Annotated[str | None, Query(max_length=20_000)]


@router.post("/contacts/email")
@allow(WRITERS, errors=(NotConfigured,))
async def write_message(
    work: InWork,
    body: ContactWrite | None = None,
    name: _Value = None,
    email: _Value = None,
    phone: _Value = None,
    message: _Value = None,
) -> bool:
    """Write a message to the lab, in the body or in the query."""
    values = ContactWrite(name=name, email=email, phone=phone, message=message)
    return await write.write_message(work, body or values)


@router.post("/supplies/email")
@allow(SUPPLY_REQUESTERS, errors=(NotConfigured,))
async def request_supplies(body: SupplyRequestWrite, work: InWork) -> bool:
    """Ask the lab for supplies."""
    return await write.request_supplies(work, body)


@router.get("/support-requests")
@allow(ALL_ROLES)
async def list_requests(work: InWork) -> list[SupportRequestRead]:
    """The caller's newest requests, and the states of their e-mails."""
    return await write.list_own_requests(work)


@settings_router.get("/supply-categories")
@allow(ALL_ROLES)
async def list_supply_categories(work: InWork) -> list[SupplyCategoryShape]:
    """The supplies to ask for, by category."""
    return await write.list_supplies(work)


@router.get("/lab-settings/sending")
@allow(SETTINGS_READERS, transaction=False)
async def read_sending(request: Request) -> SendingRead:
    """How the lab sends e-mails and faxes."""
    portal = request.app.state.portal
    return try_senders.describe_sending(portal.settings, portal.get_part(Senders))


@router.post("/lab-settings/test-sending")
@allow(SETTINGS_CHANGERS, transaction=False, errors=(NotConfigured,))
async def send_test(request: Request, body: TestSending) -> TestSent:
    """Send a test e-mail or fax."""
    return await try_senders.send_test(partial(open_work, request), body)
