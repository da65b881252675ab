"""Requisitions: requests for tests, and their signatures."""
