"""Stand-ins for external servers: mail, faxes, and traces."""
