"""People who sign in: credentials, sessions, profiles."""
