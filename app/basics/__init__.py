"""Clock, text rules, version, telemetry and base errors; imports none of our packages."""
