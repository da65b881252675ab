"""The timeline of a patient: registration, changes, requisitions, orders and results."""
