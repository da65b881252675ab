"""Messages of several slices: fields, HTTP statuses (P 8), forms and grids."""

NOTHING_SELECTED = "Select one or more rows first"
CODE_NOT_FOUND = "No requisition or order has the code {code}"
CODE_INVALID = "A code is R or L and nine digits, such as R260000123"
ONE_CHANGE_WAITING = "1 change, refresh"
CHANGES_WAITING = "{count} changes, refresh"
UNSAVED_CHANGES = "There are unsaved changes. Do you want to continue and lose these changes?"
LOSE_CHANGES = "You will lose all your changes. Are you sure?"
LOSE_CHANGES_TITLE = "Lose Changes Alert"
VERSION_CONFLICT = (
    "Somebody else saved this record while you were editing. Nothing of yours is lost: "
    "compare with the newer version, then save again."
)
VERSION_CONFLICT_BY = (
    "{name} saved this record while you were editing. Nothing of yours is lost: "
    "compare with the newer version, then save again."
)
VERSION_CONFLICT_OWN = (
    "You saved this record in another window while you were editing here. Nothing of yours is "
    "lost: compare with the newer version, then save again."
)
VERSION_AFTER_DRAFT = (
    "This record was saved after your draft. Nothing of yours is lost: compare with the newer "
    "version, then save again."
)
VERSION_CONFLICT_SAVE = "Save keeps your changes as they are shown here."
VERSION_CONFLICT_CHOICE = "Choose which version to keep. Then you can save."
ACTION_NOT_ALLOWED = "This action is not allowed."
FORBIDDEN = "Your role does not allow this."
EMAIL_REQUIRED = "Email is required"
EMAIL_INVALID = "Email is invalid"
LAST_NAME_REQUIRED = "Last Name is required"
FIRST_NAME_REQUIRED = "First Name is required"
BIRTH_DATE_OUT_OF_RANGE = "Birth Date must be between 01/01/1900 and today"
SELECTION_REQUIRED = "{label} is required"
PHONE_INVALID = "Phone is invalid"
MOBILE_INVALID = "Mobile is invalid"
FAX_REQUIRED = "Fax is required"
FAX_INVALID = "Fax is invalid"
VALUE_REQUIRED = "This field is required"
VALUE_INVALID = "This value is invalid"
FILE_CHECKING = "Checking the file"
VALUE_TOO_LONG = "At most {max} characters are allowed"
TOO_MANY_ROWS = "At most {max} rows are allowed"
DATE_INVALID = "The date is invalid"
TIME_INVALID = "The time is invalid (HH:MM AM/PM)"
MIDNIGHT_MEANS_UNKNOWN = "12:00 AM means that the time is unknown"
START_DATE_REQUIRED = "Enter a start date"
END_DATE_REQUIRED = "Enter an end date"
END_DATE_BEFORE_START = "The end date must not be before the start date"
ENTRY_NOT_ADDED = "{field}: '{text}' has not been added. Press Enter to add it, or clear the field."
NON_HTTP_ERROR = "We are having trouble to succeed your request!"
OFFLINE = "It seems that your internet connection it's not stable!"
NO_CONNECTION = "We have lost communication with our servers!"
VALIDATION_ERROR = "There was a validation error!"
INTERNAL_ERROR = "Oops, an internal error occurred!"
GATEWAY_TIMEOUT = "It seems that you are having problems communicating with our servers!"
NOT_FOUND = "No record found!"
CONFLICT = "The record already exists!"
PORTAL_UPDATING = "The portal is being updated. Please try again in a minute."
UNAVAILABLE = "The record couldn't be created, please try later."
SERVERS_TROUBLE = "We are having trouble communicating with our servers!"
CRITICAL_ERROR = "Critical Error"
CRITICAL_ERROR_TEXT = (
    "Something went wrong that this page cannot repair. It reloads in {seconds} seconds."
)
BODY_NOT_JSON = "The request body is not valid JSON"
PARAMETER_INVALID = "Parameter '{name}' is invalid"
IDEMPOTENCY_KEY_REUSED = "This idempotency key was used for another request"
VERSION_SAVED_BY = "The newer version is by {name}."
SOMEBODY_ELSE = "somebody else"
VERSION_STALE = "Somebody else changed this record. Reload it and try again."
VERSION_RELOADED = (
    "Somebody else changed this record first, so this was not done. You now see the newer version: "
    "check it and try again."
)
TOO_MANY_IDS = "At most {max} records can be chosen"
BODY_TOO_LARGE = "The request is too large"
BODY_TOO_COMPLEX = "The request has too many parts"
TOO_MANY_AT_ONCE = (
    "Several of your requests are still in progress. Please try again in a few seconds."
)
NOT_CONFIGURED = "This feature is not configured by the lab"
LAB_TIMES = "All times are the lab's ({zone})"
PORTAL_LOST = (
    "The portal cannot be reached. Nothing can be saved until the connection is back, "
    "but what you have entered stays here."
)
POPUP_BLOCKED_TITLE = "Popup Blocked"
POPUP_BLOCKED = (
    "The browser blocked the new window. Disable the popup blocker for this portal, and try again."
)
OLD_BROWSER = "This browser doesn't support this feature."
NEW_VERSION = "A new version of the portal is here. The page reloads in {seconds} seconds."
NEW_VERSION_WAITS = "A new version of the portal is here. The page reloads when your work is saved."
CLOCK_WRONG = (
    "This computer's clock says {local}, but it is {lab} at the lab. All times here are the lab's."
)
