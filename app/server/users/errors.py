"""Errors of users."""

from app.basics.errors import BadInput, Conflict, Forbidden, NotConfigured, NotFound


class EmailInUse(Conflict):
    """409: another user has the e-mail address."""

    code = "email_in_use"
    reveals_other_records = True


class UserOutOfReach(Forbidden):
    """403: the actor administers users, but may not do this to this user."""

    code = "user_out_of_reach"


class MailNotConfigured(NotConfigured):
    """424: the lab has no mail server, so nobody can be invited."""

    code = "mail_not_configured"


class ImportUnreadable(BadInput):
    """400: the portal cannot read the file of people, or it has too many."""

    code = "import_unreadable"


class PatientUnmatched(NotFound):
    """404: no patient's record matches the sign-up (P 8)."""

    code = "patient_unmatched"
    is_audited = True
