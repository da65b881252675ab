"""Microbiology results: cultures with their findings, organisms, and susceptibilities."""
