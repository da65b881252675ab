"""Where the refresh token rests between two starts of the app; never in plain text."""
