"""Tests of what waits for a person."""
