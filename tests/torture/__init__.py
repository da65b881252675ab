"""Kills parts of a portal under load, and counts what was lost, doubled, or left partial.

``make torture`` runs it for ten minutes; ``tests/server/test_machines.py`` runs it briefly.
"""
