"""Routes of the operations that families of results share."""

from fastapi import APIRouter, Response

from app.basics.errors import StaleVersion
from app.server.access.policy import allow
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.rules import RESULT_RELEASERS
from app.server.results.entry import family as operations
from app.server.results.entry.family import Answer, Family, Record
from app.server.results.entry.schemas import (
    HoldRequest,
    LiftRequest,
    RestoreRequest,
    WithholdRequest,
)


def add_routes(
    router: APIRouter, prefix: str, family: Family[Record, Answer], answer: type[Answer]
) -> None:
    """Add the routes that withhold results of the family, show them again, and hold its tests."""

    @router.post(f"/{prefix}-withhold", response_model=answer)
    @allow(RESULT_RELEASERS, errors=(StaleVersion,))
    async def withhold_results(
        order_id: int, body: WithholdRequest, work: InWork, response: Response
    ) -> Answer:
        """Put released results under review, or withdraw them."""
        return set_etag(response, await operations.withhold_results(work, order_id, body, family))

    @router.post(f"/{prefix}-restore", response_model=answer)
    @allow(RESULT_RELEASERS, errors=(StaleVersion,))
    async def restore_results(
        order_id: int, body: RestoreRequest, work: InWork, response: Response
    ) -> Answer:
        """End the review of results."""
        return set_etag(response, await operations.restore_results(work, order_id, body, family))

    @router.post(f"/{prefix}-holds", response_model=answer)
    @allow(RESULT_RELEASERS, errors=(StaleVersion,))
    async def place_holds(
        order_id: int, body: HoldRequest, work: InWork, response: Response
    ) -> Answer:
        """Hold tests, so that their results cannot be released."""
        return set_etag(response, await operations.place_holds(work, order_id, body, family))

    @router.post(f"/{prefix}-holds/{{hold_id}}/lift", response_model=answer)
    @allow(RESULT_RELEASERS, errors=(StaleVersion,))
    async def lift_hold(
        order_id: int, hold_id: int, body: LiftRequest, work: InWork, response: Response
    ) -> Answer:
        """Lift a hold."""
        entry = await operations.lift_hold_of_order(work, order_id, hold_id, body, family)
        return set_etag(response, entry)
