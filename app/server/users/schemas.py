"""HTTP shapes of users (P 3, P 7)."""

from datetime import date, datetime
from uuid import UUID

from pydantic import Field

from app.contract.enumerations import Role
from app.contract.limits import BULK_IDS_MAX
from app.server.access.schemas import Permission, RecordId, Shape, Text, WireDate


class Application(Shape):
    """The product's application: roles to filter the list by, and those the user may give."""

    roles: list[Role]
    given_roles: list[Role]


class UserData(Shape):
    """The ids of the clients, patients and physicians that a user acts for."""

    clients: list[RecordId] | None = Field(default=None, max_length=BULK_IDS_MAX)
    patients: list[RecordId] | None = Field(default=None, max_length=BULK_IDS_MAX)
    physicians: list[RecordId] | None = Field(default=None, max_length=BULK_IDS_MAX)


class RegistrationWrite(Shape):
    """A registration as sent; its first role is used if ``role`` of the user is absent."""

    application_id: Text = None
    roles: list[str] | None = Field(default=None, max_length=20)
    username: Text = None
    timezone: Text = None


class UserWrite(Shape):
    """A user as sent, with its registration; absent fields stay unchanged."""

    email: Text = None
    last_name: Text = None
    first_name: Text = None
    active: bool | None = None
    role: Text = None
    data: UserData | None = None
    registration: RegistrationWrite | None = None


class RegistrationRead(Shape):
    """A user's roles in an application."""

    application_id: str
    roles: list[Role]


class AssignedIds(Shape):
    """The ids of the clients, physicians, and patients that a user acts for."""

    clients: list[int]
    patients: list[int]
    physicians: list[int]


class AssignedClient(Shape):
    """A client of a user; a client that the administrator does not manage is locked."""

    id: int
    code: str
    name: str
    is_locked: bool


class AssignedPhysician(Shape):
    """A physician of a user."""

    id: int
    npi: str
    last_name: str
    first_name: str
    is_locked: bool


class AssignedPatient(Shape):
    """A patient of a user; one of another client is locked, and has no name."""

    id: int
    code: str | None = None
    last_name: str | None = None
    first_name: str | None = None
    birth_date: date | None = None
    is_locked: bool


class UserRead(Shape):
    """A user, with what the signed-in administrator may do."""

    id: UUID
    version: int
    email: str
    username: str
    last_name: str
    first_name: str
    active: bool
    role: Role
    registrations: list[RegistrationRead]
    data: AssignedIds
    last_login_instant: datetime | None
    clients: list[AssignedClient]
    physicians: list[AssignedPhysician]
    patients: list[AssignedPatient]
    can_change: Permission
    can_change_access: Permission
    can_change_role: Permission
    can_change_email: Permission
    can_delete: Permission
    can_invite: Permission


class UserImportWrite(Shape):
    """A CSV file of people; ``content`` is base64 or a data URL.

    ``firstRow`` is where an import begins, as the spreadsheet numbers the rows. Each call imports
    one part of a long file, and answers where the next begins.
    """

    content: str
    first_row: int = Field(2, ge=2)


class UserImportRow(Shape):
    """A row of the file, as its spreadsheet numbers it; without errors, the person is invited.

    ``assigned`` has the names of the clients, physicians or patients that the codes stand for.
    """

    number: int
    email: str
    last_name: str
    first_name: str
    role: str
    assigned: list[str]
    errors: list[str]


class UserImport(Shape):
    """The rows of a file of people, or of a part of it.

    ``accepted`` is the number of rows without errors, ``rejected`` that of the others. ``rows`` has
    at most 1,000 of them, those with errors first if there are more. ``nextRow`` is where the next
    part of an import begins; null after the last.
    """

    accepted: int
    rejected: int
    rows: list[UserImportRow]
    next_row: int | None


class SignUp(Shape):
    """A patient who signs up; ``code`` is the lab patient id."""

    last_name: Text = None
    first_name: Text = None
    birth_date: WireDate = None
    code: Text = None
    email: Text = None
    registration: RegistrationWrite | None = None


class SignedUp(Shape):
    """The address to which the invitation of a patient who signed up is sent."""

    email: str
