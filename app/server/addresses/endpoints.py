"""/api/v2/address (O 7)."""

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.access.work import InWork
from app.server.addresses.service import ZipCodeShape, zip_code

router = portal_router("/api/v2/address", "addresses")


@router.get("/zip-code")
@allow(ALL_ROLES)
async def find_zip_code(work: InWork, code: str = "") -> ZipCodeShape | None:
    """The place of a ZIP code; null when there is none."""
    found = await zip_code(work.session, code.strip()[:5])
    return ZipCodeShape.model_validate(found) if found else None
