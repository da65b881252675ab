"""Results and their entry (R 2.2, R 5)."""

RESULTS_SAVED = "Results saved"
RESULTS_RELEASED = "Results released"
NO_RESULTS = "There is no result to display."
NO_RESULTS_TITLE = "No results"
CONFIRM_RELEASE = "Results to release: {count}. Clients will see them immediately."
CONFIRM_RELEASE_CORRECTIONS = (
    "Results to release: {count}, including corrections: {corrections}. "
    "Clients will see them immediately."
)
RESULT_NOT_A_NUMBER = "{test}: enter a number"
RESULT_NOT_A_CHOICE = "{test}: '{value}' is not one of the allowed results"
RESULTS_REFUSED = "Nothing is saved yet. Results to correct: {count}, beginning with {test}."
RESULT_NOTHING_TO_RELEASE = "There are no entered results to release"
RESULT_ENTRY_DISABLED = "Result entry is not enabled for your role"
