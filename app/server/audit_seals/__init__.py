"""Seals: a keyed hash chain over the audit log that reveals tampering (ADR 66)."""
