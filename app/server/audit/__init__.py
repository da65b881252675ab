"""Who saw or changed what, insert-only."""
