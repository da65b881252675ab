"""Names of the jobs that tubes need."""

NOTIFY_CLIENT = "specimens.tell-client"
"""Tells a client by e-mail that a specimen was rejected; ``transmissions`` has the task."""
