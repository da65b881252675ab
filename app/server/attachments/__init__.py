"""Files attached to records: accepted kinds, names, and storage."""
