"""The rows that can be exported."""

from app.server.results.exports.service import RESULTS

SOURCES = (RESULTS,)
