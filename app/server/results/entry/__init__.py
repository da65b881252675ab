"""Shared parts of all families of results: orders for entry, permissions, and progress."""
