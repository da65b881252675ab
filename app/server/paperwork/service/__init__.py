"""Collects the content of labels and pages, and draws them."""
