"""The act of sending, which the interface checks on rows of the requisition search."""

from app.server.access.acts import Act
from app.server.requisitions.acts import ROW, build_row_rule
from app.server.transmissions import rules

ACTS = (Act("sendRequisition", build_row_rule(rules.judge_sending), ROW),)
