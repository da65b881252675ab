"""/api/v2/autoverification: rules that release results automatically (ADR 50)."""

from functools import partial

from fastapi import Request, Response

from app.basics.errors import Conflict, NotFound, StaleVersion
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.work import InWork, open_work, set_etag
from app.server.lists.document import document_page
from app.server.lists.service import answer_page
from app.server.results.automation import lists
from app.server.results.automation.rules import CHANGERS, TRIERS
from app.server.results.automation.schemas import (
    AutoverificationSettings,
    LimitsWrite,
    RuleRead,
    SwitchWrite,
    TrialRead,
    TrialRequest,
)
from app.server.results.automation.service import change, try_out

router = build_router("/api/v2", "autoverification")


@router.get("/public-settings/autoverification")
@allow(ALL_ROLES)
async def read_autoverification_settings(work: InWork) -> AutoverificationSettings:
    """Whether results are released automatically."""
    return await change.read_settings(work)


@router.get("/autoverification/remote-operations", **document_page(lists.autoverification_rules))
@allow(TRIERS, transaction=False)
async def list_rules(request: Request) -> Response:
    """The rules of autoverification."""
    return await answer_page(request, lists.autoverification_rules)


@router.get("/autoverification/rules/{test_id}")
@allow(TRIERS)
async def read_rule(test_id: int, work: InWork, response: Response) -> RuleRead:
    """The rule of a test."""
    return set_etag(response, await change.read_rule(work, test_id))


@router.put("/autoverification/rules/{test_id}")
@allow(CHANGERS, errors=(StaleVersion,))
async def change_limits(
    test_id: int, body: LimitsWrite, work: InWork, response: Response
) -> RuleRead:
    """Create the rule of a test, or change its limits; a change switches the rule off."""
    return set_etag(response, await change.change_limits(work, test_id, body))


@router.post("/autoverification/rules/{test_id}/switch")
@allow(CHANGERS, errors=(StaleVersion,))
async def switch_rule(
    test_id: int, body: SwitchWrite, work: InWork, response: Response
) -> RuleRead:
    """Switch the rule of a test on or off."""
    return set_etag(response, await change.switch_rule(work, test_id, body))


@router.post("/autoverification/try-out")
@allow(TRIERS, transaction=False, errors=(Conflict, NotFound))
async def try_limits_out(request: Request, body: TrialRequest) -> TrialRead:
    """A trial of limits on past results."""
    return await try_out.try_out(partial(open_work, request), get_reader(request), body)
