"""The audit viewer's sources of exports."""

from app.server.audit_viewer.service.export import AUDIT_EVENTS

SOURCES = (AUDIT_EVENTS,)
