"""Specimens: what the lab received of a requisition, in which condition, and what it rejected."""
