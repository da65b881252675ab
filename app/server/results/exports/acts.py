"""The act of exporting results, which opens the screen."""

from app.server.access.acts import Act
from app.server.results.exports.rules import judge_exporting_results

ACTS = (Act("exportResults", judge_exporting_results),)
