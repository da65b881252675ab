"""The history of orders: who received, signed, released, read, and sent them (R 7)."""
