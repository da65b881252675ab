"""The counts of each role. The interface reserves their place before they are known."""

from app.server.access.acts import Act
from app.server.waiting import rules

ACTS = (
    Act("countAlerts", rules.judge_alerts),
    Act("countToSign", rules.judge_to_sign),
    Act("countToCollect", rules.judge_to_collect),
    Act("countToReceive", rules.judge_at_lab),
    Act("countCameIn", rules.judge_at_lab),
)
