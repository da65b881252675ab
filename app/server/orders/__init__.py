"""Orders: received requisitions, their results and the release of results."""
