"""The base of every error that the portal answers with (DECISIONS 'Errors').

An error has a stable ``code`` and an HTTP status, set on its class. Hosts turn it into RFC 9457
problem JSON. Neither ``detail`` nor field messages ever contain patient data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class FieldError:
    """An error of one field of the request; ``field`` is the wire name ('tests.0.id')."""

    field: str
    message: str


class PortalError(Exception):
    """An error for the caller, with a message for people.

    Attributes:
        reveals_other_records: the answer says something about records that the caller may not see.
        is_audited: the service that raises the error has recorded it in the audit log.
    """

    status: int = 400
    code: str = "bad_request"
    reveals_other_records: bool = False
    is_audited: bool = False

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
        """Build the error of one or more fields.

        Its detail is the first message, for screens that show only one (O 8: the two toasts).
        """
        return cls(errors[0].message, errors=errors)

    def build_problem(self) -> dict[str, object]:
        """Return the RFC 9457 document: type, title, status, code, detail, errors."""
        return {
            "type": f"urn:portal:problem:{self.code}",
            "title": self.code.replace("_", " ").capitalize(),
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            "errors": [{"field": e.field, "message": e.message} for e in self.errors],
        }


class BadInput(PortalError):
    """400: the request is malformed or breaks a rule."""

    status, code = 400, "bad_input"


def require_no_errors(errors: Sequence[FieldError]) -> None:
    """Raise BadInput with the errors, if there are any."""
    if errors:
        raise BadInput.of(*errors)


def require_allowed(denial: PortalError | None) -> None:
    """Raise the denial of a rule, if there is one."""
    if denial is not None:
        raise denial


class Unauthenticated(PortalError):
    """401: no token, or an invalid one."""

    status, code = 401, "unauthenticated"


class Forbidden(PortalError):
    """403: this role may never do this."""

    status, code = 403, "forbidden"


class NotFound(PortalError):
    """404: the record does not exist or is out of scope; both answers are byte-identical."""

    status, code = 404, "not_found"


class MethodNotAllowed(PortalError):
    """405: the path exists, but not with this method; ``Allow`` names the methods of the path."""

    status, code = 405, "method_not_allowed"

    def __init__(self, headers: Mapping[str, str] | None) -> None:
        super().__init__("Method not allowed", headers=dict(headers or {}))


class Conflict(PortalError):
    """409: the state of the record does not allow this."""

    status, code = 409, "conflict"


class StaleVersion(PortalError):
    """412: somebody saved a newer version first."""

    status, code = 412, "stale_version"
    updated_by: str | None = None
    """The name of the person who saved the newer version, if known."""

    def build_problem(self) -> dict[str, object]:
        """Return the document, with ``updatedBy`` if known."""
        document = super().build_problem()
        if self.updated_by is not None:
            document["updatedBy"] = self.updated_by
        return document


class TooLarge(PortalError):
    """413: more bytes than the limit."""

    status, code = 413, "too_large"


class WrongKind(PortalError):
    """415: this kind of content is not accepted."""

    status, code = 415, "wrong_kind"


class NotConfigured(PortalError):
    """424: the lab has not configured this feature."""

    status, code = 424, "not_configured"


class TooManyTries(PortalError):
    """429: too many attempts; wait before the next one."""

    status, code = 429, "too_many_tries"


class Unavailable(PortalError):
    """503: try again later."""

    status, code = 503, "unavailable"
