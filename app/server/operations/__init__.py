"""The operations page, for operators of the portal (ADR 67)."""
