"""HTTP shapes of sign-in and profile (P 3)."""

from datetime import datetime

from pydantic import Field

from app.contract.enumerations import Role
from app.contract.limits import SECOND_FACTOR_CODE_MAX
from app.server.access.schemas import Shape


class StorageKey(Shape):
    """A key for the browser's storage: base64 of 32 bytes."""

    key: str


class SignIn(Shape):
    """POST /auth/login; ``code`` comes from the authenticator app, or is a recovery code."""

    login_id: str = Field(max_length=320)
    password: str = Field(max_length=1_000)
    application_id: str | None = None
    code: str | None = Field(default=None, max_length=SECOND_FACTOR_CODE_MAX)


class Refresh(Shape):
    """POST /auth/jwt/refresh; without a token in the body the cookie is used."""

    refresh_token: str | None = Field(default=None, max_length=200)


class RegistrationShape(Shape):
    """A user's roles in an application."""

    application_id: str
    roles: list[Role]


class ProfileData(Shape):
    """A profile's data besides names; ``sign_image`` is a data URL."""

    sign_image: str | None
    clients: list[int]
    patients: list[int]
    physicians: list[int]


class Profile(Shape):
    """The profile of the signed-in user."""

    id: str
    email: str
    first_name: str
    last_name: str
    username: str
    image_url: str
    role: Role
    registrations: list[RegistrationShape]
    data: ProfileData
    has_second_factor: bool = False
    must_set_up_second_factor: bool = False
    """The lab requires a second factor, and nothing else works until it is on."""


class SignedIn(Shape):
    """The answer to sign-in and refresh."""

    token: str
    refresh_token: str | None = None
    user: Profile


class ProfileAnswer(Shape):
    """The profile as an object with the key ``user``."""

    user: Profile


class PasswordChange(Shape):
    """POST /auth/user/change-password; ``login_id`` is the user's own."""

    login_id: str = Field(max_length=320)
    current_password: str = Field(max_length=1_000)
    password: str = Field(max_length=1_000)


class ProfileDataChange(Shape):
    """The changeable part of ``data``."""

    sign_image: str | None = None


class UserChange(Shape):
    """The changes that users may make to their own account; other fields are ignored."""

    first_name: str | None = Field(default=None, max_length=100)
    last_name: str | None = Field(default=None, max_length=100)
    data: ProfileDataChange | None = None


class ProfileChange(Shape):
    """PUT /auth/user/{id}."""

    user: UserChange


class OpenSession(Shape):
    """An open session of the caller.

    Attributes:
        device: the browser and the system, as the browser describes itself.
        address: the network address of the sign-in.
    """

    id: str
    device: str
    address: str
    signed_in_at: datetime
    last_used_at: datetime
    is_current: bool


class SecondFactorState(Shape):
    """GET /auth/second-factor."""

    is_on: bool
    is_required: bool
    recovery_codes_left: int


class OwnPasswordOnly(Shape):
    """The user's own password, entered again."""

    password: str = Field(max_length=1_000)


class OwnCode(Shape):
    """A code from the user's authenticator app."""

    code: str = Field(max_length=SECOND_FACTOR_CODE_MAX)


class BothFactors(OwnPasswordOnly, OwnCode):
    """The user's own password, and a code from the app or a recovery code."""


class SecondFactorSetup(Shape):
    """A secret for an authenticator app.

    Attributes:
        key: the secret as text.
        picture: the secret as a QR code.
    """

    key: str
    picture: str


class RecoveryCodes(Shape):
    """Codes that replace the app, each once; only this answer has them."""

    codes: list[str]
