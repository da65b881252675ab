"""Permissions about autoverification that the interface evaluates."""

from app.server.access.acts import Act
from app.server.results.automation.rules import judge_changing, judge_trying

ACTS = (
    Act("openAutoverification", judge_trying),
    Act("changeAutoverification", judge_changing),
)
