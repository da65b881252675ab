"""The commands ``backup`` and ``restore``: data in an archive, keys in another (ADR 68)."""
