"""The permission to export results, by which the interface shows the screen."""

from app.server.access.acts import Act
from app.server.results.exports.rules import judge_exporting_results

ACTS = (Act("exportResults", judge_exporting_results),)
