"""Verbs of patients, a file for each operation."""
