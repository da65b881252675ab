"""Sending by e-mail and fax."""

EMAIL_SENT = "The email was sent successfully"
FAX_SENT = "The fax was sent successfully"
EMAIL_NOT_CONFIGURED = "The lab has not configured sending e-mails"
FAX_NOT_CONFIGURED = "The lab has not configured sending faxes"
REQUISITION_NOT_SENDABLE = "Requisition {code} is {status} and cannot be sent"
ORDER_NOTHING_TO_SEND = "Order {code} has no released results to send"
ORDER_CANCELED_NOT_SENDABLE = "Order {code} is CANCELED and has no results to send"
SENT_EMPTY = "Nothing has been sent yet"
EMAIL_SUBJECT = "Laboratory forms from {lab}"
EMAIL_LINKS = (
    "{lab} has sent you laboratory forms ({count}). "
    "Sign in to the portal to read them:\n\n{links}\n"
)
EMAIL_ATTACHED = "{lab} has sent you laboratory forms ({count}), attached to this message.\n"
EMAIL_SPECIMEN_SUBJECT = "A specimen needs your attention: {lab}"
EMAIL_SPECIMEN_REJECTED = (
    "{lab} could not accept a specimen and asks for a new collection. "
    "Sign in to the portal to read about it:\n\n{links}\n"
)
EMAIL_RESULTS_SUBJECT = "Laboratory results from {lab}"
EMAIL_RESULTS_LINKS = (
    "{lab} has sent you laboratory results ({count}). "
    "Sign in to the portal to read them:\n\n{links}\n"
)
EMAIL_RESULTS_ATTACHED = (
    "{lab} has sent you laboratory results ({count}), attached to this message.\n"
)
EMAIL_CORRECTED_SUBJECT = "Corrected results from {lab}"
EMAIL_CORRECTED_LINKS = (
    "{lab} has corrected laboratory results ({count}). They replace the results that you may have "
    "received earlier. Sign in to the portal to read them:\n\n{links}\n"
)
EMAIL_CORRECTED_ATTACHED = (
    "{lab} has corrected laboratory results ({count}), attached to this message. They replace the "
    "results that you may have received earlier.\n"
)
FAX_CORRECTED = "Corrected results. They replace the results that you may have received earlier."
EMAIL_CONFIDENTIAL = (
    "This message is confidential. If you are not the intended recipient, please notify the "
    "laboratory and delete the message."
)
FAX_CONFIDENTIAL = (
    "This fax may contain confidential health information for the person or office named above. "
    "If you are not the intended recipient, you may not read, copy or distribute it. "
    "Please call the laboratory immediately and destroy all pages."
)
SEND_ADDRESS_REFUSED = "The address was refused"
SEND_CANCELED = "Not sent, because a requisition was canceled"
SEND_CONTENT_REFUSED = "The message was refused"
SEND_FAX_BUSY = "The line was busy"
SEND_FAX_FAILED = "The fax could not be delivered"
SEND_FAX_LOST = "The fax provider stopped reporting on this fax"
SEND_FAX_NO_ANSWER = "Nobody answered"
SEND_FAX_NUMBER_REFUSED = "The fax number cannot be reached"
SEND_INSECURE = "A secure connection to the server was not possible"
SEND_LOGIN_REFUSED = "The server refused the lab's account"
SEND_NO_ANSWER = "The server does not respond"
SEND_NOTHING_RELEASED = "Not sent, because the results are no longer released"
SEND_NOT_CONFIGURED = "The lab has turned off this kind of sending"
SEND_TOO_LARGE = "The forms are too large to send"
SEND_TOO_MUCH = "The server accepts no more messages for now"
SEND_TROUBLE = "The server had a problem"
SEND_UNCERTAIN = (
    "The server did not say whether it accepted the message. "
    "Ask the recipient before you send it again."
)
SEND_UNCLEAR_ANSWER = "The server's answer cannot be understood"
