"""The audit viewer."""
