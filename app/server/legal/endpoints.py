"""/api/system/legal: the notice of privacy practices and the terms (P 2)."""

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.legal import service
from app.server.legal.rules import ACCEPTERS
from app.server.legal.schemas import AcceptanceWrite, LegalRead

router = build_router("/api/system/legal", "legal")


@router.get("")
@allow(ALL_ROLES)
async def read_documents(work: InWork) -> LegalRead:
    """The versions in force, and whether the caller has accepted them."""
    return await service.read_documents(work)


@router.post("/acceptances")
@allow(ACCEPTERS)
async def accept_documents(body: AcceptanceWrite, work: InWork) -> LegalRead:
    """Accept the versions that were shown."""
    return await service.accept_documents(work, body)
