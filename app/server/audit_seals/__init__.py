"""Seals: a keyed hash chain over the audit log that shows changed and removed rows (ADR 66)."""
