"""The operations page: what those who run the portal need to see and do (ADR 67)."""
