"""Favorite panels: named sets of tests that a person orders with one key (ADR 0015)."""
