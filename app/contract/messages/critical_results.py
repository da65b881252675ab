"""Critical results, and the people that the lab has notified."""

CRITICAL_ATTENTION = "At least one result needs immediate attention."
CRITICAL_OPEN = "Tell the client about the critical results of this order."
CRITICAL_ELSEWHERE = "See {families} below."
CRITICAL_CORRECTED = (
    "A critical result of this order was corrected, or is no longer shown. Tell the client."
)
CRITICAL_CORRECTED_CLIENT = (
    "A critical result of this order was corrected, or is no longer shown. "
    "The laboratory will tell you."
)
CRITICAL_TELL_PRESENT = "A result was corrected after its release. Report the current result."
CRITICAL_ALERTS_WAIT = (
    "The client sees none of these results now. The next contact is alerted when one is shown "
    "again."
)
CRITICAL_ALL_CORRECTED = "All of these results were corrected. No other contact is alerted."
CRITICAL_CALL_SAVED = "Call recorded"
CRITICAL_CLOSED = "Critical result closed"
CRITICAL_ALREADY_CLOSED = "This critical result is closed already"
CRITICAL_NAME_REQUIRED = "Enter who was called"
CRITICAL_METHOD_REQUIRED = "Choose how"
CRITICAL_READ_BACK_WITHOUT_CALL = "Only a person who was reached can read the results back"
CRITICAL_NOTE_REQUIRED = (
    "Nobody has read the results back yet. Describe why this can be closed anyway."
)
CRITICAL_CALL_FIRST = "Call {name} first. They are open now."
CRITICAL_ALL_CLOSED = "All contacts are closed at this hour"
CRITICAL_NONE = "No critical results to show"
CRITICAL_EMAIL_SUBJECT = "{lab}: a critical result needs your attention"
CRITICAL_EMAIL_TEXT = (
    "{lab} has released a critical result. Sign in to the portal to read it, and expect a call "
    "from the laboratory:\n\n{link}\n"
)
