"""Clients with their units and rooms, and physicians."""

from app.basics.errors import FieldError
from app.basics.opening_hours import parse_hours
from app.contract import messages
from app.contract.enumerations import BillTo
from app.server.clients.models import Client, Room, Unit
from app.server.critical_results.models import CriticalContact
from app.server.lab_data.kind import BENCH, DataKind, Field, Links, Values
from app.server.lab_data.kinds.fields import (
    ADDRESS,
    FAX,
    PHONE,
    ZIP_CODE,
    build_code,
    build_email,
    build_flag,
    build_name,
    build_position,
)
from app.server.physicians.models import Physician
from app.server.physicians.rules import is_valid_npi

_GROUP = "Clients and physicians"
_CLIENT = Field("client_id", "Client", "lookup", required=True, lookup="clients", fixed=True)
_BILL_TO = {
    "Insurance": BillTo.INSURANCE.value,
    "Client": BillTo.CLIENT.value,
    "Patient": BillTo.PATIENT.value,
}


def _validate_room(values: Values) -> list[FieldError]:
    unit = values["unit"]
    if isinstance(unit, str) and not unit.startswith(f"{values['client']} / "):
        return [FieldError("unit", messages.ROOM_OF_OTHER_UNIT)]
    return []


def _check_npi(npi: str) -> str | None:
    return None if is_valid_npi(npi) else messages.NPI_INVALID


def _check_hours(text: str) -> str | None:
    return None if parse_hours(text) else messages.CONTACT_HOURS_INVALID


KINDS = (
    DataKind(
        key="clients",
        title="Clients",
        singular="Client",
        group=_GROUP,
        model=Client,
        fields=(
            build_code(),
            build_name(upper=True),
            ADDRESS,
            ZIP_CODE,
            Field("zip_code_plus4", "Zip Code +4", max_length=4, in_grid=False),
            PHONE,
            FAX,
            build_email("notice_email", "Email for notices"),
            build_flag("web_access", "Web access", default=True),
            Field("default_bill_to", "Default bill to", "choice", choices=_BILL_TO),
            build_flag("requires_physician", "Needs a physician", in_grid=False),
            Field(
                "physicians",
                "Physicians",
                "links",
                lookup="physicians",
                links=Links("client_physicians", "client_id", "physician_id"),
                in_grid=False,
            ),
            Field(
                "tests",
                "Test list",
                "links",
                lookup="lab-tests",
                links=Links("client_tests", "client_id", "test_id"),
                in_grid=False,
            ),
        ),
        identity=("code",),
        children=("units", "rooms", "critical-contacts"),
        active="",
    ),
    DataKind(
        key="units",
        title="Units",
        singular="Unit",
        group=_GROUP,
        model=Unit,
        fields=(_CLIENT, build_name(upper=True)),
        identity=("client", "name"),
        parent="client",
    ),
    DataKind(
        key="rooms",
        title="Rooms",
        singular="Room",
        group=_GROUP,
        model=Room,
        fields=(
            _CLIENT,
            Field("unit_id", "Unit", "lookup", lookup="units"),
            build_name(upper=True),
        ),
        identity=("client", "unit", "name"),
        parent="client",
        validate=_validate_room,
    ),
    DataKind(
        key="critical-contacts",
        title="Critical Contacts",
        singular="Critical Contact",
        group=_GROUP,
        model=CriticalContact,
        fields=(
            _CLIENT,
            # A notice starts at level 0, and alerts the contacts after its level.
            build_position(smallest=1),
            build_name(),
            Field("duty", "Duty"),
            PHONE,
            build_email("email", "Email"),
            Field("hours", "Hours", check=_check_hours),
        ),
        identity=("client", "position"),
        editors=BENCH,
        parent="client",
    ),
    DataKind(
        key="physicians",
        title="Physicians",
        singular="Physician",
        group=_GROUP,
        model=Physician,
        fields=(
            Field("npi", "NPI", required=True, max_length=10, check=_check_npi),
            Field("last_name", "Last Name", required=True, upper=True),
            Field("first_name", "First Name", required=True, upper=True),
            ADDRESS,
            ZIP_CODE,
            PHONE,
            FAX,
            Field(
                "clients",
                "Clients",
                "links",
                lookup="clients",
                links=Links("client_physicians", "physician_id", "client_id"),
            ),
        ),
        identity=("npi",),
        active="",
    ),
)
