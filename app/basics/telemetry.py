"""What FastAPI would tell collectors of traces by itself, by either host."""

from fastapi.telemetry import TelemetryConfig

NO_TELEMETRY: TelemetryConfig = {
    "auto_configure": False,
    "tracing": False,
    "metrics": False,
    "logs": False,
}
"""Nothing: a trace holds the query of every request, in which people search for patients by name.
What may be told is in the portal's own log lines and at ``/metrics``."""
