"""Hazards of ordering and results, their controls, and the tests that guard the controls."""
