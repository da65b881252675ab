"""Acts that the interface judges: labeling requisitions, and previewing results."""

from app.server.access.acts import Act
from app.server.paperwork import rules
from app.server.requisitions.acts import ROW, build_row_rule

ACTS = (
    Act("labelRequisition", build_row_rule(rules.judge_labeling), ROW),
    Act("previewResults", rules.judge_previewing),
)
