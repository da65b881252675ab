"""Requests that people write to the lab: messages and supply requests (P 2, P 5, P 8)."""
