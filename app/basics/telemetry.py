"""Disables FastAPI's own telemetry, in both hosts."""

from fastapi.telemetry import TelemetryConfig

NO_TELEMETRY: TelemetryConfig = {
    "auto_configure": False,
    "tracing": False,
    "metrics": False,
    "logs": False,
}
"""A trace would contain the query of every request, and so names of patients.

The portal has its own logs and metrics instead.
"""
