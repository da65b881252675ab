"""Pathology results: reports with their addenda and revisions."""
