"""Orders (R 2, R 5)."""

ORDER_SIGNED = "Order Signed!"
ORDERS_SIGNED = "Orders Signed!"
ORDER_UNSIGNED = "Order Unsigned!"
ORDER_SIGNATURE_CLOSED = "Order {code} is {status}, so its signature can no longer change"
ORDER_READ_ONLY = "Order {code} is {status} and cannot be changed"
