"""Specimens: what the lab received of a requisition, in which condition, or rejected."""
