"""The base of every error the portal answers with (DECISIONS 'Errors').

An error is a noun with a stable ``code``; its HTTP status is set once, on the class. Hosts turn
it into RFC 9457 problem JSON. Neither ``detail`` nor field messages ever carry patient data.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field of the request; ``field`` is the wire name ('tests.0.id')."""

    field: str
    message: str


class PortalError(Exception):
    """Something the caller should hear about, in words meant for a person."""

    status: int = 400
    code: str = "bad_request"

    def __init__(
        self,
        detail: str,
        *,
        errors: tuple[FieldError, ...] = (),
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}

    @classmethod
    def of(cls, *errors: FieldError) -> Self:
        """The error about these fields, at least one.

        The first message stands for all where a screen shows only one (O 8: the two toasts).
        """
        return cls(errors[0].message, errors=errors)

    def problem(self) -> dict[str, object]:
        """The RFC 9457 document: type, title, status, code, detail, errors."""
        return {
            "type": f"urn:portal:problem:{self.code}",
            "title": self.code.replace("_", " ").capitalize(),
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            "errors": [{"field": e.field, "message": e.message} for e in self.errors],
        }


class BadInput(PortalError):
    """400: the request can not be understood or breaks a rule."""

    status, code = 400, "bad_input"


def require_no_errors(errors: Sequence[FieldError]) -> None:
    """Raises BadInput with all of the errors when there are any."""
    if errors:
        raise BadInput.of(*errors)


def require_allowed(refusal: PortalError | None) -> None:
    """Raises what a rule answered, where it did not answer yes (None)."""
    if refusal is not None:
        raise refusal


class Unauthenticated(PortalError):
    """401: no token, or a dead one."""

    status, code = 401, "unauthenticated"


class Forbidden(PortalError):
    """403: this role may never do this."""

    status, code = 403, "forbidden"


class NotFound(PortalError):
    """404: it does not exist, or it is not yours; the two answers are byte-identical."""

    status, code = 404, "not_found"


class Conflict(PortalError):
    """409: the record's state does not allow this."""

    status, code = 409, "conflict"


class StaleVersion(PortalError):
    """412: somebody saved a newer version first."""

    status, code = 412, "stale_version"


class TooLarge(PortalError):
    """413: more bytes than the limit."""

    status, code = 413, "too_large"


class WrongKind(PortalError):
    """415: the content is of a kind not taken here."""

    status, code = 415, "wrong_kind"


class NotConfigured(PortalError):
    """424: a part the lab has not configured."""

    status, code = 424, "not_configured"


class TooManyTries(PortalError):
    """429: slow down."""

    status, code = 429, "too_many_tries"


class Unavailable(PortalError):
    """503: try again later."""

    status, code = 503, "unavailable"
