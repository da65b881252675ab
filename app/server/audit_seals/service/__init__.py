"""Sealing, verifying, and removing audit rows."""
