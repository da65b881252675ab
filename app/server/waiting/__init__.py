"""Counts of the work that waits for a person, each with a link to its search."""
