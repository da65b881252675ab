"""Exports: a job that writes rows of a source to a file, stored for a week (ADR 44)."""
