"""The audit viewer: who saw or changed which records, in words (ADR 67)."""
