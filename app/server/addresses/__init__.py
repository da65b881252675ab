"""ZIP codes."""
