"""Orders (R 2, R 5)."""

ORDER_SIGNED = "Order Signed!"
ORDERS_SIGNED = "Orders Signed!"
ORDER_UNSIGNED = "Order Unsigned!"
ORDER_SIGNATURE_CLOSED = "Order {code} is {status}, so its signature can no longer change"
ORDER_READ_ONLY = "Order {code} is {status} and cannot be changed"
ORDER_ACKNOWLEDGED = "Order Acknowledged!"
ORDER_ALREADY_ACKNOWLEDGED = "These results are acknowledged"
ORDERS_ACKNOWLEDGED = "Orders Acknowledged!"
ORDER_NOTHING_TO_ACKNOWLEDGE = "Order {code} has no released results to acknowledge"
ORDER_RESULTS_CHANGED = (
    "The results of order {code} have changed since they were shown. Read them again before you "
    "acknowledge them."
)
ORDER_REOPENED = (
    "Results were released on {released}, after you acknowledged this order on {acknowledged}."
)
NO_MORE_UNREAD = "There are no more unread results."
TESTS_CANCELED = "Tests canceled"
TESTS_REINSTATED = "Tests reinstated"
CONFIRM_REINSTATE = "Reinstate all canceled tests? Their entered results count again."
TESTS_RELEASED = "{tests}: results are released. Withdraw them in result entry instead."
TESTS_ALREADY_CANCELED = "The chosen tests are already canceled"
TESTS_NOT_CANCELED = "The chosen tests are not canceled"
SPECIMEN_NEEDED = "NEW SPECIMEN NEEDED"
COLLECTION_AWAITED = "A specimen was rejected. Please collect it again."
SELECT_ONE_ORDER = "Select one order first"
