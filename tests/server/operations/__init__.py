"""The operations page."""
