"""The fields of the lab's report settings."""

REPORT_FIELDS = ("name", "address", "phone", "fax", "email", "url", "title", "director", "clia")
