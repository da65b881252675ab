"""Names of the jobs that orders defer; a slice above runs them."""

SEND_COPIES = "orders.send-copies"
