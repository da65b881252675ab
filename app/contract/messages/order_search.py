"""Advanced order search (P 2)."""

SEARCH_NOT_ON_HANDHELDS = "This view can't be opened in a mobile device."
SEARCH_COLUMN_UNKNOWN = "There is no such column"
SEARCH_OPERATOR_UNKNOWN = "This column cannot be compared this way"
SEARCH_MALFORMED = "This condition cannot be read. Remove it and add it again"
SEARCH_TEST_REQUIRED = "Choose the test"
SEARCH_ANTIBIOTIC_REQUIRED = "Choose the antibiotic"
SEARCH_VALUE_REQUIRED = "Enter a value"
SEARCH_NUMBER_INVALID = "Enter a number, such as 4.5"
SEARCH_TWO_VALUES = "Enter both values"
SEARCH_BOUNDS_REVERSED = "The second value must not be less than the first"
SEARCH_DAYS_INVALID = "Enter a whole number of days from 1 to {max}"
SEARCH_TOO_DEEP = "Groups can be nested {max} deep at most"
SEARCH_TOO_MANY_RULES = "A search can have at most {max} conditions"
SEARCH_TOO_MANY_VALUES = "At most {max} values can be chosen"
SEARCH_TOO_BROAD = (
    "This search is too broad. Add dates, a client, a patient, or another condition that leaves "
    "fewer orders."
)
SEARCH_REJECTED = "This search was not run. Correct its conditions above, then search again."
SEARCH_COLUMNS_REQUIRED = "Choose at least one column"
SEARCH_EXPORT_CONFIDENTIAL = (
    "The file contains patients' data. Store it where only people who may read it can open it."
)
SEARCH_EXPORT_ABOUT = (
    "The file has all orders that meet the current conditions, with the columns of the list."
)
SEARCH_LOST_COLUMN = (
    "A condition uses a column that is no longer available. Remove the condition to search."
)
SAVED_SEARCH_SAVED = "Search {name} saved"
SAVED_SEARCH_REMOVED = "Search {name} removed"
SAVED_SEARCH_NAME_IN_USE = "You already have a search with this name"
SAVED_SEARCHES_TOO_MANY = "You can save at most {max} searches"
SAVED_SEARCH_TOO_LARGE = "This search is too large to be saved"
