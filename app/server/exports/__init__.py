"""Exports: a job that writes rows of a source to a file, kept for a week (ADR 44)."""
