"""Ordering physicians."""
