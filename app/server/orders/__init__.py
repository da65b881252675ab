"""Orders: what the lab received, its results and their release."""
