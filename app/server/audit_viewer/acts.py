"""The permission that the menu evaluates."""

from app.server.access.acts import Act
from app.server.audit_viewer.rules import judge_reading_audit

ACTS = (Act("openAuditLog", judge_reading_audit),)
