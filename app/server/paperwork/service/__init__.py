"""Gathers what labels and pages say, and has them drawn."""
