"""The audit log: who saw or changed which records."""
