"""Tests of critical results."""
