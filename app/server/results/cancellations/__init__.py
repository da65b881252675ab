"""Cancellation of an order's tests, which calculated results and toxicology verdicts follow."""
