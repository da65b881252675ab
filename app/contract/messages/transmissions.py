"""Sending by e-mail and fax."""

EMAIL_SENT = "The email was sent successfully"
FAX_SENT = "The fax was sent successfully"
EMAIL_NOT_CONFIGURED = "The lab has not configured sending e-mails"
FAX_NOT_CONFIGURED = "The lab has not configured sending faxes"
REQUISITION_NOT_SENDABLE = "Requisition {code} is {status} and can not be sent"
SENT_EMPTY = "Nothing was sent yet"
EMAIL_SUBJECT = "Laboratory forms from {lab}"
EMAIL_LINKS = (
    "{lab} has sent you {count} laboratory form(s). Sign in to the portal to read:\n\n{links}\n"
)
EMAIL_ATTACHED = "{lab} has sent you {count} laboratory form(s), attached to this message.\n"
EMAIL_CONFIDENTIAL = (
    "This message is meant for the person it is addressed to. If that is not you, please tell the "
    "laboratory and delete it."
)
FAX_CONFIDENTIAL = (
    "This fax may hold confidential health information that is meant for the person or office "
    "named above alone. If that is not you, reading, copying or passing it on is prohibited: "
    "please call the laboratory at once and destroy all pages."
)
SEND_ADDRESS_REFUSED = "The address was refused"
SEND_CANCELED = "Not sent: a requisition was canceled in the meantime"
SEND_CONTENT_REFUSED = "The message was refused"
SEND_FAX_BUSY = "The line was busy"
SEND_FAX_FAILED = "The fax could not be delivered"
SEND_FAX_LOST = "Nothing was heard of the fax any more"
SEND_FAX_NO_ANSWER = "Nobody answered"
SEND_FAX_NUMBER_REFUSED = "The fax number can not be reached"
SEND_INSECURE = "No safe connection to the server could be made"
SEND_LOGIN_REFUSED = "The server refused the lab's account"
SEND_NO_ANSWER = "The server does not answer"
SEND_NOT_CONFIGURED = "Sending is not configured by the lab any more"
SEND_TOO_LARGE = "The forms are too large to be sent"
SEND_TOO_MUCH = "The server takes no more for now"
SEND_TROUBLE = "The server could not take it"
