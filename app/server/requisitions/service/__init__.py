"""Verbs of requisitions, a file for each operation."""
