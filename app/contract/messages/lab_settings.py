"""The lab's settings (P 3, P 7; ADR 63)."""

LAB_SETTINGS_SAVED = "The lab's settings were saved. They apply from now on."
LAB_NAME_REQUIRED = "Lab Name is required"
LAB_URL_INVALID = "A web address begins with https://"
LAB_CLIA_INVALID = "A CLIA number is two digits, D, and seven digits"
LOGO_TOO_BIG = "Only 2 MB pictures are allowed."
LOGO_HINT = "PNG, JPEG, GIF, BMP, WebP or TIFF, at most 2 MB. It is shown 30 pixels high."
TIME_ZONE_HINT = (
    "Stored collection, receipt and result times stay unchanged. From the change on, 'now', "
    "'today' and every new time follow the new zone. Change it only if the lab moved, or if the "
    "zone was wrong."
)
SUPPORT_EMAIL_HINT = "Without an address, the form says that it is not configured."
SENDING_HINT = (
    "Mail and fax are set up where the portal runs, because their passwords are stored there."
)
TEST_SENT = "The test was sent to {destination}."
TEST_NOT_SENT = "The test was not sent: {trouble}"
TEST_EMAIL_SUBJECT = "{lab}: test of the portal's e-mail"
TEST_TEXT = "This is a test of the portal of {lab}. It needs no answer.\n"
RESULT_COLUMN_EMPTY = (
    "{tests} would never show a result. A column needs a single clinical or toxicology test, no "
    "panel, culture, or pathology report."
)
AUDIT_RETENTION_INVALID = "The audit log is kept for {min} to {max} years."
CRITICAL_MINUTES_INVALID = "Critical results are reported within {min} to {max} minutes."
CRITICAL_MINUTES_HINT = "After this time, the next contact of the client gets an e-mail."
AUDIT_RETENTION_HINT = "HIPAA asks for six years. Older rows are removed every night."
SETTING_ON = "on"
SETTING_OFF = "off"
SETTING_PICTURE = "a picture"
