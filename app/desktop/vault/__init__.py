"""Storage of the refresh token between starts of the app; never in plain text."""
