"""Clock, text rules and the base of all errors; imports nothing of ours."""
