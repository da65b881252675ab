"""Reflex tests: rules that add a test to an order because of a released result (ADR 49)."""
