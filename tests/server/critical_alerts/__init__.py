"""Tests of alerts about critical results."""
