"""Errors of saving a patient."""

from app.basics.errors import Conflict, FieldError
from app.contract import messages


class SocialSecurityNumberInUse(Conflict):
    """409: another patient has this number. The error does not reveal which."""

    code = "ssn_in_use"
    reveals_other_records = True


def build_ssn_in_use_error() -> SocialSecurityNumberInUse:
    """Build the error, which names its field."""
    return SocialSecurityNumberInUse.of(FieldError("socialSecurityNumber", messages.SSN_IN_USE))
