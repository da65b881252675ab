"""Reads the lab's settings."""

REPORT_FIELDS = ("name", "address", "phone", "fax", "email", "url", "title", "director", "clia")
