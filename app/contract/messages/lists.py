"""Invalid requests for a page of a list."""

PARAMETER_UNKNOWN = "Unknown parameter '{name}'"
TAKE_OUT_OF_RANGE = "take must be between 1 and {max}"
CURSOR_INVALID = "The cursor does not fit this list and its sort order"
SORT_UNKNOWN = "This list cannot be sorted by '{name}'"
SORT_TOO_MANY_ROWS = "More than {max} rows match. Narrow the search to sort by {name}."
SEARCH_PERIOD_ENDS = "Nothing else in this period."
SEARCH_WIDER_PERIOD = "Look at the last {days} days"
