"""Permissions about writing to the lab that the interface evaluates."""

from app.server.access.acts import Act
from app.server.support import rules

ACTS = (
    Act("writeToLab", rules.judge_writing),
    Act("requestSupplies", rules.judge_requesting_supplies),
)
