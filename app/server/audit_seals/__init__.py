"""The seals of the audit log: a keyed hash chain that shows changed and removed rows (ADR 66)."""
