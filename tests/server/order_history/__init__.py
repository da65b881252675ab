"""Tests of the history of orders."""
