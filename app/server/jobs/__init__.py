"""Background jobs, which are deferred in the transaction of a write, and their workers."""
