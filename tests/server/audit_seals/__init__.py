"""The seals of the audit log."""
