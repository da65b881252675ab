"""Results and their entry (R 2.2, R 5)."""

RESULTS_SAVED = "Results saved"
RESULTS_RELEASED = "Results released"
NO_RESULTS = "There is no result to display."
NO_RESULTS_TITLE = "No results"
CONFIRM_RELEASE = "Release {count} result(s)? Clients will see them at once."
CONFIRM_RELEASE_CORRECTIONS = (
    "Release {count} result(s), {corrections} of them correction(s)? Clients will see them at once."
)
RESULT_NOT_A_NUMBER = "{test}: a number is expected"
RESULT_NOT_A_CHOICE = "{test}: '{value}' is not one of the allowed results"
RESULTS_REFUSED = "Nothing is saved yet. To be corrected: {count}, first {test}."
RESULT_NOTHING_TO_RELEASE = "There is no entered result to release"
RESULT_ENTRY_DISABLED = "Result entry is not enabled for your role"
