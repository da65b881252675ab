"""The data maintained by the lab: one mechanism, and a declaration for each kind (ADR 57)."""
