"""/api/system/operations: the state of the portal, for its operators."""

from app.server.access.policy import allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.operations import service
from app.server.operations.rules import OPERATORS
from app.server.operations.schemas import OperationsRead

router = build_router("/api/system/operations", "operations")


@router.get("")
@allow(OPERATORS)
async def read_operations(work: InWork) -> OperationsRead:
    """Version, database, jobs, deliveries, backup, and audit seals."""
    return await service.read_operations(work)


@router.post("/jobs/{job_id}/retry", status_code=204)
@allow(OPERATORS)
async def retry_job(job_id: int, work: InWork) -> None:
    """Retry a failed job now."""
    await service.retry_job(work, job_id)


@router.post("/jobs/{job_id}/give-up", status_code=204)
@allow(OPERATORS)
async def give_up_job(job_id: int, work: InWork) -> None:
    """Delete a failed or waiting job."""
    await service.give_up_job(work, job_id)
