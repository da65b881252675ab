"""Verbs of orders, a file for each operation."""
