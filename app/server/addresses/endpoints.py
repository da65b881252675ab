"""/api/v2/address (O 7)."""

from fastapi import Request

from app.basics.text import to_upper_case
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.addresses.plus4 import AddressService
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.rules import ADDRESS_MAX, get_zip_code, is_zip_code
from app.server.addresses.schemas import ZipCodeShape
from app.server.lists.lookups import allow_parameters

router = build_router("/api/v2/address", "addresses")


@router.get("/zip-code", dependencies=[allow_parameters("code")])
@allow(ALL_ROLES)
async def find_zip_code(work: InWork, code: str = "") -> ZipCodeShape | None:
    """The city and state of a ZIP code ('60601', '60601-1234'); null if it does not exist."""
    digits = get_zip_code(code)
    zip_code = (
        await work.build_repository(ZipCodeRepository).find_zip_code(digits) if digits else None
    )
    return ZipCodeShape.model_validate(zip_code) if zip_code else None


@router.get("/zip-code/{zip_code}/zip-code-extra", dependencies=[allow_parameters("address")])
@allow(ALL_ROLES, transaction=False)
async def find_plus4(zip_code: str, request: Request, address: str = "") -> str:
    """The four-digit extension of an address's ZIP code; empty if unknown."""
    line = (to_upper_case(address) or "")[:ADDRESS_MAX]
    if not line or not is_zip_code(zip_code):
        return ""
    service: AddressService = request.app.state.portal.addresses
    return await service.find_plus4(zip_code, line)
