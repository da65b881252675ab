"""Clock, text rules, telemetry and the base of all errors; imports nothing of ours."""
