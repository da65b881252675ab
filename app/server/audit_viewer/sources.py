"""The rows that can be exported."""

from app.server.audit_viewer.service.export import AUDIT_EVENTS

SOURCES = (AUDIT_EVENTS,)
