"""Policies of routes, the unit of work, and the route class that enforces both."""
