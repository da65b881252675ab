"""Favorite panels: named sets of tests that a user orders at once (ADR 0015)."""
