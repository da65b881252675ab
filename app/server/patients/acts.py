"""Permissions about patients that the interface evaluates without a record."""

from app.server.access.acts import Act
from app.server.patients import rules

ACTS = (Act("changePatient", rules.judge_edit),)
