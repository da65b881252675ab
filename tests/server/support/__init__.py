"""Tests of messages and supply requests."""
