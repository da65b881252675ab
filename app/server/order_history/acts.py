"""The permission to see earlier recipients, which the interface judges by itself."""

from app.server.access.acts import Act
from app.server.order_history import rules

ACTS = (Act("seeEarlierRecipients", rules.judge_reading_recipients),)
