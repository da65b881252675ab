"""Stand-ins for external servers: mail, faxes, files, and traces."""
