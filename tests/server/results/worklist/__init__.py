"""Tests of the worklist."""
