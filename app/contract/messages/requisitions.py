"""Requisitions (O 2.2, O 2.3, O 4, O 5)."""

REQUISITION_SAVED = "Requisition Saved!"
REQUISITION_CANCELED = "Requisition canceled"
REQUISITION_SIGNED = "Requisition Signed!"
REQUISITIONS_SIGNED = "Requisitions Signed!"
REQUISITION_UNSIGNED = "Requisition Unsigned!"
REQUISITION_RECEIVED = "Requisition of {patient} received as order {code}."
REQUISITIONS_RECEIVED = "{count} requisitions received."
REQUISITIONS_NOT_RECEIVED = "None of the {count} requisitions was received: {why}"
COLLECTION_IN_FUTURE = "The collection time of {codes} is in the future"
CONFIRM_RECEIVE_EARLY = "{why}. Receive anyway? This cannot be undone."
REQUISITION_ALREADY_RECEIVED = "Requisition {code} was already received as order {order}"
REQUISITION_NOT_RECEIVABLE = "Requisition {code} is canceled and cannot be received"
REQUISITION_NOT_CANCELABLE = (
    "Requisition {code} was received as order {order} and cannot be canceled"
)
REQUISITION_ALREADY_CANCELED = "Requisition {code} is already canceled"
BILL_TO_UPDATED = "The bill to was updated successfully"
CONFIRM_UNSIGN = "Are you sure you want to remove your signature?"
CONFIRM_RECEIVE = "Receive {count} requisitions? This cannot be undone."
REQUISITION_COPIED = "This is a copy of {code}. It is not saved yet."
REQUISITION_COPY_NO_PATIENT = (
    "Requisition {code} cannot be copied, because its patient was not found"
)
REQUISITION_NOT_COPIED = "Not copied from {code}: {left}."
REMOVED_WITH_PATIENT = "Removed, because it belonged to {patient}: {removed}."
PATIENT_CHANGE_TITLE = "Change patient"
PATIENT_CHANGE_ENTRIES = "This was entered for {before}. Clear it, or keep it for {now}?"
PATIENT_CHANGE_DOCUMENTS = (
    "Documents already stored with the requisition stay there: {documents}. "
    "Remove those that belong to {before}."
)
PATIENT_ENTRIES_CLEARED = "What was entered for {patient} was cleared."
DIAGNOSES_SUPPORT_ALL = "Now supporting all tests, because their test was removed: {codes}."
REQUISITION_PATIENT_REQUIRED = "A Patient should by selected"
REQUISITION_TEST_REQUIRED = "At least one test should by selected"
REQUISITION_COLLECTION_DATE_REQUIRED = "Collection Date is required"
REQUISITION_COLLECTION_DATE_BEFORE_BIRTH = (
    "Collection Date cannot be before the patient's birth date"
)
REQUISITION_COLLECTION_DATE_TOO_LATE = "Collection Date cannot be more than a year ahead"
SAVE_QUESTIONS_TITLE = "Check before saving"
SIGN_QUESTIONS_TITLE = "Check before signing"
SAVE_COLLECTION_AHEAD = "The collection date {date} is in the future."
SAVE_COLLECTION_BACK = "The collection date {date} is {days} days ago."
SAVE_WITHOUT_PHYSICIAN = "No ordering physician is chosen."
SIGN_WITHOUT_DIAGNOSIS = "No diagnosis is chosen."
SAVE_WITHOUT_INSURANCE = "Insurance is billed, but no insurance is listed."
BILL_TO_WITHOUT_INSURANCE = (
    "No insurance is listed on {count} of the {total} selected. Bill insurance anyway?"
)
SAVE_TEST_IN_PANEL = "{test} is also part of {panel}."
SAVE_TESTS_IN_BOTH = "{first} and {second} both contain {tests}."
SAVE_SAME_TESTS = "Requisition {code} of the same day already orders {tests}."
REQUISITION_FASTING_REQUIRED = "Fasting is required"
REQUISITION_PRIORITY_REQUIRED = "Priority is required"
COMMENTS_TOO_LONG = (
    "Comments can have at most {max} characters, including formatting. These have {count}."
)
CANCEL_COMMENT_REQUIRED = "Comment is required"
DIAGNOSIS_NOT_BILLABLE = "Diagnosis {code} is not valid on the collection date"
DIAGNOSIS_TEST_NOT_ORDERED = "Diagnosis {code} supports a test that is not on the requisition"
REQUISITION_READ_ONLY = "Requisition {code} is {status} and cannot be changed"
REQUISITION_SIGNED_CONTENT = (
    "Requisition {code} is signed. Unsign it before you change signed content."
)
REQUISITION_SIGNED_OPEN_PARTS = (
    "Bill to, insurance, comments, copies and documents can still be changed."
)
REQUISITION_SIGNED_OPEN_EXTRAS = "Comments, copies and documents can still be changed."
REQUISITION_PATIENT_PARTS = "You can read and sign this requisition. Only the clinic can change it."
REQUISITION_CANCELED_ON = "Canceled on {when}."
REQUISITION_CANCELED_BY = "Canceled by {name} on {when}."
REQUISITION_SIGNED_BY = "Electronically signed by {name} on {when}."
REQUISITION_PHYSICIAN_FROM_SWITCH = (
    "Turn off 'Same as Primary Physician' to choose another physician."
)
REQUISITION_NO_PRIMARY_PHYSICIAN = "The patient has no primary physician."
REQUISITION_PHYSICIAN_PARTS = (
    "Physicians can change diagnoses and medications until the requisition is signed, "
    "and comments, copies and documents."
)
REQUISITION_ALREADY_SIGNED = "Requisition {code} is already signed"
REQUISITION_NOT_SIGNED = "Requisition {code} is not signed"
REQUISITION_SIGNED_BY_OTHER = "Requisition {code} was signed by somebody else"
REQUISITION_CHANGED_MEANWHILE = (
    "Requisition {code} has changed since you opened it. Review it before you sign."
)
REQUISITIONS_CHANGED_MEANWHILE = (
    "The requisitions {codes} have changed since you opened them. Review them before you sign."
)
REQUISITION_CHANGED = (
    "Requisition {code} has changed since it was shown, so nothing was done. Look at it again "
    "first."
)
REQUISITIONS_CHANGED = (
    "The requisitions {codes} have changed since they were shown, so nothing was done. Look at "
    "them again first."
)
REQUISITION_SAVE_FIRST = "Save the requisition first"
REQUISITION_NO_PREVIOUS = "The patient has no other requisitions."
SELECT_ONE_REQUISITION = "Select a single requisition"
