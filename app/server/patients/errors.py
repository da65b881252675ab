"""What can stand in the way of saving a patient."""

from app.basics.errors import Conflict


class SocialSecurityNumberInUse(Conflict):
    """409: another patient has this number; whose is not said."""

    code = "ssn_in_use"
