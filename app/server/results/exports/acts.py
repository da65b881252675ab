"""The act of exporting results; who may do it sees the screen."""

from app.server.access.acts import Act
from app.server.results.exports.rules import judge_exporting_results

ACTS = (Act("exportResults", judge_exporting_results),)
