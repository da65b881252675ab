"""Tests of alerts to critical results."""
