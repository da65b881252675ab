"""The act of labeling, which the interface checks on rows of the requisition search."""

from app.server.access.acts import Act
from app.server.paperwork import rules
from app.server.requisitions.acts import ROW, build_row_rule

ACTS = (Act("labelRequisition", build_row_rule(rules.judge_labeling), ROW),)
