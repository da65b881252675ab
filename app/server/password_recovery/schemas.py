"""HTTP shapes of recovering a password (P 7)."""

from pydantic import Field

from app.server.access.schemas import Shape


class ForgottenPassword(Shape):
    """POST /auth/user/forgot-password.

    ``send_forgot_password_email`` has no effect: only the owner of the address may get the link, so
    it is always mailed.
    """

    login_id: str = Field(max_length=320)
    application_id: str | None = Field(default=None, max_length=100)
    send_forgot_password_email: bool = True


class NewPassword(Shape):
    """POST /auth/user/reset-password; ``change_password_id`` is the secret of the link."""

    change_password_id: str = Field(max_length=200)
    password: str = Field(max_length=1_000)
