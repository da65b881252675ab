"""Cancellation of an order's tests, with the calculated results and verdicts that follow."""
