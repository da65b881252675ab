"""Acts of the advanced search that the interface judges by itself."""

from app.server.access.acts import Act
from app.server.order_search import rules

ACTS = (Act("openAdvancedSearch", rules.judge_searching),)
