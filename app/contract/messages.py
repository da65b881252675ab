"""Every sentence a user reads, once (O 5, O 8, R 5, R 8, P 5, P 8).

The specification's own texts are kept to the letter, odd grammar included. ``{name}`` marks a
placeholder. A constant's name is its stable key in ``shared/vocabulary/messages.json``.
"""

# -- successes ---------------------------------------------------------------------------
PATIENT_SAVED = "Patient saved successfully!"
REQUISITION_SAVED = "Requisition Saved!"
REQUISITION_CANCELED = "Requisition canceled"
REQUISITION_SIGNED = "Requisition Signed!"
REQUISITIONS_SIGNED = "Requisitions Signed!"
REQUISITION_UNSIGNED = "Requisition Unsigned!"
REQUISITION_RECEIVED = "Requisition received. Order {code} begins."
REQUISITION_ALREADY_RECEIVED = "Requisition {code} was already received as order {order}"
RESULTS_SAVED = "Results saved"
RESULTS_RELEASED = "Results released"
FILE_UPLOADED = "File uploaded successfully"
BILL_TO_UPDATED = "The bill to was updated successfully"
EMAIL_SENT = "The email was sent successfully"
FAX_SENT = "The fax was sent successfully"
LABELS_PRINTED = "Labels sent to {printer}"
ORDER_SIGNED = "Order Signed!"
ORDERS_SIGNED = "Orders Signed!"
ORDER_UNSIGNED = "Order Unsigned!"
USER_INFORMATION_UPDATED = "The user information has been update."

# -- questions and hints -----------------------------------------------------------------
UNSAVED_CHANGES = "There are unsaved changes. Do you want to continue and lose these changes?"
LOSE_CHANGES = "You will lose all your changes. Are you sure?"
LOSE_CHANGES_TITLE = "Lose Changes Alert"
SEARCH_BEFORE_NEW_PATIENT = "Search before entering a new patient."
PRINT_CLIENT_NOT_RUNNING = (
    "Printer Client App is not running. Restart app to use feature or download it. "
    "Would you like to be redirected to download site?"
)
PRINT_CLIENT_NOT_RUNNING_TITLE = "Download Confirmation"
NO_RESULTS = "There is no result to display."
NO_RESULTS_TITLE = "No results"
CONFIRM_DOCUMENT_REMOVAL = "Are you sure you want to remove the document from the requisition?"
CONFIRM_UNSIGN = "Are you sure you want to remove your signature?"
CONFIRM_RELEASE = "Release {count} result(s)? Clients will see them at once."
IDLE_WARNING = "You will be logged out in {seconds} seconds!"
LOGIN_PROMPT = "Use your credentials to login"
CAPS_LOCK_ON = "Caps-lock is on"
CONFIRM_MISSING_INSURANCE = (
    "Please note there is missing information for insurance claim, "
    "would you like to Save and continue later?"
)
CONFIRM_MISSING_INSURANCE_TITLE = "Confirmation Save"
INSURANCE_ORDER_HINT = "To reorder, remove or restore insurances, bill to INSURANCE"
VERSION_CONFLICT = (
    "Somebody else saved this record while you were editing. Nothing of yours is lost: "
    "compare with the newer version, then save again."
)
DRAFT_FOUND = "You have an unsaved draft from {when}."
REQUISITION_COPIED = "A copy of {code}. Nothing is saved yet."
REQUISITION_COPY_NO_PATIENT = "The patient of {code} can not be found, so it can not be copied"
REQUISITION_NOT_COPIED = "Not copied from {code}: {left}."
DIAGNOSES_SUPPORT_ALL = "{codes} now supports all tests: the test it named was removed."
CHANGES_WAITING = "{count} changes, refresh"

# -- sign-in and session -----------------------------------------------------------------
INCORRECT_CREDENTIALS = "Incorrect email and/or password."
INVALID_PASSWORD = "Invalid password."
SESSION_EXPIRED = "Your session expired. You must login to continue."
SESSION_EXPIRED_GRID = "Your session has expired."
TOO_MANY_TRIES = "Too many tries. Please wait {seconds} seconds and try again."
REAUTHENTICATION_REQUIRED = "Please enter your password again to continue."
FORBIDDEN = "Your role does not allow this."
USER_UPDATE_FAILED = "There was a problem updating the user information."
NEW_PASSWORD_INVALID = "The new password is invalid"
EMAIL_REQUIRED = "Email is required"
EMAIL_INVALID = "Email is invalid"
PASSWORD_REQUIRED = "Password is required"

# -- fields ------------------------------------------------------------------------------
LAST_NAME_REQUIRED = "Last Name is required"
FIRST_NAME_REQUIRED = "First Name is required"
SEARCH_LAST_NAME_REQUIRED = "Last name is required"
SEARCH_FIRST_NAME_REQUIRED = "First name is required"
BIRTH_DATE_REQUIRED = "Birth Date is required"
BIRTH_DATE_OUT_OF_RANGE = "Birth Date must be between 01/01/1900 and today"
GENDER_REQUIRED = "Gender is required"
CLIENT_REQUIRED = "Client is required"
UNIT_REQUIRED = "Unit is required"
PHYSICIAN_REQUIRED = "Physician is required"
SELECTION_REQUIRED = "{label} is required"
ADDRESS_REQUIRED = "Address is required"
ZIP_CODE_REQUIRED = "ZipCode is required"
ZIP_CODE_UNKNOWN = "ZipCode {code} was not found"
ZIP_CODE_PLUS4_UNAVAILABLE = "Zip plus 4 could not be looked up. Please type it."
ZIP_CODE_PLUS4_INVALID = "Zip plus 4 must be 4 digits"
SSN_IN_USE = "SSN is in use"
SSN_INVALID = "SSN must be 9 digits"
PHONE_INVALID = "Phone is invalid"
FAX_REQUIRED = "Fax is required"
FAX_INVALID = "Fax is invalid"
UNIT_NOT_OF_CLIENT = "The unit does not belong to the client"
ROOM_NOT_OF_CLIENT = "The room does not belong to the client or the unit"
VALUE_REQUIRED = "This field is required"
VALUE_INVALID = "This value is invalid"
VALUE_TOO_LONG = "At most {max} characters are allowed"
TOO_MANY_ROWS = "At most {max} rows are allowed"
DATE_INVALID = "The date is invalid"
END_DATE_BEFORE_START = "The end date must not be before the start date"
INSURANCE_NOT_ADDED = "Add the insurance you typed, or empty its fields, before saving"
INSURANCE_NOT_SAVED = "Save the insurance you changed, or undo the change, before saving"
INSURANCE_CHANGED_SINCE = "Changed since: {fields}"
INSURANCE_NO_LONGER = "No longer the patient's"
MISSING_INFORMATION = "Missing information"
MISSING_ADDRESS = "Missing address information"
DIAGNOSIS_ENDED = "Diagnosis {code} is not valid any more"
NPI_INVALID = "NPI is invalid"
LOOK_ALIKES_FOUND = "There may already be a record of this patient:"
PATIENT_ASK_LAB = "This patient can not be updated from here. Please ask the lab."

# -- a patient's timeline ----------------------------------------------------------------
TIMELINE_REGISTERED = "Registered"
TIMELINE_CHANGED = "Record changed"
TIMELINE_REQUISITION = "Requisition made"
TIMELINE_SIGNED = "Requisition signed"
TIMELINE_UNSIGNED = "Signature removed"
TIMELINE_CANCELED = "Requisition canceled"
TIMELINE_ORDER = "Specimens received"
TIMELINE_RELEASED = "Results released"

# -- requisitions ------------------------------------------------------------------------
REQUISITION_PATIENT_REQUIRED = "A Patient should by selected"
REQUISITION_TEST_REQUIRED = "At least one test should by selected"
REQUISITION_COLLECTION_DATE_REQUIRED = "Collection Date is required"
REQUISITION_FASTING_REQUIRED = "Fasting is required"
REQUISITION_PRIORITY_REQUIRED = "Priority is required"
COMMENTS_TOO_LONG = (
    "Comments may have {max} characters, their formatting included. These have {count}."
)
CANCEL_COMMENT_REQUIRED = "Comment is required"
TEST_CODE_NOT_FOUND = "Test with code {code} not found"
TEST_CODE_AMBIGUOUS = "More than one test with code {code} matched"
TEST_UNKNOWN = "The test was not found"
TEST_NOT_OF_CLIENT = "Test {code} is not on the client's test list"
DIAGNOSIS_NOT_BILLABLE = "Diagnosis {code} is not valid on the collection date"
DIAGNOSIS_TEST_NOT_ORDERED = "Diagnosis {code} names a test that is not on the requisition"
REQUISITION_READ_ONLY = "Requisition {code} is {status} and can not be changed"
REQUISITION_SIGNED_CONTENT = (
    "Requisition {code} is signed. Unsign it before changing what was signed."
)
REQUISITION_SIGNED_OPEN_PARTS = (
    "Bill to, insurance, comments, copies and documents can still be changed."
)
REQUISITION_ALREADY_SIGNED = "Requisition {code} is already signed"
REQUISITION_NOT_SIGNED = "Requisition {code} is not signed"
REQUISITION_SIGNED_BY_OTHER = "Requisition {code} was signed by somebody else"
REQUISITION_TRANSITION_NOT_ALLOWED = "Requisition {code} is {status}; it can not become {target}"
REQUISITION_CHANGED_MEANWHILE = (
    "Requisition {code} changed since you opened it. Look at it again before signing."
)
REQUISITION_CHANGED_BY_OTHER = "Requisition {code} was changed by somebody else"

# -- orders and results ------------------------------------------------------------------
ORDER_READ_ONLY = "Order {code} is {status} and can not be changed"
RESULT_NOT_A_NUMBER = "{test}: a number is expected"
RESULT_NOT_A_CHOICE = "{test}: '{value}' is not one of the allowed results"
RESULT_NOTHING_TO_RELEASE = "There is no entered result to release"
RESULT_ENTRY_DISABLED = "Result entry is not enabled for your role"

# -- files and signature images ----------------------------------------------------------
SIGNATURE_TOO_BIG = "Only 10 MB files allowed."
FILE_TOO_BIG = "Only 25 MB files allowed."
IMAGE_ONLY = "Only images allowed."
NO_FILE = "No file found."
DOCUMENT_KINDS_ONLY = "Only PDF, PNG, JPEG and TIFF files allowed."
DOCUMENTS_TOO_MANY = "At most {max} documents are allowed"
UPLOAD_FAILED = "There was an error uploading your file"
DOCUMENT_UNAVAILABLE = (
    "The document you are trying to open is not available now, please try again later."
)

# -- printing ----------------------------------------------------------------------------
PRINTER_UNREACHABLE = "{printer} does not answer. Check that it is switched on and connected."
PRINTER_TIMED_OUT = "{printer} stopped accepting data. The labels may be incomplete."
PRINTER_UNKNOWN = "The printer is not set up on this workstation"
NO_PRINTERS = "No printer is set up on this workstation"
PRINTER_REFUSED = "{printer} gave the job up. Look at its print queue, then print again."
PRINTER_BUILT_IN = "{printer} belongs to this computer; remove it in the computer's settings"
PORTAL_UNREACHABLE = "We have lost communication with our servers!"

# -- the desktop app ---------------------------------------------------------------------
FOREIGN_CALLER = "This request did not come from a window of the portal's desktop app"
LAUNCH_CODE_SPENT = "This window could not be opened. Close it and start the app again."
LAUNCH_REQUIRED = "Open the portal with the desktop app"
PATH_NOT_OF_PORTAL = "This is not an address of the portal"
PREFERENCE_KEY_INVALID = "A preference's name has 1 to 64 letters, digits, dots or hyphens"
PREFERENCES_FULL = "There is no room for more preferences on this workstation"
WINDOWS_UNAVAILABLE = "This app can not open another window"

# -- answers by HTTP status (P 8) --------------------------------------------------------
NON_HTTP_ERROR = "We are having trouble to succeed your request!"
OFFLINE = "It seems that your internet connection it's not stable!"
NO_CONNECTION = "We have lost communication with our servers!"
VALIDATION_ERROR = "There was a validation error!"
INTERNAL_ERROR = "Oops, an internal error occurred!"
GATEWAY_TIMEOUT = "It seems that you are having problems communicating with our servers!"
NOT_FOUND = "No record found!"
LOGIN_NOT_FOUND = "The user and password combination was not recognized."
CONFLICT = "The record already exists!"
UNAVAILABLE = "The record couldn't be created, please try later."
SERVERS_TROUBLE = "We are having trouble communicating with our servers!"
CRITICAL_ERROR = "Critical Error"

# -- requests the API can not take -------------------------------------------------------
BODY_NOT_JSON = "The request body is not valid JSON"
PARAMETER_UNKNOWN = "Unknown parameter '{name}'"
PARAMETER_INVALID = "Parameter '{name}' is invalid"
TAKE_OUT_OF_RANGE = "take must be between 1 and {max}"
CURSOR_INVALID = "The cursor does not fit this list and its sort order"
SORT_UNKNOWN = "This list can not be sorted by '{name}'"
SORT_NEEDS_DATES = "Choose a date range before sorting by '{name}'"
IDEMPOTENCY_KEY_REUSED = "This idempotency key was used for another request"
VERSION_STALE = "The record was changed by somebody else"
TOO_MANY_IDS = "At most {max} records can be chosen"
BODY_TOO_LARGE = "The request is too large"
NOT_CONFIGURED = "This feature is not configured by the lab"
