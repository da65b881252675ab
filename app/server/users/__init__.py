"""The users of the portal, and what their administrators do with them (P 2, P 6)."""
