"""The data that a lab keeps: one mechanism, and a declaration for each kind (ADR 57)."""
