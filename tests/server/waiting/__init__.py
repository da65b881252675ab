"""Tests of the counts of waiting work."""
