"""User accounts: credentials, sessions and profiles."""
