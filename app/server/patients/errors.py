"""What can stand in the way of saving a patient."""

from app.basics.errors import Conflict, FieldError
from app.contract import messages


class SocialSecurityNumberInUse(Conflict):
    """409: another patient has this number; whose is not said."""

    code = "ssn_in_use"


def ssn_in_use() -> SocialSecurityNumberInUse:
    """The error at its field."""
    return SocialSecurityNumberInUse.of(FieldError("socialSecurityNumber", messages.SSN_IN_USE))
