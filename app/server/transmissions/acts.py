"""What the interface asks about sending, of rows of the requisition search."""

from app.server.access.acts import Act
from app.server.requisitions.acts import ROW, of_row
from app.server.transmissions import rules

ACTS = (Act("sendRequisition", of_row(rules.judge_sending), ROW),)
