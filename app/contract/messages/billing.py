"""Insurance of patients and requisitions."""

CONFIRM_MISSING_INSURANCE = (
    "Please note there is missing information for insurance claim, "
    "would you like to Save and continue later?"
)
CONFIRM_MISSING_INSURANCE_TITLE = "Confirmation Save"
INSURANCE_ORDER_HINT = "To reorder, remove or restore insurances, bill to INSURANCE"
INSURANCE_NOT_ADDED = "Add the insurance you typed, or clear its fields, before saving"
INSURANCE_NOT_SAVED = "Save the insurance you changed, or undo the change, before saving"
INSURANCE_CHANGED_SINCE = "Changed since: {fields}"
INSURANCE_NO_LONGER = "No longer the patient's"
MISSING_INFORMATION = "Missing information"
